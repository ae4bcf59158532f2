import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { WebSocket } from 'ws';
import { issueKey, listLedgers } from '../../src/domain/accounts/index.ts';
import { now } from '../../src/lib/time/time.ts';
import { createCaller } from '../support/caller.ts';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';
import { type Harness, startHarness } from '../support/harness.ts';
import { until } from '../support/http-target.ts';
import { describeOnEachRedis, startRedis } from '../support/redis.ts';

describeOnEachRedis((program) => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let database: TestDatabase;
  let first: Harness;
  let second: Harness;

  before(async () => {
    redis = await startRedis(program);
    database = await cloneDatabase();
    const shared = {
      databaseUrl: database.url,
      redis: { url: redis.url, sentinels: [] },
      redisAnswerMsMax: 5_000,
      settings: { rateLimit: true },
    };
    first = await startHarness(shared);
    second = await startHarness(shared);
  });
  after(async () => {
    await first.close();
    await second.close();
    await database.drop();
    await redis.stop();
  });

  test('two nodes with a Redis share the limit of a key', async () => {
    const { db } = first.context;
    const ledger = (await listLedgers(db, first.account.id)).find(({ mode }) => mode === 'test');
    assert.ok(ledger !== undefined);
    const wanted = { name: 'One request a second', tenantId: null, rateLimit: 1 };
    const { key } = await db.transaction((tx) => issueKey(tx, { ledgerId: ledger.id, mode: 'test' }, wanted));
    const calls = [createCaller(first.url, key), createCaller(second.url, key)] as const;
    // A shared limit allows 3, and one more for each second that this takes. Separate limits would allow twice that.
    const startedMs = now();
    const asked = Array.from({ length: 60 }, (_, index) => calls[index % 2 === 0 ? 0 : 1]('GET', '/v1/tenants'));
    const statuses = (await Promise.all(asked)).map((reply) => reply.status);
    const allowed = statuses.filter((status) => status === 200).length;
    const seconds = (now() - startedMs) / 1_000;
    assert.ok(allowed >= 3 && allowed <= 4 + seconds, `${allowed} of 60 were allowed in ${seconds} s`);
    assert.ok(statuses.includes(429));
  });

  test('two nodes with a Redis share the limits of opt-in forms', async () => {
    const { test_key: key } = first.account;
    const tenant = await first.call('POST', '/v1/tenants', { key: second.account.test_key, body: { name: 'Forms' } });
    const form = { key: second.account.test_key, body: { tenant_id: tenant.body.id, name: 'Shared' } };
    const { slug } = (await first.call('POST', '/v1/opt_in_forms', form)).body;
    // A shared limit allows 20, and one more for each 3 seconds that this takes. Separate limits would allow twice
    // that.
    const startedMs = now();
    const asked = Array.from({ length: 44 }, (_, index) => {
      const body = { phone_number: `+1602555${1000 + index}`, consent: 'yes' };
      return createCaller(index % 2 ? first.url : second.url, key)('POST', `/opt-in/${slug}`, { key: null, body });
    });
    const statuses = (await Promise.all(asked)).map((reply) => reply.status);
    const allowed = statuses.filter((status) => status === 201).length;
    const seconds = (now() - startedMs) / 1_000;
    assert.ok(allowed >= 20 && allowed < 24 + seconds / 2, `${allowed} of 44 were allowed in ${seconds} s`);
    assert.ok(statuses.includes(429));
  });

  test('an event of one node reaches a socket of the other over Redis', async () => {
    const { live_key: _, test_key: key } = second.account;
    const token = await second.call('POST', '/v1/realtime/tokens', { key });
    const socket = new WebSocket(`${second.url.replace('http', 'ws')}/v1/realtime?token=${token.body.token}`);
    const seen: string[] = [];
    socket.on('message', (message) => seen.push(JSON.parse(String(message)).type));
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const call = createCaller(first.url, key);
    const tenant = await call('POST', '/v1/tenants', { body: { name: 'Two nodes' } });
    await call('POST', '/v1/opt_outs', { body: { tenant_id: tenant.body.id, external_number: '+16025550143' } });
    await until(() => seen.includes('opt_out.created'), 5_000);
    socket.close();
  });
});
