/** Every table is copied by a move, or has nothing of an account. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import { CONNECTION_COLUMNS, MOVED_TABLES } from '../../src/server/cells/move/tables.ts';
import { cloneDatabase } from '../support/database.ts';
import { silentLog, sql } from '../support/jobs.ts';

const database = await cloneDatabase();
const db = openDatabase({ url: database.url, connectionsMax: 1, log: silentLog });
after(async () => {
  await db.close();
  await database.drop();
});

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
    // The trigger that notes changes takes the names as they are.
    const quoted = await sql(
      db,
      'select attname from pg_attribute where attrelid = $1::regclass and attnum > 0 and quote_ident(attname) <> attname',
      [table],
    );
    assert.deepEqual(quoted, [], table);
  }
});
