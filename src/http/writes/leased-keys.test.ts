import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Harness, useHarness } from '../../../test/support/harness.ts';
import { sql, until } from '../../../test/support/jobs.ts';
import { useReceiver } from '../../../test/support/receiver.ts';
import { deleteExpiredKeys } from './idempotency-queries.ts';

const here = await useHarness({ startWorkers: false });
/** Stands for another process on the same database. It shares no memory with `here`. */
const there = await useHarness({ startWorkers: false, databaseUrl: here.databaseUrl });
const receiver = await useReceiver();

let keys = 0;
const newKey = () => ({ 'idempotency-key': `outside ${++keys}` });

type Options = { body?: object; headers?: Record<string, string> };
const post = (harness: Harness, path: string, options: Options) =>
  harness.call('POST', path, { key: here.account.test_key, ...options });
const advance = (harness: Harness, seconds: number, headers: Record<string, string>) =>
  post(harness, '/v1/test/clock', { body: { advance_seconds: seconds }, headers });

async function ledgerNow(): Promise<number> {
  return Date.parse((await here.call('GET', '/v1/test/clock')).body.now);
}

async function register(): Promise<string> {
  const created = await here.call('POST', '/v1/webhook_endpoints', { body: { url: receiver.url } });
  assert.equal(created.status, 201);
  return `/v1/webhook_endpoints/${created.body.id}/test`;
}

test('concurrent requests with one key on two processes send one request outside, and get one reply', async () => {
  const path = await register();
  receiver.answer({ delayMs: 300 });
  const headers = newKey();
  const replies = await Promise.all([here, there, here, there].map((each) => post(each, path, { headers })));
  receiver.answer({});
  assert.equal(receiver.received.length, 1);
  for (const reply of replies) assert.deepEqual([reply.status, reply.body], [200, replies[0]?.body]);
  assert.equal(replies.filter((reply) => reply.headers.get('idempotent-replayed') === 'true').length, 3);
});

test('the clock moves once for one key, also by more than the 24 hours of a key', async () => {
  const before = await ledgerNow();
  const headers = newKey();
  const replies = await Promise.all([here, there].map((each) => advance(each, 3 * 86_400, headers)));
  replies.push(await advance(there, 3 * 86_400, headers));
  const ahead = (await ledgerNow()) - before;
  assert.ok(ahead < 3.5 * 86_400_000, `${ahead} ms`);
  for (const reply of replies) assert.deepEqual([reply.status, reply.body], [200, replies[0]?.body]);
});

test('a reset is replayed although it has deleted its own key', async () => {
  const headers = newKey();
  const first = await post(here, '/v1/test/reset', { headers });
  assert.equal(first.status, 200);
  const tenant = await here.call('POST', '/v1/tenants', { body: { name: 'Afterwards' } });
  assert.deepEqual((await post(there, '/v1/test/reset', { headers })).body, first.body);
  assert.equal((await here.call('GET', `/v1/tenants/${tenant.body.id}`)).status, 200);
});

test('a refusal frees the key immediately', async () => {
  const headers = newKey();
  const path = await register();
  const lost = await post(here, path, { body: { event_type: 'no.such' }, headers });
  assert.equal(lost.status, 400);
  const unknown = await post(here, '/v1/webhook_endpoints/whe_none/test', { headers });
  assert.equal(unknown.status, 404);
  assert.equal((await post(there, path, { headers })).status, 200);
});

/** Gives the key the state that a killed process leaves behind. */
async function leaveClaim(headers: Record<string, string>, leaseLeft: string): Promise<void> {
  const text = `update idempotency_keys set status = null, response = null, created_at = created_at - interval '2 days',
    lease_until = clock_timestamp() + $2::interval where key = $1`;
  await sql(here.context.db, text, [headers['idempotency-key'], leaseLeft]);
}

test('after a crash a repeat claims the key once its lease has expired, and not before', async () => {
  const headers = newKey();
  const path = await register();
  assert.equal((await post(here, path, { headers })).status, 200);
  const before = receiver.received.length;

  await leaveClaim(headers, '20 seconds');
  assert.equal(await deleteExpiredKeys(here.context.db, 1_000), 0);
  const early = await post(there, path, { headers });
  assert.deepEqual([early.status, early.body.error.code], [409, 'idempotency_in_progress']);
  assert.equal(receiver.received.length, before);

  await leaveClaim(headers, '-1 seconds');
  assert.equal((await post(there, path, { headers })).status, 200);
  assert.equal(receiver.received.length, before + 1);
});

test('another request with a leased key is refused', async () => {
  const headers = newKey();
  const path = await register();
  receiver.answer({ delayMs: 300 });
  const before = receiver.received.length;
  const running = post(here, path, { headers });
  await until('the receiver is asked', () => receiver.received.length > before);
  const other = await post(there, '/v1/tenants', { body: { name: 'x' }, headers });
  receiver.answer({});
  assert.deepEqual([other.status, other.body.error.code], [422, 'idempotency_key_reuse']);
  assert.equal((await running).status, 200);
});
