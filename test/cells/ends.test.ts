/** A process with cells starts and ends. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { WebSocket } from 'ws';
import { statement } from '../../src/db/statement.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import { sleep } from '../../src/lib/time/time.ts';
import { createCellSet } from '../../src/server/cells/cell-set.ts';
import type { Product } from '../../src/server/compose.ts';
import { startServer } from '../../src/server/lifecycle/start.ts';
import { readConfig } from '../../src/server/settings/config.ts';
import { createCaller } from '../support/caller.ts';
import { makeLine, startCellInstallation } from '../support/cell-installation.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { silentLog, sql, until } from '../support/jobs.ts';
import { freePort } from '../support/ports.ts';

const installation = await startCellInstallation();
await installation.divide();
const { accounts, call, database, dialplane, folder, productOf, startProcess } = installation;
after(() => installation.close());

test('a started program serves the cells, migrates them, and ends with them', async () => {
  await sql(productOf('west').context.db, 'delete from schema_migrations where number = 115');
  await sql(productOf('west').context.db, 'alter table installation drop column cell_number, drop column cell_name');
  await sql(productOf('west').context.db, 'drop table cells');
  const migrated = await dialplane('migrate', '--json');
  assert.deepEqual(JSON.parse(migrated.out).cells, [{ cell: 'west', applied: ['0115_cells'] }]);
  await sql(productOf('west').context.db, `update installation set cell_number = 2, cell_name = 'west'`);
  const port = await freePort();
  const env = { DATABASE_URL: database.url, DIALPLANE_SECRET: TEST_SECRET, PORT: `${port}`, DIALPLANE_DATA: folder };
  const config = readConfig({ ...env, HOST: 'localhost', DIALPLANE_CONSOLE: 'off', DIALPLANE_METRICS_PORT: 'off' });
  const running = await startServer({ config, log: silentLog, onProgress: () => undefined });
  const ask = createCaller(`http://127.0.0.1:${port}`, accounts.west.test_key);
  try {
    assert.equal((await ask('GET', '/v1/tenants')).status, 200);
    assert.equal((await ask('GET', '/v1/tenants', { key: accounts.first.test_key })).status, 200);
    // One listener: a second one would pass the front by.
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
  const { db, cipher } = installation.process.first.context;
  const ended: string[] = [];
  const open = async ({ name }: { name: string }): Promise<Product> => {
    const end = async () => {
      if (name === 'west') throw new Error('its database is away');
      ended.push(name);
    };
    return { ...productOf('east'), leave: end, drain: end, close: end };
  };
  const cells = createCellSet({ db, cipher, log: silentLog, metrics: createMetrics(), open });
  await cells.read();
  await cells.start();
  await cells.leave(0);
  await cells.drain(0);
  await cells.close();
  assert.deepEqual(ended, ['east', 'east', 'east']);
});
