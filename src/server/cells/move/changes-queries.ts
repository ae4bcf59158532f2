/**
 * Rows that were written while the first copy was made. Triggers note their keys, so the pause of a move reads these
 * rows and no others. The triggers exist only during a move, so they cost nothing at other times.
 */
import pg, { type Client } from 'pg';
import { type Copy, columnsOf, copiedOf, keyOf, pipe, setsOf } from './columns-queries.ts';
import { changeTriggers, dropTriggers, type Moved, ownValues, tablesWithRows, triggerOf } from './fence-queries.ts';
import { MOVED_TABLES, type MovedTable, ONLY_IN_PAUSE } from './tables.ts';

const noterOf = (moved: Moved) => `${triggerOf(moved)}_noted`;

/** Notes each write to the account from now on. When it resolves, no earlier write can commit any more. */
export async function noteChanges(source: Client, moved: Moved): Promise<void> {
  const name = noterOf(moved);
  const values = ownValues(moved);
  for (const { table, column } of tablesWithRows(moved)) {
    if (ONLY_IN_PAUSE.has(table)) continue;
    const key = await keyOf(source, table);
    const told = [moved.accountId, ...key].map((text) => pg.escapeLiteral(text)).join(', ');
    const note = (row: 'new' | 'old') =>
      `for each row when (${row}.${column} = ${values[column]}) execute function note_moving_change(${told});`;
    await changeTriggers(
      source,
      table,
      `create or replace trigger ${name} after insert or update on ${table} ${note('new')}
       create or replace trigger ${name}_delete after delete on ${table} ${note('old')}`,
    );
  }
}

/** Ends the notes, and deletes them. */
export async function forgetChanges(source: Client, moved: Moved): Promise<void> {
  const name = noterOf(moved);
  await dropTriggers(source, [name, `${name}_delete`]);
  await source.query('delete from moving_changes where account_id = $1', [moved.accountId]);
}

/** Returns the tables with changes, in the order of `MOVED_TABLES`. */
export async function listChanged(source: Client, { accountId }: Moved): Promise<MovedTable[]> {
  await source.query('analyze moving_changes');
  const { rows } = await source.query<{ table: string }>(
    'select distinct table_name as table from moving_changes where account_id = $1',
    [accountId],
  );
  const changed = new Set(rows.map(({ table }) => table));
  return MOVED_TABLES.filter(({ table }) => changed.has(table));
}

/** The changed rows of a table. `rows` is the number of those that exist. */
export type Change = { readonly table: MovedTable; readonly rows: number };

const writtenOf = ({ table }: MovedTable) => `written_${table}`;
const incomingOf = ({ table }: MovedTable) => `incoming_${table}`;

/**
 * Reads the changed rows of a table into a temporary table, and deletes rows that the source has deleted. Must be
 * called for referring tables before referenced ones, because rows can be deleted only in that order.
 */
export async function readChange(copy: Copy, moved: MovedTable): Promise<Change> {
  const { source, target } = copy;
  const { table } = moved;
  const [columns, key] = [await columnsOf(source, table), await keyOf(source, table)];
  const [written, incoming, keys] = [writtenOf(moved), incomingOf(moved), key.join(', ')];
  const noted = `select distinct ${keys} from moving_changes n
    cross join lateral jsonb_populate_record(null::${table}, n.key)
    where n.account_id = ${pg.escapeLiteral(copy.moved.accountId)} and n.table_name = ${pg.escapeLiteral(table)}`;
  await target.query(
    `create temporary table ${written} on commit drop as select ${keys} from ${table} limit 0;
     create temporary table ${incoming} on commit drop as select ${columns.join(', ')} from ${table} limit 0`,
  );
  await pipe(copy, { from: noted, into: `${written} (${keys})` });
  const rows = await pipe(copy, {
    from: `select ${copiedOf(moved, columns)} from ${table} join (${noted}) changed using (${keys})`,
    into: `${incoming} (${columns.join(', ')})`,
  });
  await target.query(`analyze ${written}; analyze ${incoming}`);
  await target.query(
    `delete from ${table} t using ${written} w where ${sameKey('t', 'w', key)}
       and not exists (select from ${incoming} n where ${sameKey('n', 'w', key)})`,
  );
  return { table: moved, rows };
}

/**
 * Writes the rows that `readChange` has read.
 * @throws Error if the copy then lacks a changed row, or has one that the source has deleted
 */
export async function writeChange({ source, target }: Copy, { table: moved, rows }: Change): Promise<void> {
  const { table } = moved;
  const [columns, key] = [await columnsOf(source, table), await keyOf(source, table)];
  // A row that exists keeps its value of an identity column.
  const counted = await columnsOf(source, table, `attidentity <> ''`);
  const [list, sets] = [columns.join(', '), setsOf(columns, [...key, ...counted])];
  await target.query(
    `insert into ${table} (${list}) overriding system value select ${list} from ${incomingOf(moved)}
     on conflict (${key.join(', ')}) do ${sets === '' ? 'nothing' : `update set ${sets}`}`,
  );
  const { rows: found } = await target.query<{ count: number }>(
    `select count(*)::integer as count from ${table} t join ${writtenOf(moved)} w on ${sameKey('t', 'w', key)}`,
  );
  const count = found[0]?.count ?? 0;
  if (count !== rows) throw new Error(`${table} has ${rows} of the changed rows, and its copy has ${count}`);
}

const sameKey = (one: string, other: string, key: readonly string[]) =>
  key.map((column) => `${one}.${column} = ${other}.${column}`).join(' and ');
