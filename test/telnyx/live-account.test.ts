/** An account at Telnyx that is not in order: what callers and the operator see, and what becomes of texts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BRAND } from '../support/compliance.ts';
import { signIn } from '../support/console.ts';
import type { Json } from '../support/events.ts';
import { runNow, sql, until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { findOnSale } from '../support/numbers.ts';
import { skip } from '../support/stepping-time.ts';
import { useTelnyxLine } from './telnyx-line.ts';

const { telnyx, harness, key, connectionId, tenantId, get, make, text, untilStatus, handsetOf } = await useTelnyxLine();
const { control } = telnyx;
const { db } = harness.context;
const operator = await signIn(harness);

const alarms = async () => (await operator.call('GET', `/connections/${connectionId}`)).body.alarms;
const refusals = async () => {
  const { values } = await harness.context.metrics.carrierAccountRefusals.get();
  return values.reduce((sum, { value }) => sum + value, 0);
};
const waitingJobs = async (like: string): Promise<string[]> =>
  (await sql<{ id: string }>(db, 'select id from jobs where id like $1 and lease_token is null', [like])).map(
    (job) => job.id,
  );

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

test('a text waits while the limit of costs of its messaging profile is reached, which Telnyx answers with 429', async () => {
  const limit = '+13035540333';
  const id = await text(limit, 'Your keys are ready.');
  const alarmed = async () => (await alarms()).some(({ carrier_code }: Json) => carrier_code === '40333');
  await until('the operator is alarmed', alarmed);
  assert.equal((await get(`/messages/${id}`)).status, 'queued');
  for (let retries = 1; retries <= 24; retries++) {
    await runNow(db, `message.submit:${id}`);
    await harness.settled();
  }
  await untilStatus(id, 'failed');
  const { error_code, error_detail } = await get(`/messages/${id}`);
  const title = 'Messaging profile spend limit reached';
  assert.deepEqual([error_code, error_detail], ['send_failed', { carrier_code: '40333', title }]);
});

for (const code of ['20100', '10038']) {
  test(`a brand that the account may not register (${code}) is not rejected: the operator is alarmed`, async () => {
    await control.setAccount({ error: code });
    const { id } = await make('/brands', BRAND);
    const isOfBrand = (each: Json) => each.capability === 'registry' && each.carrier_code === code;
    await until('the operator is alarmed', async () => (await alarms()).some(isOfBrand));
    assert.equal((await get(`/brands/${id}`)).status, 'pending_vetting');
    await control.setAccount({ error: null });
    await until('it is registered', async () => {
      for (const job of await waitingJobs(`%.registration:${id}`)) await runNow(db, job);
      return (await get(`/brands/${id}`)).status === 'vetted';
    });
  });
}

test('an address that the account may not register is not called invalid', async () => {
  const address = { street: '1 Main St', city: 'Tempe', state: 'AZ', postal_code: '85281' };
  await control.setAccount({ error: '20013' });
  const body = { tenant_id: tenantId, ...address };
  const refused = await harness.call('POST', '/v1/e911_addresses', { key, body });
  assert.deepEqual([refused.status, refused.body.error.code], [503, 'carrier_unavailable']);
  await control.setAccount({ error: null });
  assert.equal((await harness.call('POST', '/v1/e911_addresses', { key, body })).status, 201);
});

test('an order that is cancelled at Telnyx does not wait for ever: it is placed again, and the second one counts', async () => {
  await control.pendOrders({ pend: true });
  const phone_number = await findOnSale(harness, key);
  const { id } = await make('/phone_numbers', { tenant_id: tenantId, phone_number });
  assert.equal((await get(`/phone_numbers/${id}`)).status, 'pending');
  await control.completeOrder({ reference: id, status: 'cancelled' });
  await control.pendOrders({ pend: false });
  await until('the number is active', async () => {
    for (const job of await waitingJobs(`%${id}%`)) await runNow(db, job);
    return (await get(`/phone_numbers/${id}`)).status === 'active';
  });
  assert.equal((await control.requests({ operation: 'POST /number_orders' })).filter(isOrderOf(id)).length, 2);
});

const isOrderOf = (id: string) => (request: { readonly body: unknown }) =>
  (request.body as { customer_reference: string }).customer_reference === id;

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
