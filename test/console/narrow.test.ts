/** Pages in narrow windows: what people read on them is whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { useReceiver } from '../support/receiver.ts';
import { fillLedger } from './support/believable.ts';
import { useConsole } from './support/open-console.ts';
import { settled } from './support/places.ts';

const { skip, open, sender } = await useConsole();
const ids = skip === false ? await fillLedger(sender(), (await useReceiver()).url) : {};
const PHONE = { width: 390, height: 844 };

/** Fails if a part of the contents of an element is beyond its edges. */
async function checkWhole(place: Locator): Promise<void> {
  await place.waitFor();
  const beyond = await place.evaluate((it) => it.scrollWidth - it.clientWidth);
  assert.ok(beyond <= 0, `${beyond} px of ${await place.textContent()} are cut`);
}

test('at 390 px the name and the number of the person of a conversation are whole', { skip }, async () => {
  const page = await open(`inbox/${ids['inbox']}`, { viewport: PHONE });
  const title = page.getByRole('heading', { level: 1, name: /^Kim Nguyen \(602\)/ });
  await checkWhole(title);
});

test('at 390 px the log of a call has its details beside the times', { skip }, async () => {
  const page = await open(`calls/${ids['calls']}`, { viewport: PHONE });
  const log = page.getByRole('region', { name: 'Log of the call' });
  await checkWhole(log);
  await checkWhole(log.getByRole('cell', { name: /^from: / }));
});

test('at 390 px the costs by kind are in the window', { skip }, async () => {
  const page = await open('usage', { viewport: PHONE });
  await checkWhole(page.getByRole('region', { name: 'Usage by kind' }));
});

test('at 1,024 px the times of jobs in Queues are whole', { skip }, async () => {
  const page = await open('/console/operator/queues', { viewport: { width: 1024, height: 1600 } });
  await settled(page);
  const times = page.getByRole('table', { name: 'Jobs', exact: true }).locator('[role=cell]:has(time) > :last-child');
  await times.first().waitFor();
  for (const time of await times.all()) await checkWhole(time);
});
