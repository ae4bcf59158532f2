import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issueKey, revokeKeyById, updateAccountStatus } from '../../src/domain/accounts/index.ts';
import type { ErrorCode } from '../../src/lib/errors/errors.ts';
import type { Clock } from '../../src/lib/time/clock.ts';
import { now } from '../../src/lib/time/time.ts';
import { testLedger } from '../support/events.ts';
import { useHarness } from '../support/harness.ts';
import { keyedRoutes, type Route, routes } from './document.ts';
import { assertAll, assertRefused, pathOf } from './requests.ts';

let nowMs = now();
const clock: Clock = { now: () => nowMs };

const harness = await useHarness({ startWorkers: false, injects: true, clock });

/** The key is checked first, so the rest of the request may be wrong. */
const knock = (route: Route, key: string | null, headers: Record<string, string> = {}) =>
  harness.call(route.method, pathOf(route, {}), { key, headers });

const UNKNOWN_KEYS = [`svc_test_${'0'.repeat(32)}`, 'svc_test_short', 'sk_live_else'];

/** Authorization headers of requests without a valid key, with their error codes; null sends no header. */
const REFUSED: readonly (readonly [authorization: string | null, code: ErrorCode])[] = [
  ...[null, ''].map((text) => [text, 'missing_api_key'] as const),
  ...['Basic c3ZjOng=', harness.account.test_key, 'Bearera b'].map(
    (text) => [text, 'malformed_authorization'] as const,
  ),
  ...['Bearer', 'Bearer ', 'bearer a b', ...UNKNOWN_KEYS.map((key) => `Bearer ${key}`)].map(
    (text) => [text, 'invalid_api_key'] as const,
  ),
];

for (const route of keyedRoutes) {
  test(`${route.name} refuses a request without a valid key`, () =>
    assertAll(
      REFUSED.map(([authorization, code]) => ({
        what: `${route.name} with Authorization: ${authorization}`,
        run: async () =>
          assertRefused(await knock(route, null, authorization === null ? {} : { authorization }), 401, code),
      })),
    ));
}

/** Fails unless each route refuses these keys. */
async function assertAllRefuse(keys: readonly string[], status: number, code: ErrorCode): Promise<void> {
  await assertAll(
    keyedRoutes.flatMap((route) =>
      keys.map((key) => ({
        what: `${route.name} with a ${/(test|live)/.exec(key)?.[0]} key`,
        run: async () => assertRefused(await knock(route, key), status, code),
      })),
    ),
  );
}

test('only the listed routes need no key', () => {
  assert.deepEqual(
    routes.filter((route) => route.isPublic).map((route) => route.name),
    ['GET /v1/openapi.json'],
  );
});

test('the scheme is case-insensitive', async () => {
  const headers = { authorization: `bEARER  ${harness.account.test_key}` };
  assert.equal((await harness.call('GET', '/v1/tenants', { key: null, headers })).status, 200);
});

test('a revoked key is refused on every route within 5 seconds', async () => {
  const { db } = harness.context;
  const ledgerId = await testLedger(harness);
  const issued = await db.transaction((tx) => issueKey(tx, { ledgerId, mode: 'test' }, { name: 'x', tenantId: null }));
  assert.equal((await harness.call('GET', '/v1/tenants', { key: issued.key })).status, 200);
  await revokeKeyById(db, issued.id);
  nowMs += 5_000;
  await assertAllRefuse([issued.key], 401, 'invalid_api_key');
});

test('a suspended account is refused on every route within 5 seconds, and accepted again when resumed', async () => {
  const other = await harness.secondAccount();
  for (const key of [other.test_key, other.live_key]) {
    assert.equal((await harness.call('GET', '/v1/tenants', { key })).status, 200);
  }
  await updateAccountStatus(harness.context.db, other.id, 'suspended');
  nowMs += 5_000;
  await assertAllRefuse([other.test_key, other.live_key], 403, 'account_suspended');
  assert.equal((await harness.call('GET', '/v1/tenants')).status, 200);
  await updateAccountStatus(harness.context.db, other.id, 'active');
  nowMs += 5_000;
  assert.equal((await harness.call('GET', '/v1/tenants', { key: other.test_key })).status, 200);
});
