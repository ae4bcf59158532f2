/** Every table is copied by a move, holds an account, or has nothing of an account. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import { HOLDING_COLUMNS, HOLDING_TABLES, MOVED_TABLES } from '../../src/server/cells/move/tables.ts';
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
  ...['accounts', 'ledgers', 'account_moves', 'moved_rows'],
  ...['carrier_connections', 'carrier_defaults', 'console_links', 'console_sessions'],
];

test('a table with rows of an account is moved, or keeps the account where it is', async () => {
  const rows = await sql<{ name: string }>(
    db,
    `select distinct table_name as name from information_schema.columns
     where table_schema = 'public' and column_name in ('ledger_id', 'account_id')`,
  );
  const known = [...MOVED_TABLES, ...HOLDING_TABLES].map(({ table }) => table as string);
  assert.deepEqual(
    [...known, ...APART.filter((name) => name !== 'ledgers' && name !== 'accounts'), 'ledgers'].sort(),
    rows.map(({ name }) => name).sort(),
  );
});

test('a row that refers to a connection to a carrier keeps its account where it is', async () => {
  const rows = await sql<{ name: string; column: string }>(
    db,
    `select c.conrelid::regclass::text as name, a.attname as column from pg_constraint c
     join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
     where c.contype = 'f' and c.confrelid = 'carrier_connections'::regclass`,
  );
  const moved = new Set(MOVED_TABLES.map(({ table }) => table));
  const referring = rows.filter(({ name }) => moved.has(name)).map(({ name, column }) => `${name}.${column}`);
  const held = HOLDING_COLUMNS.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`));
  assert.deepEqual(held.sort(), referring.sort());
});

test('a moved table has a primary key, so that the rows of its first copy can be replaced', async () => {
  for (const { table } of MOVED_TABLES) {
    const keys = await sql(db, 'select from pg_index where indrelid = $1::regclass and indisprimary', [table]);
    assert.equal(keys.length, 1, table);
  }
});
