/** Every table is copied by a move, or has nothing of an account. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import { copyChanges, noteChanges, notedKey, noteOf } from '../../src/server/cells/move/changes-queries.ts';
import { keyOf } from '../../src/server/cells/move/columns-queries.ts';
import { CONNECTION_COLUMNS, MOVED_TABLES } from '../../src/server/cells/move/tables.ts';
import { cloneDatabase } from '../support/database.ts';
import { silentLog, sql } from '../support/jobs.ts';

const database = await cloneDatabase();
const db = openDatabase({ url: database.url, connectionsMax: 1, log: silentLog });
after(async () => {
  await db.close();
  await database.drop();
});

/** A value of each type that keys have. */
const SAMPLES: Readonly<Record<string, string>> = {
  bigint: '9223372036854775807',
  integer: '7',
  smallint: '7',
  text: 'a "key" \\ é',
  bytea: '\\x00ff',
  date: '2026-11-30',
  'timestamp with time zone': '2026-11-30T23:59:59.123456+02:00',
};

/** Tables of the move itself, and tables whose rows a move refuses or ends by their account. */
const APART = [
  ...['accounts', 'ledgers', 'account_moves', 'moved_rows', 'moving_changes'],
  ...['console_links', 'console_sessions'],
];

test('a table with rows of an account is moved', async () => {
  const rows = await sql<{ name: string }>(
    db,
    `select distinct table_name as name from information_schema.columns
     where table_schema = 'public' and column_name in ('ledger_id', 'account_id')`,
  );
  const known = MOVED_TABLES.filter(({ column }) => column !== 'connection_id').map(({ table }) => table);
  assert.deepEqual(
    [...known, ...APART.filter((name) => name !== 'ledgers' && name !== 'accounts'), 'ledgers'].sort(),
    rows.map(({ name }) => name).sort(),
  );
});

test('a table that refers to connections to carriers is moved with them, and checked for connections of others', async () => {
  const rows = await sql<{ name: string; column: string }>(
    db,
    `select c.conrelid::regclass::text as name, a.attname as column from pg_constraint c
     join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
     where c.contype = 'f' and c.confrelid = 'carrier_connections'::regclass`,
  );
  const ofConnections = MOVED_TABLES.filter(({ column }) => column === 'connection_id');
  const checked = CONNECTION_COLUMNS.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`));
  const names = [...ofConnections.map(({ table }) => table), 'carrier_defaults'];
  const known = [...checked, ...names.map((name) => `${name}.connection_id`)];
  assert.deepEqual(known.sort(), rows.map(({ name, column }) => `${name}.${column}`).sort());
});

test('a moved table has a unique key, so that the rows of its first copy can be replaced', async () => {
  for (const { table } of MOVED_TABLES) {
    const keys = await sql(
      db,
      'select from pg_index where indrelid = $1::regclass and indisunique and indpred is null',
      [table],
    );
    assert.ok(keys.length >= 1, table);
  }
});

test('the changes of each moved table can be noted and read', async () => {
  const source = await db.connect('move');
  const other = await cloneDatabase();
  const target = await openDatabase({ url: other.url, connectionsMax: 1, log: silentLog }).connect('move');
  const moved = { accountId: 'acct_1', ledgerIds: [1], connectionIds: ['conn_1'] };
  for (const { table } of MOVED_TABLES) {
    const key = await keyOf(source, table);
    for (const { type } of key) assert.ok(type in SAMPLES, `${table} has a key of ${type}`);
    const { rows } = await source.query<{ key: unknown[] }>(
      `select note.key from jsonb_populate_record(null::${table}, $1) as sampled
       cross join lateral (select ${noteOf(key).replaceAll('$1', 'sampled')} as key) note
       cross join lateral (select ${notedKey(key)} from (select note.key) moving_changes) noted
       where ${key.map(({ name }) => `noted.${name} = sampled.${name}`).join(' and ')}`,
      [Object.fromEntries(key.map(({ name, type }) => [name.replaceAll('"', ''), SAMPLES[type]]))],
    );
    assert.equal(rows[0]?.key.length, key.length, table);
    await source.query(`insert into moving_changes values ('acct_1', $1, $2)`, [table, JSON.stringify(rows[0]?.key)]);
  }
  await noteChanges(source, moved);
  // The noted rows do not exist.
  assert.equal(await copyChanges({ source, target, moved }), 0);
  assert.deepEqual((await source.query('select from moving_changes')).rows, []);
  await Promise.all([source.end(), target.end()]);
  await other.drop();
});
