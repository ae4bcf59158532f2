import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useHarness } from '../../../test/support/harness.ts';
import { gate, sql, until } from '../../../test/support/jobs.ts';
import { startReceiver } from '../../../test/support/receiver.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { createAdmission, ledgerShare } from './admission.ts';

const CONNECTIONS = 12;
const harness = await useHarness({ connectionsMax: CONNECTIONS, startWorkers: false });

const isCrowded = (error: unknown) =>
  error instanceof ApiError && error.code === 'rate_limited' && error.retryAfterS === 1;

test('requests of a ledger beyond its slots wait in their order; other ledgers do not wait', async () => {
  const admission = createAdmission({ ledgerMax: 2 });
  const [first, second] = [await admission.enter(1), await admission.enter(1)];
  const order: string[] = [];
  const third = admission.enter(1).then((leave) => {
    order.push('third');
    return leave;
  });
  const fourth = admission.enter(1).then((leave) => {
    order.push('fourth');
    return leave;
  });
  await admission.enter(2);
  assert.deepEqual(order, []);
  first();
  first();
  const leaveThird = await third;
  await new Promise(setImmediate);
  assert.deepEqual(order, ['third'], 'leaving twice frees one place');
  second();
  const leaveFourth = await fourth;
  leaveThird();
  leaveFourth();
  await Promise.all([admission.enter(1), admission.enter(1)]);
});

test('a request is rate_limited if too many wait or it has waited too long, and holds no slot', async () => {
  const admission = createAdmission({ ledgerMax: 1, waitingMax: 1, waitMs: 20 });
  const leave = await admission.enter(1);
  const waiting = assert.rejects(admission.enter(1), isCrowded);
  await assert.rejects(admission.enter(1), isCrowded);
  await waiting;
  leave();
  (await admission.enter(1))();
});

const WAITING = `select count(*)::int as n from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`;

test('an account whose requests all wait in the database does not use up the connections of others', async () => {
  const { context, call } = harness;
  const other = await harness.secondAccount();
  const { id } = (await call('POST', '/v1/tenants', { body: { name: 'Held up' } })).body;
  const { opened, open } = gate();
  const { opened: locked, open: lock } = gate();
  const holding = context.db.transaction(async (tx) => {
    await tx.query({ name: '', text: 'select from tenants where id = $1 for update' }, [id]);
    lock();
    await opened;
  });
  await locked;
  const replies = Array.from({ length: 40 }, (_, n) =>
    call('PATCH', `/v1/tenants/${id}`, { body: { name: `Name ${n}` } }),
  );
  try {
    await until(
      'its requests wait',
      async () => ((await sql<{ n: number }>(context.db, WAITING))[0]?.n ?? 0) === ledgerShare(CONNECTIONS),
    );
    const reply = await call('GET', '/v1/tenants', { key: other.test_key });
    assert.equal(reply.status, 200);
  } finally {
    open();
    await holding;
  }
  assert.deepEqual(new Set((await Promise.all(replies)).map(({ status }) => status)), new Set([200]));
});

test('a request that waits for a carrier releases its slot', async () => {
  const { context, call, account } = harness;
  const { opened, open } = gate();
  let asked = 0;
  const { carriers } = context;
  const { numbers } = carriers;
  carriers.numbers = (...of) => ({
    ...numbers(...of),
    order: async (...args) => {
      asked++;
      await opened;
      return numbers(...of).order(...args);
    },
  });
  const tenant = (await call('POST', '/v1/tenants', { body: { name: 'Buys many' } })).body;
  const found = (await call('GET', '/v1/phone_numbers/available?area_code=602&limit=20')).body.data;
  const orders = found.map(({ phone_number }: { phone_number: string }) =>
    call('POST', '/v1/phone_numbers', { body: { tenant_id: tenant.id, phone_number } }),
  );
  try {
    await until('all are with the carrier', () => asked === found.length);
    assert.equal((await call('GET', '/v1/tenants', { key: account.test_key })).status, 200);
  } finally {
    open();
    carriers.numbers = numbers;
  }
  assert.equal(found.length, 20);
  for (const { status } of await Promise.all(orders)) assert.equal(status, 201);
});

test('a request that waits for a webhook receiver releases its slot', async () => {
  const { call } = harness;
  const receiver = await startReceiver();
  try {
    const endpoint = (await call('POST', '/v1/webhook_endpoints', { body: { url: receiver.url } })).body;
    receiver.answer({ delayMs: 3_000 });
    const path = `/v1/webhook_endpoints/${endpoint.id}/test`;
    const tests = Array.from({ length: 20 }, (_, n) =>
      call('POST', path, { body: {}, headers: n % 2 === 0 ? { 'idempotency-key': `slow-${n}` } : {} }),
    );
    await until('all are with the receiver', () => receiver.received.length === 20);
    const { status } = await Promise.race([
      call('GET', '/v1/tenants'),
      Promise.race(tests).then(() => ({ status: 'came after a reply of the receiver' })),
    ]);
    assert.equal(status, 200);
    for (const reply of await Promise.all(tests)) assert.deepEqual([reply.status, reply.body.delivered], [200, true]);
  } finally {
    await receiver.close();
  }
});
