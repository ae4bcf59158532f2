/** A cell whose database is unavailable, or whose address leads to another database. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { cellContext } from '../../src/db/cells.ts';
import { createSchema } from '../../src/db/schema.ts';
import { createCaller } from '../support/caller.ts';
import { startCellInstallation } from '../support/cell-installation.ts';
import { sql, until } from '../support/jobs.ts';
import { countStatements } from '../support/statement-counts.ts';
import { sleep } from '../support/stepping-time.ts';

const installation = await startCellInstallation();
await installation.divide();
const { accounts, call, database, dialplane, productOf, proxy, startProcess } = installation;
after(() => installation.close());

test('a cell whose database is away costs the others nothing: its own keys and strange keys get 503 meanwhile', async () => {
  const status = async (key: string) => (await call('GET', '/v1/tenants', { key })).status;
  // The process has cached which database has this key.
  assert.equal(await status(accounts.west.test_key), 200);
  await proxy.cut();
  assert.deepEqual(
    [await status(accounts.first.test_key), await status(accounts.east.test_key), await status(accounts.east.live_key)],
    [200, 200, 200],
  );
  const away = await call('GET', '/v1/tenants', { key: accounts.west.live_key });
  assert.deepEqual([away.status, away.body.error.code], [503, 'database_unavailable']);
  assert.ok(Number(away.headers.get('retry-after')) > 0);
  // Waits until the cached answer for the key has expired.
  await sleep(3_100);
  const counts = countStatements(productOf('east').context.db);
  assert.equal(await status(accounts.west.test_key), 503);
  assert.equal(counts.take()['api_keys_find_holder'], undefined);
  counts.stop();
  assert.equal(await status(`svc_test_${'1'.repeat(32)}`), 503);
  const measured = await installation.process.first.context.metrics.registry.getSingleMetricAsString(
    'dialplane_http_request_duration_seconds',
  );
  assert.match(measured, /_count\{method="GET",route="unrouted",status="503"\} [1-9]/);
  const ofPage = { key: `svcbs_test_${'1'.repeat(32)}`, headers: { origin: 'https://app.example' } };
  const unread = await call('GET', '/v1/messages', ofPage);
  assert.deepEqual([unread.status, unread.headers.get('access-control-allow-origin')], [503, 'https://app.example']);
  // A process that starts now serves the others too, and the cell once its database is back.
  const second = await startProcess();
  try {
    const other = createCaller(second.url, accounts.east.test_key);
    assert.equal((await other('GET', '/v1/tenants')).status, 200);
    assert.equal((await other('GET', '/v1/tenants', { key: accounts.west.test_key })).status, 503);
    assert.equal((await other('GET', '/cells/west/docs', { key: null })).status, 503);
    await proxy.reopen();
    await until(
      'the cell is served',
      async () => (await other('GET', '/v1/tenants', { key: accounts.west.test_key })).status === 200,
    );
  } finally {
    await second.close();
  }
  await until('the first process serves it again', async () => (await status(accounts.west.live_key)) === 200);
});

test('a cell whose address leads to another database is found, and not served', async () => {
  const { db, cipher } = installation.process.first.context;
  const write = (number: number, url: string) =>
    sql(db, 'update cells set url = $2 where number = $1', [number, cipher.encrypt(url, cellContext(number))]);
  await write(2, database.url);
  const second = await startProcess();
  try {
    const check = await dialplane('cells', 'check');
    assert.equal(check.code, 1);
    assert.match(check.out, /cell west +its address leads to a database that is no cell/);
    const list = await dialplane('accounts', 'list', '--cell', 'west');
    assert.deepEqual([list.code, /not the cell's/.test(list.err)], [1, true]);
    const { status } = await createCaller(second.url, accounts.west.test_key)('GET', '/v1/tenants');
    assert.equal(status, 503);
  } finally {
    await second.close();
    await write(2, proxy.url);
  }
});

test('migrate names a cell whose database is away, migrates the cells after it, and ends with 1', async () => {
  assert.equal((await installation.addCell('north', database.url, '--schema', 'north')).code, 0);
  // A process that opens the cell later would migrate it.
  await until('the cell is open', () => installation.isOpen('north'));
  const { db } = installation.process.first.context;
  await sql(db, 'drop table north.sip_registrations');
  await sql(db, 'delete from north.schema_migrations where number = 114');
  await proxy.cut();
  try {
    const migrated = await dialplane('migrate');
    assert.deepEqual(
      [migrated.code, migrated.out.trim(), migrated.err.trim().split('\n').at(-1)],
      [
        1,
        '0114_sip_registrations in cell north',
        'Cell west is not migrated. Its address cannot be used: nothing listens there.',
      ],
    );
    const { applied, cells, failed } = JSON.parse((await dialplane('migrate', '--json')).out);
    assert.deepEqual(
      { applied, cells, failed },
      {
        applied: [],
        cells: [],
        failed: [{ cell: 'west', error: 'Its address cannot be used: nothing listens there.' }],
      },
    );
  } finally {
    await proxy.reopen();
  }
  assert.deepEqual((await dialplane('migrate')).out.trim(), 'All migrations are applied.');
});

test('an address that leads to a database that is not the cell is not migrated', async () => {
  const { db, cipher } = installation.process.first.context;
  const write = (url: string) =>
    sql(db, 'update cells set url = $1 where number = 2', [cipher.encrypt(url, cellContext(2))]);
  await createSchema(database.url, 'stray');
  const setting = encodeURIComponent('-c search_path=stray');
  await write(`${database.url}${database.url.includes('?') ? '&' : '?'}options=${setting}`);
  const second = await startProcess();
  try {
    const { status } = await createCaller(second.url, accounts.west.test_key)('GET', '/v1/tenants');
    assert.equal(status, 503);
    const migrated = await dialplane('migrate');
    assert.deepEqual([migrated.code, /not the cell's/.test(migrated.err)], [1, true]);
    assert.equal((await dialplane('accounts', 'list', '--cell', 'west')).code, 1);
    assert.deepEqual(await sql(db, `select tablename from pg_tables where schemaname = 'stray'`), []);
  } finally {
    await second.close();
    await write(proxy.url);
  }
});
