/**
 * The copy of an account in another database. Most of it is made before the pause. The pause reads and writes only rows
 * that have changed since. The ledgers of a copy are `arriving`: nothing uses them.
 */
import type { Client } from 'pg';
import { dropNoticeLanes } from '../../../carriers/inbox/move-queries.ts';
import { copyChanges } from './changes-queries.ts';
import { type Copy, columnsOf, copiedOf, pipe, rowsOf, setsOf } from './columns-queries.ts';
import type { Moved } from './fence-queries.ts';
import { inTransaction } from './in-transaction.ts';
import { copyShared } from './shared-connection-queries.ts';
import { idsOf, isNotes, MOVED_TABLES, type MovedTable, ONLY_IN_PAUSE, TABLES_THAT_STAY, whose } from './tables.ts';

type OnTable = (copied: { readonly table: string; readonly rows: number }) => void;

/** Up to this number, the rows of each table are counted on both sides in the pause. It takes less than a second. */
const COUNTED_ROWS_MAX = 1_000_000;

/**
 * Copies the current rows of the account, table by table. Each table has a separate transaction in the target. While it
 * is open, the target's other accounts cannot read new events in the order of writing.
 * @returns the number of rows
 */
export async function copyAhead({ source, target, moved }: Copy, onTable: OnTable): Promise<number> {
  await dropRows(target, moved);
  await source.query('begin isolation level repeatable read read only');
  try {
    await inTransaction(target, () => copyOwners({ source, target, moved }));
    let copied = 0;
    for (const table of MOVED_TABLES) {
      if (ONLY_IN_PAUSE.has(table.table)) continue;
      const count = await copyWhole({ source, target, moved }, table);
      copied += count;
      if (count > 0) onTable({ table: table.table, rows: count });
    }
    return copied;
  } finally {
    await source.query('commit');
  }
}

/** A pass with at most this many changed rows is the last one before the pause. */
const FEW_ROWS = 1_000;
const PASSES_MAX = 10;

/**
 * Copies what has changed meanwhile, until few rows change during a pass, or as many as during the one before: more
 * passes would not find fewer then. So the pause finds few.
 */
export async function catchUp(copy: Copy): Promise<void> {
  let before = Number.POSITIVE_INFINITY;
  for (let pass = 1; pass <= PASSES_MAX; pass++) {
    const rows = await copyChanges(copy);
    if (rows <= FEW_ROWS || rows >= before) return;
    before = rows;
  }
}

/**
 * Completes the copy inside the fence, and compares it.
 * @param rowsAhead the number of rows that were copied before the pause
 * @throws Error if the rows of a table differ from the source; nothing uses the copy then
 */
export async function copyRest(copy: Copy, rowsAhead: number): Promise<void> {
  const { target } = copy;
  const isCounted = rowsAhead <= COUNTED_ROWS_MAX;
  await copyChanges(copy);
  await inTransaction(target, async () => {
    await copyOwners(copy);
    for (const table of MOVED_TABLES) {
      if (ONLY_IN_PAUSE.has(table.table)) await copyWhole(copy, table);
      // Notes are not compared, because processes still write them.
      if (!isNotes(table) && (isCounted || ONLY_IN_PAUSE.has(table.table))) await compare(copy, table);
    }
  });
}

/**
 * Deletes a copy that is not in use. Keeps the copy's ledgers and the tables that stay. They lead to `home`, as in
 * every database that an account has left.
 */
export async function dropCopy(target: Client, moved: Moved, home: string): Promise<void> {
  await dropRows(target, moved, TABLES_THAT_STAY);
  await target.query(`update ledgers set state = 'moved', moved_to = $2 where id = any($1::integer[])`, [
    moved.ledgerIds,
    home,
  ]);
}

/**
 * Deletes the rows of an account in a database where it is not in use. They come from an earlier copy or an earlier
 * move.
 * @throws Error if the account is in use there
 */
async function dropRows(target: Client, moved: Moved, kept: ReadonlySet<string> = new Set()): Promise<void> {
  const { rows } = await target.query<{ state: string }>('select state from ledgers where account_id = $1', [
    moved.accountId,
  ]);
  if (rows.some(({ state }) => state === 'active' || state === 'moving')) {
    throw new Error(`the account ${moved.accountId} is in use in the database that it is to move to`);
  }
  await dropNoticeLanes(target, moved.connectionIds);
  for (const { table, column } of [...MOVED_TABLES].reverse()) {
    if (!kept.has(table)) await target.query(`delete from ${table} where ${whose(column)}`, [idsOf(column, moved)]);
  }
}

/** Copies the rows that the account's rows refer to. Some may exist there from an earlier move. */
async function copyOwners({ source, target, moved }: Copy): Promise<void> {
  await copyShared(source, target, moved);
  await copyOwner({ source, target, moved }, 'accounts', ['id = $1', moved.accountId]);
  await copyOwner({ source, target, moved }, 'ledgers', ['id = any($1::integer[])', moved.ledgerIds]);
  await target.query(`update ledgers set state = 'arriving', moved_to = null where id = any($1::integer[])`, [
    moved.ledgerIds,
  ]);
}

async function copyOwner(
  { source, target }: Copy,
  table: 'accounts' | 'ledgers',
  [where, value]: readonly [string, unknown],
): Promise<void> {
  const columns = await columnsOf(source, table);
  const { rows } = await source.query<{ rows: string }>(
    `select coalesce(json_agg(t), '[]')::text as rows from ${table} t where ${where}`,
    [value],
  );
  await target.query(
    `insert into ${table} (${columns.join(', ')}) overriding system value
     select ${columns.join(', ')} from json_populate_recordset(null::${table}, $1::json)
     on conflict (id) do update set ${setsOf(columns, ['id'])}`,
    [rows[0]?.rows],
  );
}

async function copyWhole(copy: Copy, table: MovedTable): Promise<number> {
  const columns = await columnsOf(copy.source, table.table);
  return await pipe(copy, {
    from: `select ${copiedOf(table, columns)} from ${table.table} where ${rowsOf(copy, table)}`,
    into: `${table.table} (${columns.join(', ')})`,
  });
}

async function compare(copy: Copy, moved: MovedTable): Promise<void> {
  const [there, here] = await Promise.all([countRows(copy.source, copy, moved), countRows(copy.target, copy, moved)]);
  if (there !== here) throw new Error(`${moved.table} has ${there} rows of the account, and its copy has ${here}`);
}

async function countRows(client: Client, { moved }: Copy, { table, column }: MovedTable): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer as count from ${table} where ${whose(column)}`,
    [idsOf(column, moved)],
  );
  return rows[0]?.count ?? 0;
}
