import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { WebSocket } from 'ws';
import { migrate } from '../../src/db/migrate.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/server/embedded-postgres/start.ts';
import { createCaller } from '../support/caller.ts';
import { startCli } from '../support/cli-process.ts';
import { type Harness, type Reply, startHarness, TEST_METRICS_TOKEN, TEST_SECRET } from '../support/harness.ts';
import { silentLog, sql, until } from '../support/jobs.ts';
import { freePort } from '../support/ports.ts';
import { expectStatus, makeSenderAt, registerAt, untilIdle } from '../support/product-process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

const root = mkdtempSync(join(tmpdir(), 'dialplane-outage-'));
// The server may run as another user, which must have access to its own folder.
chmodSync(root, 0o755);
let port: number;
let postgres: EmbeddedPostgres;
let harness: Harness;
let receiver: Receiver;
let numberId: string;
let e164: string;
let socket: WebSocket;
const seen: string[] = [];

/** Starts the database at its previous address. */
async function startDatabase(): Promise<void> {
  const settings = { max_connections: '60' };
  const systemFolder = join(root, 'system');
  postgres = await startEmbeddedPostgres({
    folder: join(root, 'postgres'),
    log: silentLog,
    port,
    settings,
    systemFolder,
  });
}

before(async () => {
  port = await freePort();
  await startDatabase();
  await migrate(postgres.connectionString);
  harness = await startHarness({
    databaseUrl: postgres.connectionString,
    workerSettings: { leaseMs: 2_000, pollMs: 200, retryMinMs: 100, retryMaxMs: 500 },
  });
  receiver = await startReceiver();
  ({ numberId, e164 } = await makeSenderAt(harness.call));
  await registerAt(harness.call, receiver.url);
  const { token } = await expectStatus(harness.call('POST', '/v1/realtime/tokens'), 201);
  socket = new WebSocket(`${harness.url.replace('http', 'ws')}/v1/realtime?token=${token}`);
  socket.on('message', (text) => seen.push(JSON.parse(String(text)).data.id));
  await once(socket, 'open');
});

after(async () => {
  socket.terminate();
  await harness.close();
  await receiver.close();
  await postgres.stop();
  rmSync(root, { recursive: true, force: true });
});

const send = (n: number) =>
  harness.call('POST', '/v1/messages', { body: { from: numberId, to: '+16025550160', body: `Text ${n}` } });

const probe = async (path: string) => (await harness.call('GET', path, { key: null })).status;

/** Sends ten texts and returns their ids. */
async function acceptTen(): Promise<string[]> {
  const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => expectStatus(send(n), 201)));
  return replies.map(({ id }) => id);
}

async function assertUnavailable(): Promise<void> {
  const replies = await Promise.all([
    ...Array.from({ length: 8 }, (_, n) => send(n)),
    harness.call('POST', '/v1/tenants', { body: { name: 'During' }, headers: { 'idempotency-key': 'during' } }),
    harness.call('GET', '/v1/messages'),
    harness.call('POST', '/v1/test/clock', { body: { advance_seconds: 1 } }),
    harness.call('POST', '/v1/realtime/tokens', { key: harness.account.live_key }),
    harness.call('GET', '/v1/tenants', { key: harness.account.live_key }),
  ]);
  for (const { status, headers, body } of replies) {
    assert.deepEqual([status, body.error?.code], [503, 'database_unavailable'], JSON.stringify(body));
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
  assert.equal(await probe('/readyz'), 503);
  assert.equal(await probe('/healthz'), 200);
  assert.equal((await harness.call('GET', '/metrics', { key: TEST_METRICS_TOKEN })).status, 200);
}

/** Fails unless each accepted text reached its final status once, at the webhook receiver and on the socket too. */
async function assertDelivered(ids: readonly string[]): Promise<void> {
  await untilIdle(harness.context.db, 30_000);
  const text = `select id, status, json_array_length(status_history) as states from messages where id = any($1)`;
  const rows = await sql<{ status: string; states: number }>(harness.context.db, text, [ids]);
  assert.deepEqual(
    rows.map(({ status, states }) => [status, states]),
    ids.map(() => ['delivered', 2]),
  );
  const events = receiver.received.filter(({ event }) => ids.includes(event.resource_id));
  assert.deepEqual(new Set(events.map(({ event }) => event.resource_id)), new Set(ids));
}

async function assertRecovers(queued: readonly string[]): Promise<void> {
  await until('the product is ready again', async () => (await probe('/readyz')) === 200, 15_000);
  const later = await acceptTen();
  await assertDelivered([...queued, ...later]);
  await until('the socket shows what happened since', () => later.every((id) => seen.includes(id)));
  await assertListens();
}

/** Fails unless the bus receives messages of other processes over a new connection. */
async function assertListens(): Promise<void> {
  const { bus, db } = harness.context;
  const heard: string[] = [];
  bus.subscribe('outage', (payload, remote) => {
    if (remote) heard.push(payload);
  });
  await until('a notification of another process is heard', async () => {
    await sql(db, `select pg_notify('dialplane', '["stranger",["outage","hello"]]')`);
    return heard.includes('hello');
  });
}

test('while the database restarts, replies ask callers to retry; afterwards everything recovers without help', async () => {
  const queued = await acceptTen();
  await postgres.stop();
  await assertUnavailable();
  await startDatabase();
  await assertRecovers(queued);
  const [{ count } = { count: 0 }] = await sql<{ count: number }>(
    harness.context.db,
    `select count(*) as count from tenants where name = 'During'`,
  );
  assert.equal(count, 0, 'what was refused has not happened');
});

test('a database killed under load loses no accepted text; afterwards everything recovers without help', async () => {
  const accepted: string[] = [];
  let loading = true;
  const keepAsking = async (ask: () => Promise<Reply>) => {
    while (loading) {
      const { status, body } = await ask();
      if (status >= 300) {
        assert.deepEqual([status, body.error?.code], [503, 'database_unavailable'], JSON.stringify(body));
      } else if (body.object === 'message' && body.direction === 'outbound') {
        accepted.push(body.id);
      }
    }
  };
  const post = (path: string, body: object) => () => harness.call('POST', `/v1${path}`, { body });
  const senders = Promise.all([
    ...Array.from({ length: 8 }, (_, n) => keepAsking(() => send(n))),
    keepAsking(post('/tenants', { name: 'Under load' })),
    keepAsking(post('/test/inbound_messages', { from: '+16025550161', to: e164, body: 'Hello' })),
    keepAsking(post('/test/clock', { advance_seconds: 0 })),
  ]);
  await until('texts are accepted', () => accepted.length >= 50);
  process.kill(postgres.pid, 'SIGKILL');
  await postgres.ended;
  await until('the outage is felt', async () => (await probe('/readyz')) === 503);
  loading = false;
  await senders;
  await assertUnavailable();
  await startDatabase();
  await assertRecovers(accepted);
});

test('a process without a database still ends by SIGTERM, with code 0', async () => {
  const program = startCli({ DATABASE_URL: postgres.connectionString, DIALPLANE_SECRET: TEST_SECRET });
  try {
    const call = createCaller(await program.ready(), harness.account.test_key);
    const texts = Array.from({ length: 100 }, () =>
      call('POST', '/v1/messages', { body: { from: numberId, to: '+16025550162', body: 'Hello' } }),
    );
    await texts[50];
    await postgres.stop();
    await Promise.all(texts);
    const { code, signal } = await program.ended('SIGTERM');
    assert.deepEqual([code, signal], [0, null], program.text());
  } finally {
    program.child.kill('SIGKILL');
  }
});
