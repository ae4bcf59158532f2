import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { issueKey, listLedgers, updateAccountRate, updateAccountStatus } from '../../src/domain/accounts/index.ts';
import type { Clock } from '../../src/lib/time/clock.ts';
import { now } from '../../src/lib/time/time.ts';
import { type Harness, type Reply, startHarness } from '../support/harness.ts';
import { keyedRoutes } from './document.ts';
import { assertRefused, pathOf } from './requests.ts';

let nowMs = now();
const clock: Clock = { now: () => nowMs };

let limited: Harness;
before(async () => {
  limited = await startHarness({ startWorkers: false, injects: true, clock, settings: { rateLimit: true } });
});
after(() => limited.close());

// Every test begins with a full burst.
beforeEach(() => {
  nowMs += 60_000;
});

const list = (key?: string): Promise<Reply> => limited.call('GET', '/v1/tenants', key === undefined ? {} : { key });

async function spend(requests: number): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let sent = 0; sent < requests; sent++) replies.push(await list());
  return replies;
}

const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status);
const limits = ({ headers }: Reply) => [
  headers.get('ratelimit-policy'),
  headers.get('ratelimit'),
  headers.get('retry-after'),
];

test('60 concurrent requests pass and the next is refused, with the seconds to wait', async () => {
  const replies = await spend(61);
  assert.deepEqual(statuses(replies.slice(0, 60)), Array(60).fill(200));
  assert.deepEqual(limits(replies[0] as Reply), ['"key";q=60;w=3', '"key";r=59;t=1', null]);
  assert.deepEqual(limits(replies[59] as Reply), ['"key";q=60;w=3', '"key";r=0;t=3', null]);
  assertRefused(replies[60] as Reply, 429, 'rate_limited');
  assert.deepEqual(limits(replies[60] as Reply), ['"key";q=60;w=3', '"key";r=0;t=3', '1']);
});

/** Spends the burst of a key. Returns the number of requests that passed, and the policy that the refusal names. */
async function burstOf(key: string) {
  for (let passed = 0; passed < 1_000; passed++) {
    const reply = await list(key);
    if (reply.status !== 200) return { passed, policy: reply.headers.get('ratelimit-policy') };
  }
  return assert.fail('no request was refused');
}

test('a key has the rate that it was made with, else that of its account, else 20 a second; bursts are triple', async () => {
  const { db } = limited.context;
  const account = await limited.secondAccount();
  const ledger = (await listLedgers(db, account.id)).find(({ mode }) => mode === 'test');
  const { id: ledgerId, mode } = ledger ?? assert.fail();
  const issued = await db.transaction((tx) =>
    issueKey(tx, { ledgerId, mode }, { name: 'Fast', tenantId: null, rateLimit: 7 }),
  );
  assert.deepEqual(await burstOf(issued.key), { passed: 21, policy: '"key";q=21;w=3' });
  assert.deepEqual(await burstOf(account.test_key), { passed: 60, policy: '"key";q=60;w=3' });
  await updateAccountRate(db, account.id, 30);
  nowMs += 60_000;
  assert.deepEqual(await burstOf(account.test_key), { passed: 90, policy: '"key";q=90;w=3' });
  assert.deepEqual(await burstOf(issued.key), { passed: 21, policy: '"key";q=21;w=3' });
  nowMs += 60_000;
  const { body } = await limited.call('GET', '/v1/api_keys', { key: account.test_key });
  const rates = body.data.map(({ id, rate_limit }: { id: string; rate_limit: number }) => [
    id === issued.id,
    rate_limit,
  ]);
  assert.deepEqual(rates.sort(), [
    [false, 30],
    [true, 7],
  ]);
  const rotated = await limited.call('POST', `/v1/api_keys/${issued.id}/rotate`, { key: account.test_key });
  assert.deepEqual(await burstOf(rotated.body.key), { passed: 21, policy: '"key";q=21;w=3' });
});

test('300 requests with wrong keys pass, then their address is refused, but a correct key from there is not', async () => {
  const wrong = (n: number) => list(`svc_test_${String(n).padStart(32, '0')}`);
  for (let n = 0; n < 300; n++) assertRefused(await wrong(n), 401, 'invalid_api_key');
  const refused = await wrong(300);
  assertRefused(refused, 429, 'rate_limited');
  assert.equal(refused.headers.get('retry-after'), '1');
  assertRefused(
    await limited.call('GET', '/v1/recordings/rec_1/audio?expires=1&signature=1.x', { key: null }),
    429,
    'rate_limited',
  );
  assert.equal((await list()).status, 200);
  assertRefused(await limited.call('GET', '/v1/tenants', { key: null }), 401, 'missing_api_key');
  nowMs += 200;
  assertRefused(await wrong(301), 401, 'invalid_api_key');
});

test('20 requests are allowed each second', async () => {
  await spend(60);
  nowMs += 1_000;
  assert.deepEqual(statuses(await spend(21)), [...Array(20).fill(200), 429]);
  nowMs += 50;
  assert.deepEqual(statuses(await spend(2)), [200, 429]);
});

test('a refused request costs nothing', async () => {
  await spend(60);
  assert.deepEqual(statuses(await spend(10)), Array(10).fill(429));
  nowMs += 3_000;
  assert.deepEqual(statuses(await spend(61)), [...Array(60).fill(200), 429]);
});

test('each key has a limit of its own', async () => {
  await spend(61);
  assert.equal((await list()).status, 429);
  assert.equal((await list(limited.account.live_key)).status, 200);
});

test('a key over its limit is refused on every route, and invalid requests count too', async () => {
  for (let sent = 0; sent < 60; sent++) await limited.call('POST', '/v1/tenants', { body: '{' });
  for (const route of keyedRoutes) {
    assertRefused(await limited.call(route.method, pathOf(route, {})), 429, 'rate_limited');
  }
});

test('a request without a key gets missing_api_key, whatever the limit', async () => {
  await spend(61);
  assertRefused(await limited.call('GET', '/v1/tenants', { key: null }), 401, 'missing_api_key');
});

test('a suspended account gets RateLimit headers, and account_suspended at any rate', async () => {
  const other = await limited.secondAccount();
  await updateAccountStatus(limited.context.db, other.id, 'suspended');
  const first = await list(other.test_key);
  assertRefused(first, 403, 'account_suspended');
  assert.deepEqual(limits(first), ['"key";q=60;w=3', '"key";r=59;t=1', null]);
  for (let sent = 0; sent < 60; sent++) await list(other.test_key);
  assertRefused(await list(other.test_key), 403, 'account_suspended');
});

test('without a limit no RateLimit headers are sent', async () => {
  const harness = await startHarness({ startWorkers: false, injects: true, settings: { rateLimit: false } });
  try {
    for (let sent = 0; sent < 70; sent++) {
      const reply = await harness.call('GET', '/v1/tenants');
      assert.equal(reply.status, 200);
      assert.deepEqual(limits(reply), [null, null, null]);
    }
  } finally {
    await harness.close();
  }
});
