/** A process with cells starts and ends. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { WebSocket } from 'ws';
import { statement } from '../../src/db/statement.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import { monotonicMs, sleep } from '../../src/lib/time/time.ts';
import { createCellSet } from '../../src/server/cells/cell-set.ts';
import type { Product } from '../../src/server/compose.ts';
import { startServer } from '../../src/server/lifecycle/start.ts';
import { readConfig } from '../../src/server/settings/config.ts';
import { createCaller } from '../support/caller.ts';
import { makeLine, startCellInstallation } from '../support/cell-installation.ts';
import { runHere } from '../support/cli-process.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { silentLog, sql, until } from '../support/jobs.ts';
import { freePort } from '../support/ports.ts';

const installation = await startCellInstallation();
await installation.divide();
const { accounts, call, database, dialplane, far, folder, productOf, proxy, startProcess } = installation;
after(() => installation.close());

test('a started program serves the cells, migrates them, and ends with them', async () => {
  const { db } = productOf('west').context;
  await sql(db, 'delete from schema_migrations where number = 114');
  await sql(db, 'drop table sip_registrations');
  const migrated = await dialplane('migrate', '--json');
  assert.deepEqual(JSON.parse(migrated.out).cells, [{ cell: 'west', applied: ['0114_sip_registrations'] }]);
  const port = await freePort();
  const env = { DATABASE_URL: database.url, DIALPLANE_SECRET: TEST_SECRET, PORT: `${port}`, DIALPLANE_DATA: folder };
  const config = readConfig({ ...env, HOST: 'localhost', DIALPLANE_CONSOLE: 'off', DIALPLANE_METRICS_PORT: 'off' });
  const running = await startServer({ config, log: silentLog, onProgress: () => undefined });
  const ask = createCaller(`http://127.0.0.1:${port}`, accounts.west.test_key);
  try {
    assert.equal((await ask('GET', '/v1/tenants')).status, 200);
    assert.equal((await ask('GET', '/v1/tenants', { key: accounts.first.test_key })).status, 200);
    // The installation has one listener: a second one would bypass the front.
    await assert.rejects(createCaller(`http://[::1]:${port}`, accounts.west.test_key)('GET', '/v1/tenants'));
    const { body } = await ask('POST', '/v1/realtime/tokens');
    assert.equal(body.url, `ws://localhost:${port}/cells/west/v1/realtime`);
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/realtime?token=${body.token}`);
    const closed = once(socket, 'close');
    await once(socket, 'open');
    await running.drain({ lameDuck: false });
    assert.equal((await closed)[0], 1012);
  } finally {
    await running.stop();
  }
});

test('a stop does not wait for a cell whose database does not answer', async () => {
  const port = await freePort();
  const env = { DATABASE_URL: database.url, DIALPLANE_SECRET: TEST_SECRET, PORT: `${port}`, DIALPLANE_DATA: folder };
  const config = readConfig({ ...env, DIALPLANE_CONSOLE: 'off', DIALPLANE_METRICS_PORT: 'off' });
  const running = await startServer({ config, log: silentLog, onProgress: () => undefined });
  const ask = createCaller(`http://127.0.0.1:${port}`, accounts.west.test_key);
  assert.equal((await ask('GET', '/v1/tenants')).status, 200);
  proxy.stall();
  try {
    const startedMs = monotonicMs();
    await running.drain({ lameDuck: false });
    await running.stop();
    const ms = monotonicMs() - startedMs;
    // Without a limit of the stop, it would wait 15 s for its statements.
    assert.ok(ms < 14_000, `${ms}`);
  } finally {
    proxy.resume();
  }
});

test('the database of a cell is not served as the first one', async () => {
  const env = { DATABASE_URL: far.url, DIALPLANE_SECRET: TEST_SECRET, DIALPLANE_DATA: folder };
  const config = readConfig({ ...env, DIALPLANE_CONSOLE: 'off', DIALPLANE_METRICS_PORT: 'off' });
  const start = startServer({ config, log: silentLog, onProgress: () => undefined });
  await assert.rejects(start, /DATABASE_URL leads to the database of cell west\./);
  const listed = await runHere(['accounts', 'list'], env);
  assert.deepEqual([listed.code, /the database of cell west/.test(listed.err)], [1, true]);
});

test('a process that stops answers the requests of its cells that are under way', async () => {
  const { context } = productOf('west');
  const { test_key: key } = accounts.west;
  const { tenantId } = await makeLine(call, key);
  const second = await startProcess();
  const ask = createCaller(second.url, key);
  const [found] = (await ask('GET', '/v1/phone_numbers/available?area_code=602&limit=1')).body.data;
  const isLocked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const locking = context.db.transaction(async (tx) => {
    await tx.query(statement('test_lock_tenants', 'lock table tenants in access exclusive mode'), []);
    isLocked.resolve();
    await release.promise;
  });
  await isLocked.promise;
  const order = ask('POST', '/v1/phone_numbers', { body: { tenant_id: tenantId, phone_number: found.phone_number } });
  const waits = `select 1 from pg_locks where relation = 'tenants'::regclass and not granted`;
  await until('the order waits', async () => (await sql(context.db, waits)).length > 0);
  const closing = second.close();
  await sleep(500);
  release.resolve();
  await locking;
  const { status, body } = await order;
  assert.equal(status, 201, JSON.stringify(body));
  await closing;
});

test('a cell that cannot end in order keeps no other from its end', async () => {
  const { context, keys } = installation.process.first;
  const { db, cipher } = context;
  const ended: string[] = [];
  const open = async ({ name }: { name: string }): Promise<Product> => {
    const end = async () => {
      if (name === 'west') throw new Error('its database is away');
      ended.push(name);
    };
    return { ...productOf('east'), leave: end, drain: end, close: end };
  };
  const cells = createCellSet({ db, cipher, keys, log: silentLog, metrics: createMetrics(), open });
  await cells.read();
  await cells.start();
  await cells.leave(0);
  await cells.drain(0);
  await cells.close();
  assert.deepEqual(ended, ['east', 'east', 'east']);
});
