/** Takes the pictures under docs/screenshots/ of every page in light, dark and narrow: `npm run pictures`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { useReceiver } from '../support/receiver.ts';
import { fillLedger } from './support/believable.ts';
import { connectTelnyx, INSTALLED_KINDS, signPeopleIn } from './support/installation.ts';
import { useConsole } from './support/open-console.ts';
import { LOOKS, pictureOf } from './support/pictures.ts';
import { addressOf, PLACES, settled } from './support/places.ts';

const FOLDER = 'docs/screenshots';
const { harness, open, sender } = await useConsole({ adapterKinds: INSTALLED_KINDS });
const { ids: installed } = await connectTelnyx(harness);
const ids = { ...(await fillLedger(sender(), (await useReceiver()).url)), ...installed };
await signPeopleIn(harness);
await mkdir(FOLDER, { recursive: true });

for (const { name, ...look } of LOOKS) {
  test(`pictures in ${name}`, async () => {
    const page = await open('', look);
    for (const place of PLACES) {
      await page.goto(`${harness.context.settings.publicUrl}${addressOf(place, harness.account.id, ids)}`);
      await settled(page);
      await page.waitForLoadState('networkidle');
      await writeFile(`${FOLDER}/${pictureOf(place, name)}`, await picture(page));
    }
  });
}

/** The page as WebP: a third of the bytes of PNG, and Playwright itself takes only PNG and JPEG. */
async function picture(page: Page): Promise<Buffer> {
  const browser = await page.context().newCDPSession(page);
  const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: 85 });
  await browser.detach();
  return Buffer.from(data, 'base64');
}
