/** Windows of the console in Spanish that the buttons of pages open. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useReceiver } from '../support/receiver.ts';
import { fillLedger } from './support/believable.ts';
import { isEnglish, readTexts } from './support/english.ts';
import { connectTelnyx, INSTALLED_KINDS } from './support/installation.ts';
import { useConsole } from './support/open-console.ts';
import { addressOf, follow, PLACES, settled, watchRequests } from './support/places.ts';

const { harness, skip, open, sender } = await useConsole({ adapterKinds: INSTALLED_KINDS });

test('windows that the buttons of pages open have no English text', { skip }, async () => {
  const { ids: installed } = await connectTelnyx(harness);
  const ids = { ...(await fillLedger(sender(), (await useReceiver()).url)), ...installed };
  const page = await open('clock', { locale: 'es-US' });
  const quiet = watchRequests(page);
  const go = async (path: string) => {
    await follow(page, path);
    await settled(page);
    await quiet();
  };
  const found: Record<string, string[]> = {};
  const opened = new Set<string>();
  for (const place of PLACES) {
    await go(addressOf(place, harness.account.id, ids));
    const { href } = new URL(page.url());
    // Every button is pressed once; some act, or open another page.
    const names = await page.locator('main > div > header button, main section > header button').allInnerTexts();
    for (const name of new Set(names.filter((text) => text !== '' && !opened.has(text)))) {
      const button = page.locator('main header').getByRole('button', { name, exact: true }).first();
      if (!(await button.isVisible()) || (await button.isDisabled())) continue;
      await button.click();
      await quiet();
      const window = page.getByRole('dialog');
      if ((await window.count()) > 0) {
        opened.add(name);
        const english = (await readTexts(page)).filter(isEnglish);
        if (english.length > 0) found[`${place.name}: ${name}`] = english;
        await page.keyboard.press('Escape');
      }
      if (page.url() !== href) await go(addressOf(place, harness.account.id, ids));
    }
  }
  assert.ok(opened.size > 15, [...opened].join(', '));
  assert.deepEqual(found, {});
});
