import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { WebSocket } from 'ws';
import { expireKeyById, issueKey, listLedgers } from '../../src/domain/accounts/index.ts';
import { watchOrder } from '../crash/watch-order.ts';
import { createRandom } from '../support/fault-rules.ts';
import { sql, until } from '../support/jobs.ts';
import {
  expectStatus,
  makeSenderAt,
  openSite,
  type ProductProcess,
  registerAt,
  type Site,
  untilIdle,
} from '../support/product-process.ts';
import { startReceiver } from '../support/receiver.ts';

let site: Site;
let processes: readonly [ProductProcess, ProductProcess];
let sender: Awaited<ReturnType<typeof makeSenderAt>>;

before(async () => {
  site = await openSite();
  processes = await Promise.all([site.start(), site.start()]);
  sender = await makeSenderAt(processes[0].call);
});

after(() => site.close());

/** Alternates between the processes. */
const at = (n: number) => processes[n % 2] as ProductProcess;

const send = (n: number, headers: Record<string, string> = {}) => {
  const body = { from: sender.numberId, to: `+1602555${1000 + (n % 50)}`, body: `Text ${n}` };
  return at(n).call('POST', '/v1/messages', { body, headers });
};

const arrive = (n: number, from: string, text: string) => {
  const body = { from, to: sender.e164, body: text };
  return expectStatus(at(n).call('POST', '/v1/test/inbound_messages', { body }), 201);
};

test('each text that two processes accept is sent once, and each delivery is made once and in order', async () => {
  const receiver = await startReceiver();
  const delays = createRandom(1);
  const watch = watchOrder(receiver, () => ({ delayMs: delays() * 10 }));
  try {
    await registerAt(at(0).call, receiver.url);
    const texts = Promise.all(Array.from({ length: 200 }, (_, n) => expectStatus(send(n), 201)));
    const changes = Promise.all(
      ['+16025561000', '+16025561001', '+16025561002'].map(async (person) => {
        for (let n = 0; n < 12; n++) await arrive(n, person, n % 2 === 0 ? 'STOP' : 'START');
      }),
    );
    const ids = (await texts).map(({ id }) => id);
    await changes;
    await untilIdle(site.db, 20_000);

    const taken = await sql<{ ref: string }>(site.db, 'select ref from simulated_messages where ref = any($1)', [ids]);
    assert.deepEqual(taken.map(({ ref }) => ref).sort(), ids.sort());
    const events = await sql<{ resource_id: string }>(site.db, 'select resource_id from events');
    for (const id of ids) assert.equal(events.filter((event) => event.resource_id === id).length, 1);
    assert.equal(events.filter(({ resource_id }) => resource_id.includes(':')).length, 36);
    assert.equal(watch.taken().size, events.length);
    assert.equal(watch.arrivals(), events.length, 'a receiver that accepts every delivery gets each one once');
    assert.deepEqual(watch.violations(), []);
    const shares = await Promise.all(
      processes.map((each) => each.metric('dialplane_webhook_attempt_duration_seconds_count', { result: 'delivered' })),
    );
    assert.ok(Math.min(...shares) > 0, `both deliver: ${shares.join(' and ')}`);
  } finally {
    await receiver.close();
  }
});

test('an idempotency key used 64 times concurrently on both processes has one effect and one answer', async () => {
  const body = { from: sender.numberId, to: '+16025550143', body: 'Once' };
  const replies = await Promise.all(
    Array.from({ length: 64 }, (_, n) =>
      at(n).call('POST', '/v1/messages', { body, headers: { 'idempotency-key': 'one effect' } }),
    ),
  );
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [201]);
  assert.equal(new Set(replies.map((reply) => JSON.stringify(reply.body))).size, 1);
  assert.equal(replies.filter(({ headers }) => !headers.has('idempotent-replayed')).length, 1);
  const stored = await sql(site.db, `select id from messages where "to" = '+16025550143'`);
  assert.equal(stored.length, 1);
});

test('an idempotency key used 64 times concurrently on both processes creates one tenant', async () => {
  const options = { body: { name: 'Only one' }, headers: { 'idempotency-key': 'one tenant' } };
  const replies = await Promise.all(Array.from({ length: 64 }, (_, n) => at(n).call('POST', '/v1/tenants', options)));
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [201]);
  assert.equal(new Set(replies.map((reply) => reply.body.id)).size, 1);
  assert.equal((await sql(site.db, `select id from tenants where name = 'Only one'`)).length, 1);
});

// src/domain/accounts/api-keys/api.test.ts checks on the tests' clock that this takes at most five seconds.
test('both processes refuse a revoked key', async () => {
  const [ledger] = await listLedgers(site.db, site.account.id);
  assert.ok(ledger);
  const issued = await site.db.transaction((tx) =>
    issueKey(tx, { ledgerId: ledger.id, mode: ledger.mode }, { name: 'to revoke', tenantId: null }),
  );
  const statuses = () =>
    Promise.all(
      processes.map(async (each) => (await each.call('GET', '/v1/tenants?limit=1', { key: issued.key })).status),
    );
  assert.deepEqual(await statuses(), [200, 200]);
  await site.db.transaction((tx) => expireKeyById(tx, issued.id, 0));
  await until('both refuse the key', async () => (await statuses()).every((status) => status === 401));
});

test('an event of one process reaches the realtime sockets of the other once', async () => {
  const { token } = await expectStatus(at(1).call('POST', '/v1/realtime/tokens'), 201);
  const socket = new WebSocket(`${at(1).url.replace('http', 'ws')}/v1/realtime?token=${token}`);
  const seen: string[] = [];
  socket.on('message', (text) => seen.push(JSON.parse(String(text)).data.body));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  for (let n = 0; n < 20; n++) await arrive(0, '+16025562000', `From the other ${n}`);
  await until('all events have come', () => seen.length >= 20);
  assert.deepEqual(seen.toSorted(), Array.from({ length: 20 }, (_, n) => `From the other ${n}`).toSorted());
  socket.terminate();
});
