/** What holds for every page with data: it is accessible in light and dark, and fits a window of 360 px. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { useReceiver } from '../support/receiver.ts';
import { fillLedger, type PageIds } from './support/believable.ts';
import { connectTelnyx, INSTALLED_KINDS } from './support/installation.ts';
import { checkAccess, checkWidth, useConsole } from './support/open-console.ts';
import { addressOf, PLACES, settled } from './support/places.ts';

const { harness, skip, open, sender } = await useConsole({ adapterKinds: INSTALLED_KINDS });
let filled: { readonly page: Page; readonly ids: PageIds } | undefined;
if (skip === false) {
  const ids = await fillLedger(sender(), (await useReceiver()).url);
  filled = { ids: { ...ids, ...(await connectTelnyx(harness)).ids }, page: await open('') };
}

test('the pages are known', () => assert.ok(PLACES.length > 3));

for (const place of PLACES) {
  test(`the page ${place.name} is accessible in light and dark, and fits 360 px`, { skip }, async () => {
    const { page, ids } = filled ?? assert.fail('there is no browser');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(`${harness.context.settings.publicUrl}${addressOf(place, harness.account.id, ids)}`);
    await settled(page);
    await checkAccess(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await checkAccess(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await checkWidth(page);
  });
}
