/** Every page of the console in Spanish: no text of the English tables, and no wider than its window. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useReceiver } from '../support/receiver.ts';
import { fillLedger } from './support/believable.ts';
import { isEnglish, readTexts } from './support/english.ts';
import { connectTelnyx, INSTALLED_KINDS, signPeopleIn } from './support/installation.ts';
import { checkWidth, useConsole } from './support/open-console.ts';
import { addressOf, follow, PLACES, settled, watchRequests } from './support/places.ts';

const WIDTHS = [1024, 390];
/** Words of English sentences. None is a word of Spanish, or a part of a name in the test's data. */
const ENGLISH =
  /\b(the|of|and|is|are|with|for|this|that|not|has|have|was|will|your|its|from|yet|been|when|each|which)\b/i;

const { harness, skip, open, sender, browser } = await useConsole({ adapterKinds: INSTALLED_KINDS });

async function fillPages() {
  const { ids: installed } = await connectTelnyx(harness);
  const ids = { ...(await fillLedger(sender(), (await useReceiver()).url)), ...installed };
  await signPeopleIn(harness);
  const page = browser.keep(await open('clock', { locale: 'es-US' }));
  const quiet = watchRequests(page);
  const go = async (path: string) => {
    await follow(page, path);
    await settled(page);
    await quiet();
  };
  return { page, go, quiet, ids };
}

const filled = skip === false ? await fillPages() : undefined;
const use = () => filled ?? assert.fail('there is no browser');

for (const place of PLACES) {
  test(`the page ${place.name} in Spanish has no English text, and fits its window`, { skip }, async () => {
    const { page, go, quiet, ids } = use();
    await page.setViewportSize({ width: 1280, height: 800 });
    await go(addressOf(place, harness.account.id, ids));
    const shown = await readTexts(page);
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await quiet();
      shown.push(...(await readTexts(page)));
    }
    assert.deepEqual(shown.filter(isEnglish), []);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await checkWidth(page);
    }
  });
}

test('pages of an account without data have no English words', { skip }, async () => {
  const { page, go } = use();
  const account = await harness.secondAccount();
  const found: Record<string, string[]> = {};
  for (const place of PLACES.filter(({ isOperator, path }) => !isOperator && !path.includes('$'))) {
    await go(addressOf(place, account.id, {}));
    const shown = (await readTexts(page)).filter((text) => ENGLISH.test(text));
    if (shown.length > 0) found[place.name] = shown;
  }
  assert.deepEqual(found, {});
});
