/** Cells that operators add, and the output of the commands about them. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import { createAccount } from '../../src/domain/accounts/index.ts';
import { cellNumberOf } from '../../src/lib/cells.ts';
import { PLACES, startCellInstallation } from '../support/cell-installation.ts';
import { cloneDatabase } from '../support/database.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { silentLog, sql, until } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { countStatements } from '../support/statement-counts.ts';

const installation = await startCellInstallation();
const { addCell, call, database, dialplane, dialplaneWith, far, isOpen, makeAccount, productOf, proxy } = installation;
const used = await cloneDatabase();
after(async () => {
  await installation.close();
  await used.drop();
});

test('without cells a key costs the one look-up that it cost before', async () => {
  const { db } = installation.process.first.context;
  const { test_key: key } = await db.transaction((tx) => createAccount(tx, 'Alone'));
  const counts = countStatements(db);
  try {
    for (const path of ['/v1/tenants', '/v1/messages', '/v1/tenants'])
      assert.equal((await call('GET', path, { key })).status, 200);
    assert.equal(counts.take()['api_keys_find_holder'], 1);
  } finally {
    counts.stop();
  }
});

test('a cell that an operator adds is served without a restart, on another database or in a schema of the first', async () => {
  const east = await addCell('east', database.url, '--schema', 'east');
  assert.equal(east.code, 0, east.err);
  assert.ok(!`${east.out}${east.err}`.includes(database.url));
  const west = await addCell('west', proxy.url);
  assert.equal(west.code, 0, west.err);
  await until('the cells are open', () => isOpen('east') && isOpen('west'));
  const listed = JSON.parse((await dialplane('cells', 'list', '--json')).out);
  assert.deepEqual(
    listed.map(({ number, name, state }: { number: number; name: string; state: string }) => [number, name, state]),
    [
      [1, 'east', 'open'],
      [2, 'west', 'open'],
    ],
  );
  assert.equal((await dialplane('cells', 'check')).code, 0);
});

test('accounts are made in cells, and no two databases give a ledger the same id', async () => {
  const ids = new Set<number>();
  for (const place of PLACES) {
    await makeAccount(place);
    const rows = await sql<{ id: number }>(productOf(place).context.db, 'select id from ledgers');
    for (const { id } of rows) {
      assert.equal(cellNumberOf(id), PLACES.indexOf(place));
      assert.ok(!ids.has(id));
      ids.add(id);
    }
  }
  assert.equal(ids.size, 8);
});

test('a link to the console of a cell leads below its path', async () => {
  const { out } = await dialplane('console', '--cell', 'west', '--json');
  assert.match(JSON.parse(out).url, /^http:\/\/localhost:\d+\/cells\/west\/console\/sign-in#/);
  const rows = await sql(productOf('west').context.db, 'select 1 from console_links');
  assert.equal(rows.length, 1);
});

test('an operator lists what all databases have, and is told of a cell whose rows are missing', async () => {
  const list = async (...words: string[]) => {
    const { code, out, err } = await dialplane(...words, '--all-cells', '--json');
    return { code, err, rows: JSON.parse(out) as { cell: string | null; name: string; email: string }[] };
  };
  const all = await list('accounts', 'list');
  assert.deepEqual(
    [all.code, all.rows.map(({ cell, name }) => [cell, name])],
    [
      0,
      [
        [null, 'Alone'],
        [null, 'first'],
        ['east', 'east'],
        ['west', 'west'],
      ],
    ],
  );
  await dialplane('users', 'add', 'dana@example.com', '--role', 'operator', '--cell', 'west');
  assert.deepEqual(
    (await list('users', 'list')).rows.map(({ cell, email }) => [cell, email]),
    [['west', 'dana@example.com']],
  );
  const { context } = productOf('west');
  await addConnection(context, { kind: 'reporting', credentials: { secret: 'of the carrier' }, capabilities: [] });
  assert.deepEqual(
    (await list('carriers', 'list')).rows.map(({ cell }) => cell),
    ['west'],
  );
  // The doctor also checks the connections of the cell, here one of a kind that no adapter serves.
  const strange = await addConnection(context, { kind: 'strange', name: 'odd', capabilities: [] });
  assert.match((await dialplane('doctor')).out, /BAD +cell west: odd: connection/);
  await sql(context.db, 'delete from carrier_connections where id = $1', [strange]);
  assert.equal((await dialplane('accounts', 'list', '--all-cells', '--cell', 'west')).code, 2);
  await proxy.cut();
  try {
    const partial = await list('accounts', 'list');
    assert.deepEqual([partial.code, partial.rows.map(({ name }) => name)], [1, ['Alone', 'first', 'east']]);
    assert.match(partial.err, /The rows of cell west are missing/);
  } finally {
    await proxy.reopen();
  }
});

test('a live number that two databases have is found', async () => {
  for (const place of ['east', 'west'] as const) {
    const { context } = productOf(place);
    const [ledger] = await sql<{ id: number }>(context.db, `select id from ledgers where mode = 'live'`);
    await sql(context.db, 'insert into live_numbers (phone_number, ledger_id, number_id) values ($1, $2, $3)', [
      '+16025550199',
      ledger?.id,
      'pn_1',
    ]);
  }
  const check = await dialplane('cells', 'check');
  assert.equal(check.code, 1);
  assert.match(check.out, /cell east and cell west +both have \+16025550199/);
  await sql(productOf('west').context.db, 'delete from live_numbers');
});

test('a database with accounts, a database of another cell and a name that is taken are refused', async () => {
  assert.match((await addCell('west', far.url)).err, /There is a cell west already/);
  assert.match((await addCell('north', far.url)).err, /it is cell west/);
  assert.match((await addCell('north', database.url)).err, /it has cells of its own/);
  assert.match((await addCell('north', 'mysql://somewhere')).err, /begins with postgres/);
  // A database with accounts is refused before it is migrated, here a database of an older version.
  const usedDb = openDatabase({ url: used.url, connectionsMax: 1, log: silentLog });
  try {
    await usedDb.transaction((tx) => createAccount(tx, 'Other'));
    await sql(usedDb, 'delete from schema_migrations where number = 114');
    await sql(usedDb, 'drop table sip_registrations');
    assert.match((await addCell('north', used.url)).err, /it has accounts/);
    assert.deepEqual(await sql(usedDb, `select from pg_tables where tablename = 'sip_registrations'`), []);
    await sql(usedDb, 'truncate accounts cascade');
  } finally {
    await usedDb.close();
  }
  const cutOff = await startDatabaseProxy(used.url);
  await cutOff.cut();
  assert.equal((await addCell('north', cutOff.url)).code, 1);
  assert.match((await dialplane('accounts', 'list', '--cell', 'north')).err, /no open cell north/);
  assert.equal((await addCell('north', used.url)).code, 0);
  assert.deepEqual(
    JSON.parse((await dialplane('cells', 'list', '--json')).out).map(({ number }: { number: number }) => number),
    [1, 2, 3],
  );
  await until('the third cell is open', () => isOpen('north'));
});

test('what a cell still needs of an older secret is told before that secret is dropped', async () => {
  const secrets = `a newer secret that is only good for tests,${TEST_SECRET}`;
  const atFirst = await dialplaneWith(secrets, 'cells', 'check');
  assert.match(atFirst.out, /cell west +open; older secrets are needed for .*1 text that checks the secret/);
  const first = await dialplaneWith(secrets, 'reencrypt');
  assert.match(first.out, /Drop the older ones .* after ".* reencrypt --cell NAME" for east, west, north/);
  assert.equal((await dialplaneWith(secrets, 'reencrypt', '--cell', 'west')).code, 0);
  const atLast = await dialplaneWith(secrets, 'cells', 'check');
  assert.match(atLast.out, /cell east +open; older secrets are needed/);
  assert.match(atLast.out, /cell west +open\n/);
});
