/** An account at Telnyx that is not in order: what callers and the operator see, and what becomes of texts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signIn } from '../support/console.ts';
import { runNow, until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { skip } from '../support/stepping-time.ts';
import { useTelnyxLine } from './telnyx-line.ts';

const { telnyx, harness, connectionId, get, text, untilStatus, handsetOf } = await useTelnyxLine();
const { control } = telnyx;
const { db } = harness.context;
const operator = await signIn(harness);

const alarms = async () => (await operator.call('GET', `/connections/${connectionId}`)).body.alarms;
const refusals = async () => {
  const { values } = await harness.context.metrics.carrierAccountRefusals.get();
  return values.reduce((sum, { value }) => sum + value, 0);
};

test('a text waits while the account is inactive, the operator is alarmed, and it is sent once that is put right', async () => {
  const person = newPerson();
  await control.setAccount({ error: '20012' });
  const id = await text(person, 'Your keys are ready.');
  await until('the operator is alarmed', async () => (await alarms()).length === 1);
  const [{ since, last_at, ...alarm }] = await alarms();
  assert.deepEqual(alarm, { capability: 'messaging', carrier_code: '20012', title: 'Account inactive' });
  assert.ok(Date.parse(since) <= Date.parse(last_at));
  assert.ok((await refusals()) >= 1);
  assert.equal((await get(`/messages/${id}`)).status, 'queued');
  await control.setAccount({ error: null });
  await skip(600_000);
  await untilStatus(id, 'delivered');
  assert.deepEqual(await handsetOf(person), ['Your keys are ready.']);
  await skip(900_000);
  assert.deepEqual(await alarms(), [], 'the alarm ends');
});

test('a text that has waited four hours for the account fails, and says why', async () => {
  await control.setAccount({ error: '10010' });
  const id = await text(newPerson(), 'Your keys are ready.');
  await until('it was refused', async () =>
    (await alarms()).some((each: { carrier_code: string }) => each.carrier_code === '10010'),
  );
  for (let retries = 1; retries <= 24; retries++) {
    assert.equal((await get(`/messages/${id}`)).status, 'queued');
    await runNow(db, `message.submit:${id}`);
    await harness.settled();
  }
  await untilStatus(id, 'failed');
  const { error_code, error_detail } = await get(`/messages/${id}`);
  assert.deepEqual(
    [error_code, error_detail],
    ['send_failed', { carrier_code: '10010', title: 'Authorization failed' }],
  );
  await control.setAccount({ error: null });
});
