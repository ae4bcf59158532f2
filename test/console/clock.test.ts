/** The page of the clock and the faults of test mode. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { now } from '../../src/lib/time/time.ts';
import { checkAccess } from '../support/accessibility.ts';
import { until } from '../support/jobs.ts';
import { makeLine } from '../support/numbers.ts';
import { checkWidth, useConsole } from './support/open-console.ts';

const { harness, skip, open, sender } = await useConsole();

test('the clock is moved, by a button and by a length', { skip }, async () => {
  const account = await harness.secondAccount();
  const send = sender(account);
  const page = await open('clock', { account });
  const movedDays = async () => (Date.parse((await send('GET', '/v1/test/clock')).now) - now()) / 86_400_000;
  await page.getByRole('button', { name: '+ 1 day' }).click();
  await until('a day has passed', async () => Math.round(await movedDays()) === 1);
  await page.getByLabel('Forward by').fill('48');
  await page.getByRole('button', { name: 'Move the clock' }).click();
  await until('two more have passed', async () => Math.round(await movedDays()) === 3);
  await page.getByLabel('Forward by').fill('999999');
  await page.getByRole('button', { name: 'Move the clock' }).click();
  await page.getByRole('alert').waitFor();
});

test('a fault is set, shown and cleared, and texts that arrived are in the outbox', { skip }, async () => {
  const account = await harness.secondAccount();
  const send = sender(account);
  const { number } = await makeLine(harness, account.test_key);
  const page = await open('clock', { account });
  await page.getByText('works as it should').waitFor();
  await page.getByLabel('Times', { exact: true }).fill('2');
  await page.getByRole('button', { name: 'Set the fault' }).click();
  const faults = page.getByRole('table', { name: 'Faults in force' });
  await faults.getByText('60 s').waitFor();
  assert.deepEqual((await send('GET', '/v1/test/faults')).data, [
    { object: 'test_fault', kind: 'delay', times: 2, delay_seconds: 60 },
  ]);
  await page.getByRole('button', { name: 'Clear delay' }).click();
  await page.getByText('works as it should').waitFor();
  await send('POST', '/v1/messages', { from: number.id, to: '+16025550143', body: 'Your table is ready.' });
  await send('POST', '/v1/test/clock', { advance_seconds: 3 });
  await page
    .getByRole('table', { name: /^Texts/ })
    .getByText('Your table is ready.')
    .waitFor();
  await checkAccess(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await checkWidth(page);
});

test('a new start deletes the test data, after a question', { skip }, async () => {
  const account = await harness.secondAccount();
  const send = sender(account);
  await send('POST', '/v1/tenants', { name: 'Desert Paws Clinic' });
  const page = await open('clock', { account });
  await page.getByRole('button', { name: 'Start over' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await send('GET', '/v1/tenants')).data.length, 1);
  await page.getByRole('button', { name: 'Start over' }).click();
  await page.getByRole('button', { name: 'Delete the test data' }).click();
  await page.getByText('All test data is deleted.').waitFor();
  assert.equal((await send('GET', '/v1/tenants')).data.length, 0);
});
