/**
 * The copy of an account in another database. Most of it is made before the pause. The pause reads and writes only rows
 * that have changed since. The ledgers of a copy are `arriving`: nothing uses them.
 */
import pg, { type Client } from 'pg';
import { dropNoticeLanes } from '../../../carriers/inbox/move-queries.ts';
import { connectionsOf } from './connection-queries.ts';
import { copyRows } from './copy-stream.ts';
import type { Moved } from './fence-queries.ts';
import { inTransaction } from './in-transaction.ts';
import { copyShared } from './shared-connection-queries.ts';
import { idsOf, isNotes, MOVED_TABLES, type MovedTable, TABLES_THAT_STAY, whose } from './tables.ts';

export type Copy = { readonly source: Client; readonly target: Client; readonly moved: Moved };

/** A copy that was made before the pause. */
export type Ahead = {
  /** Rows of this transaction and of later ones may be missing in the copy. */
  readonly since: string;
  /** The number of rows in each table whose rows do not change before the pause. */
  readonly rows: ReadonlyMap<string, number>;
};

type OnTable = (copied: { readonly table: string; readonly rows: number }) => void;

/**
 * These tables are copied in the pause, after their rows were delayed. Before that, workers of the new database would
 * take the rows as work.
 */
const ONLY_IN_PAUSE = new Set(['jobs', 'lanes']);

/**
 * Copies the current rows of the account, table by table. Each table has a separate transaction in the target. While it
 * is open, the target's other accounts cannot read new events in the order of writing.
 */
export async function copyAhead({ source, target, moved }: Copy, onTable: OnTable): Promise<Ahead> {
  await dropRows(target, moved);
  await source.query('begin isolation level repeatable read read only');
  try {
    const { rows } = await source.query<{ since: string }>(
      'select pg_snapshot_xmin(pg_current_snapshot())::xid::text as since',
    );
    await inTransaction(target, () => copyOwners({ source, target, moved }));
    const copied = new Map<string, number>();
    for (const table of MOVED_TABLES) {
      if (ONLY_IN_PAUSE.has(table.table)) continue;
      const count = await copyWhole({ source, target, moved }, table);
      copied.set(table.table, count);
      if (count > 0) onTable({ table: table.table, rows: count });
    }
    return { since: rows[0]?.since ?? '0', rows: copied };
  } finally {
    await source.query('commit');
  }
}

/**
 * Completes the copy inside the fence, and compares it.
 * @throws Error if the rows of a table differ from the source; the target does not change then
 */
export async function copyRest(copy: Copy, ahead: Ahead): Promise<void> {
  const { target } = copy;
  await inTransaction(target, async () => {
    await copyOwners(copy);
    const changes: Change[] = [];
    for (const moved of [...MOVED_TABLES].reverse()) {
      if (!ONLY_IN_PAUSE.has(moved.table)) changes.push(await readChange(copy, moved, ahead));
    }
    for (const change of changes.reverse()) {
      await writeChange(copy, change);
      // A deleted row may have deleted rows that refer to it. So the tables are compared here, after all deletions.
      // Notes are not compared, because processes still write them.
      if (!change.isCompared && !isNotes(change.moved)) await compare(copy, change.moved);
    }
    for (const moved of MOVED_TABLES) {
      if (!ONLY_IN_PAUSE.has(moved.table)) continue;
      await copyWhole(copy, moved);
      await compare(copy, moved);
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

/** SQL of the account's rows in a table. COPY takes no parameters, so the SQL has literals. */
const rowsOf = ({ moved }: Copy, { column }: MovedTable) => {
  const account = pg.escapeLiteral(moved.accountId);
  if (column === 'ledger_id') return `ledger_id in (${moved.ledgerIds.join(', ')})`;
  return column === 'account_id' ? `account_id = ${account}` : `connection_id in (${connectionsOf(account)})`;
};

/** SQL of the values to copy. Each column has an expression, or is copied unchanged. */
const copiedOf = ({ copiedAs = {} }: MovedTable, columns: readonly string[]) =>
  columns.map((column) => copiedAs[column] ?? column).join(', ');

async function copyWhole(copy: Copy, table: MovedTable): Promise<number> {
  const columns = await columnsOf(copy.source, table.table);
  return await pipe(copy, {
    from: `select ${copiedOf(table, columns)} from ${table.table} where ${rowsOf(copy, table)}`,
    into: `${table.table} (${columns.join(', ')})`,
  });
}

async function pipe({ source, target }: Copy, { from, into }: { from: string; into: string }): Promise<number> {
  const { read, written } = await copyRows(source, target, {
    from: `copy (${from}) to stdout (format binary)`,
    into: `copy ${into} from stdin (format binary)`,
  });
  if (read !== written) throw new Error(`${read} rows were read for ${into}, and ${written} were written`);
  return written;
}

type Change = { readonly moved: MovedTable; readonly rows: number; readonly isCompared: boolean };

const incomingOf = ({ table }: MovedTable) => `incoming_${table}`;

/**
 * Reads rows that were written after the copy into a temporary table, and deletes rows that the source has deleted.
 * Must be called for referring tables before referenced ones, because rows can be deleted only in that order.
 */
async function readChange(copy: Copy, moved: MovedTable, ahead: Ahead): Promise<Change> {
  const { source, target } = copy;
  const { table } = moved;
  const isChanged = `age(xmin) <= age('${ahead.since}'::xid)`;
  const { rows: counted } = await source.query<{ total: number; changed: number }>(
    `select count(*)::integer as total, (count(*) filter (where ${isChanged}))::integer as changed
     from ${table} where ${rowsOf(copy, moved)}`,
  );
  const { total = 0, changed = 0 } = counted[0] ?? {};
  const here = ahead.rows.get(table) ?? 0;
  if (changed === 0 && here === total) return { moved, rows: 0, isCompared: true };
  const [names, key] = [await columnsOf(source, table), await keyOf(source, table)];
  const columns = names.join(', ');
  const incoming = incomingOf(moved);
  await target.query(`create temporary table ${incoming} on commit drop as select ${columns} from ${table} limit 0`);
  const from = `select ${copiedOf(moved, names)} from ${table} where ${rowsOf(copy, moved)} and ${isChanged}`;
  const rows = await pipe(copy, { from, into: `${incoming} (${columns})` });
  const { rowCount: added } = await target.query(
    `select from ${incoming} n where not exists (select from ${table} t where ${sameKey('t', 'n', key)})`,
  );
  // If the sum of the target's rows and the new rows is the source's total, the source has deleted nothing.
  if (here + (added ?? 0) !== total) await dropGone(copy, moved, key);
  return { moved, rows, isCompared: false };
}

/** Writes the rows that `readChange` has read. */
async function writeChange({ source, target }: Copy, { moved, rows }: Change): Promise<void> {
  if (rows === 0) return;
  const { table } = moved;
  const [columns, key] = [await columnsOf(source, table), await keyOf(source, table)];
  // A row that exists keeps its value of an identity column.
  const counted = await columnsOf(source, table, `attidentity <> ''`);
  const [list, sets] = [columns.join(', '), setsOf(columns, [...key, ...counted])];
  await target.query(
    `insert into ${table} (${list}) overriding system value select ${list} from ${incomingOf(moved)}
     on conflict (${key.join(', ')}) do ${sets === '' ? 'nothing' : `update set ${sets}`}`,
  );
}

/** Deletes the rows whose key the source does not have any more. */
async function dropGone(copy: Copy, moved: MovedTable, key: readonly string[]): Promise<void> {
  const { target } = copy;
  const list = key.join(', ');
  await target.query(`create temporary table present on commit drop as select ${list} from ${moved.table} limit 0`);
  await pipe(copy, {
    from: `select ${list} from ${moved.table} where ${rowsOf(copy, moved)}`,
    into: `present (${list})`,
  });
  await target.query('analyze present');
  await target.query(
    `delete from ${moved.table} t where ${rowsOf(copy, moved)} and not exists (
       select from present p where ${sameKey('p', 't', key)})`,
  );
  await target.query('drop table present');
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

const sameKey = (one: string, other: string, key: readonly string[]) =>
  key.map((column) => `${one}.${column} = ${other}.${column}`).join(' and ');

const setsOf = (columns: readonly string[], key: readonly string[]) =>
  columns
    .filter((column) => !key.includes(column))
    .map((column) => `${column} = excluded.${column}`)
    .join(', ');

/** Returns the quoted columns of a table, in this database's order. */
async function columnsOf(client: Client, table: string, condition = 'true'): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and ${condition}
     order by attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** Returns the quoted columns of the primary key. For a table without one, returns those of the unique index. */
async function keyOf(client: Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(a.attname) as name from pg_index i
     join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
     where i.indexrelid = (select indexrelid from pg_index
       where indrelid = $1::regclass and indisunique and indpred is null order by indisprimary desc limit 1)`,
    [table],
  );
  return rows.map(({ name }) => name);
}
