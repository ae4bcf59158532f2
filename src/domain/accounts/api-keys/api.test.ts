import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { type Reply, startHarness } from '../../../../test/support/harness.ts';
import { databaseMs, sql, until } from '../../../../test/support/jobs.ts';
import { makeTenant, useTenant } from '../../../../test/support/numbers.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { now } from '../../../lib/time/time.ts';

// The test controls the clock of the edge's key cache, so that only dropped keys are read again.
let nowMs = now();
const clock: Clock = { now: () => nowMs };

const { harness, tenantId } = await useTenant({ startWorkers: false, clock });

const PATH = '/v1/api_keys';
const make = async (body: object = { name: 'Backend' }, key = harness.account.test_key) => {
  const reply = await harness.call('POST', PATH, { body, key });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
};
const list = async (query = '', key = harness.account.test_key): Promise<string[]> => {
  const { status, body } = await harness.call('GET', `${PATH}?limit=100${query}`, { key });
  assert.equal(status, 200, JSON.stringify(body));
  return body.data.map(({ id }: { id: string }) => id);
};
const revoke = (id: string, key = harness.account.test_key) => harness.call('DELETE', `${PATH}/${id}`, { key });
const rotate = (id: string, body?: object, key = harness.account.test_key) =>
  harness.call('POST', `${PATH}/${id}/rotate`, { key, ...(body && { body }) });
/** Returns when a listed key ends. */
const endOf = async (id: string): Promise<string> =>
  (await harness.call('GET', PATH)).body.data.find((each: { id: string }) => each.id === id).expires_at;
const use = async (key: string) => (await harness.call('GET', '/v1/tenants', { key })).status;

function refused(reply: Reply, status: number, code: string, param?: string): void {
  assert.deepEqual([reply.status, reply.body.error?.code, reply.body.error?.param], [status, code, param]);
}

describe('making keys', () => {
  test('the secret is only in the first reply', async () => {
    const made = await make();
    const { key, ...shown } = made;
    assert.match(key, /^svc_test_[0-9A-Za-z]{32}$/);
    assert.deepEqual(shown, {
      id: made.id,
      object: 'api_key',
      name: 'Backend',
      tenant_id: null,
      mode: 'test',
      permissions: 'write',
      rate_limit: 20,
      last4: key.slice(-4),
      created_at: made.created_at,
      last_used_at: null,
      expires_at: null,
    });
    assert.match(made.id, /^key_/);
    assert.equal(await use(key), 200);
    const { body } = await harness.call('GET', PATH);
    assert.ok(!JSON.stringify(body).includes(key));
    assert.deepEqual(Object.keys(body.data.find(({ id }: { id: string }) => id === made.id)), Object.keys(shown));
    const rows = await sql<object>(harness.context.db, 'select * from api_keys where id = $1', [made.id]);
    assert.ok(!JSON.stringify(rows).includes(key));
  });

  test('a repeat with its Idempotency-Key returns the same secret and makes no second key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const before = (await list()).length;
    const [first, again] = [
      await harness.call('POST', PATH, { body: { name: 'Once' }, headers }),
      await harness.call('POST', PATH, { body: { name: 'Once' }, headers }),
    ];
    assert.deepEqual(again.body, first.body);
    assert.equal((await list()).length, before + 1);
  });

  test('a key makes keys in its own mode', async () => {
    const live = await make({ name: 'Live' }, harness.account.live_key);
    assert.equal(live.mode, 'live');
    assert.match(live.key, /^svc_live_/);
    assert.ok(!(await list()).includes(live.id));
    refused(await revoke(live.id), 404, 'api_key_not_found');
    refused(await rotate(live.id), 404, 'api_key_not_found');
    assert.equal(await use(live.key), 200);
    assert.equal((await revoke(live.id, harness.account.live_key)).status, 204);
  });

  test('a key of one tenant can use that tenant only, and makes no keys', async () => {
    const { key } = await make({ name: 'One tenant', tenant_id: tenantId });
    const other = await makeTenant(harness);
    assert.equal((await harness.call('GET', `/v1/tenants/${tenantId}`, { key })).status, 200);
    refused(await harness.call('GET', `/v1/tenants/${other}`, { key }), 403, 'tenant_restricted_key', 'tenant_id');
    for (const body of [{ name: 'More' }, { name: 'More', tenant_id: tenantId }]) {
      refused(await harness.call('POST', PATH, { body, key }), 403, 'key_not_permitted');
    }
    refused(await harness.call('GET', PATH, { key }), 403, 'key_not_permitted');
  });

  test('a key can be restricted only to a tenant of the same ledger', async () => {
    for (const [key, tenant_id] of [
      [harness.account.test_key, 'tnt_none'],
      [harness.account.live_key, tenantId],
      [(await harness.secondAccount()).test_key, tenantId],
    ] as const) {
      const reply = await harness.call('POST', PATH, { body: { name: 'x', tenant_id }, key });
      refused(reply, 404, 'tenant_not_found', 'tenant_id');
    }
  });

  test('a key that may only read sees everything, changes nothing, and stays so when it is rotated', async () => {
    const { id, key, permissions } = await make({ name: 'Reports', permissions: 'read' });
    assert.equal(permissions, 'read');
    const { key: next, permissions: kept } = (await rotate(id)).body;
    assert.equal(kept, 'read');
    for (const reader of [key, next]) {
      assert.equal(await use(reader), 200);
      refused(
        await harness.call('POST', '/v1/tenants', { body: { name: 'x' }, key: reader }),
        403,
        'key_not_permitted',
      );
      refused(await revoke(id, reader), 403, 'key_not_permitted');
      refused(await harness.call('POST', PATH, { body: { name: 'x' }, key: reader }), 403, 'key_not_permitted');
    }
  });

  test('an invalid body is refused with the name of the invalid field', async () => {
    const post = (body: object) => harness.call('POST', PATH, { body });
    refused(await post({}), 400, 'missing_fields', 'name');
    refused(await post({ name: ' ' }), 400, 'missing_fields', 'name');
    refused(await post({ name: 'x'.repeat(201) }), 400, 'invalid_body', 'name');
    refused(await post({ name: 'x', mode: 'live' }), 400, 'invalid_body', 'mode');
    refused(await post({ name: 'x', tenant_id: 7 }), 400, 'invalid_body', 'tenant_id');
    refused(await post({ name: 'x', permissions: 'admin' }), 400, 'invalid_body', 'permissions');
  });
});

describe('listing keys', () => {
  test('keys in force are listed newest first, page by page', async () => {
    const account = await harness.secondAccount();
    const made = [];
    for (const name of ['a', 'b', 'c']) made.push((await make({ name }, account.test_key)).id);
    const [own, ...ids] = (await list('', account.test_key)).reverse();
    assert.deepEqual(ids, made);
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const { body } = await harness.call('GET', `${PATH}?limit=1${after}`, { key: account.test_key });
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      if (!body.has_more) break;
      after = `&after=${body.next_cursor}`;
    }
    assert.deepEqual(seen, [...made.reverse(), own]);
  });

  test('the list can be filtered by tenant', async () => {
    const tenant = await makeTenant(harness);
    const { id } = await make({ name: 'x', tenant_id: tenant });
    assert.deepEqual(await list(`&tenant_id=${tenant}`), [id]);
    refused(await harness.call('GET', `${PATH}?tenant_id=none`), 404, 'tenant_not_found', 'tenant_id');
  });

  test('the last use is recorded at most once a minute', async () => {
    const { id, key } = await make();
    const lastUsed = async () => {
      const { body } = await harness.call('GET', PATH);
      return body.data.find((each: { id: string }) => each.id === id).last_used_at;
    };
    assert.equal(await lastUsed(), null);
    const { db } = harness.context;
    const beforeMs = await databaseMs(db);
    await use(key);
    const first = await lastUsed();
    assert.ok(Date.parse(first) >= beforeMs && Date.parse(first) <= (await databaseMs(db)), first);
    nowMs += 10_000;
    await use(key);
    assert.equal(await lastUsed(), first);
    await sql(db, `update api_keys set last_used_at = now() - interval '61 s' where id = $1`, [id]);
    nowMs += 10_000;
    await use(key);
    assert.ok(Date.parse(await lastUsed()) >= Date.parse(first));
  });
});

describe('revoking keys', () => {
  test('a revoked key is refused immediately by the node that revoked it, and is no longer listed', async () => {
    const { id, key } = await make();
    assert.equal(await use(key), 200);
    assert.equal((await revoke(id)).status, 204);
    assert.equal(await use(key), 401);
    assert.ok(!(await list()).includes(id));
  });

  test('other nodes drop a revoked key and refuse it before their cached copy expires', async () => {
    const other = await startHarness({ startWorkers: false, clock, databaseUrl: harness.databaseUrl });
    try {
      const { id, key } = await make();
      const knock = async () => (await other.call('GET', '/v1/tenants', { key })).status;
      assert.equal(await knock(), 200);
      await revoke(id);
      // The clock of the cached keys' expiry stands still in this test.
      await until('the other node refuses the key', async () => (await knock()) === 401);
    } finally {
      await other.close();
    }
  });

  test('a second revocation is no error', async () => {
    const { id } = await make();
    for (const _ of [1, 2]) assert.equal((await revoke(id)).status, 204);
  });

  test('a key may revoke itself', async () => {
    const { id, key } = await make();
    assert.equal((await revoke(id, key)).status, 204);
    assert.equal(await use(key), 401);
  });

  test("a refused revocation leaves the key valid, and another account's key is not found", async () => {
    const { id, key } = await make();
    const stranger = await harness.secondAccount();
    refused(await revoke(id, stranger.test_key), 404, 'api_key_not_found');
    refused(await rotate(id, {}, stranger.test_key), 404, 'api_key_not_found');
    refused(await revoke('key_none'), 404, 'api_key_not_found');
    assert.equal(await use(key), 200);
    assert.ok(!(await list('', stranger.test_key)).includes(id));
  });

  test("deleting a tenant revokes its keys immediately, and no other tenant's", async () => {
    const tenant = await makeTenant(harness);
    const [gone, stays] = [await make({ name: 'x', tenant_id: tenant }), await make()];
    assert.equal(await use(gone.key), 200);
    assert.equal((await harness.call('DELETE', `/v1/tenants/${tenant}`)).status, 204);
    assert.equal(await use(gone.key), 401);
    assert.equal(await use(stays.key), 200);
    refused(await rotate(gone.id), 404, 'api_key_not_found');
    const reply = await harness.call('POST', PATH, { body: { name: 'x', tenant_id: tenant } });
    refused(reply, 404, 'tenant_not_found', 'tenant_id');
  });

  test('a key made while its tenant is being deleted does not outlive it', async () => {
    for (let round = 0; round < 5; round++) {
      const tenant = await makeTenant(harness);
      const { id } = await make({ name: 'x', tenant_id: tenant });
      await Promise.all([
        harness.call('POST', PATH, { body: { name: 'y', tenant_id: tenant } }),
        rotate(id),
        harness.call('DELETE', `/v1/tenants/${tenant}`),
        rotate(id),
        harness.call('POST', PATH, { body: { name: 'z', tenant_id: tenant } }),
      ]);
      assert.deepEqual(await list(`&tenant_id=${tenant}`), []);
    }
  });
});

describe('rotating keys', () => {
  test('the new key has the name and tenant of the old one, which stays valid for a day', async () => {
    const old = await make({ name: 'Rotated', tenant_id: tenantId });
    const beforeMs = await databaseMs(harness.context.db);
    const { status, body } = await rotate(old.id);
    assert.equal(status, 201);
    assert.deepEqual([body.name, body.tenant_id, body.mode, body.expires_at], ['Rotated', tenantId, 'test', null]);
    assert.notEqual(body.id, old.id);
    const afterMs = await databaseMs(harness.context.db);
    for (const key of [old.key, body.key]) {
      assert.equal((await harness.call('GET', `/v1/tenants/${tenantId}`, { key })).status, 200);
    }
    const endsMs = Date.parse(await endOf(old.id));
    assert.ok(endsMs >= beforeMs + 86_400_000 && endsMs <= afterMs + 86_400_000);
  });

  test('without overlap the old key is refused immediately', async () => {
    const old = await make();
    assert.equal(await use(old.key), 200);
    const { body } = await rotate(old.id, { expires_in_seconds: 0 });
    assert.deepEqual([await use(old.key), await use(body.key)], [401, 200]);
    refused(await rotate(old.id), 404, 'api_key_not_found');
  });

  test('an expired key is refused, no longer listed and not rotated', async () => {
    const old = await make();
    await rotate(old.id, { expires_in_seconds: 60 });
    assert.equal(await use(old.key), 200);
    await sql(harness.context.db, `update api_keys set expires_at = now() - interval '1 s' where id = $1`, [old.id]);
    nowMs += 5_000;
    assert.equal(await use(old.key), 401);
    assert.ok(!(await list()).includes(old.id));
    refused(await rotate(old.id), 404, 'api_key_not_found');
    assert.equal((await revoke(old.id)).status, 204);
  });

  test('a second rotation does not extend the overlap of the first', async () => {
    const old = await make();
    await rotate(old.id, { expires_in_seconds: 60 });
    const first = await endOf(old.id);
    assert.equal((await rotate(old.id)).status, 201);
    assert.equal(await endOf(old.id), first);
  });

  test('a revoked key is not rotated', async () => {
    const { id } = await make();
    await revoke(id);
    refused(await rotate(id), 404, 'api_key_not_found');
  });

  test('the overlap is 0 seconds to 30 days', async () => {
    const { id } = await make();
    for (const expires_in_seconds of [-1, 1.5, 2_592_001, '60']) {
      refused(await rotate(id, { expires_in_seconds }), 400, 'invalid_body', 'expires_in_seconds');
    }
  });
});
