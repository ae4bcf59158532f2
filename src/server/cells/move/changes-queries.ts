/**
 * Rows that were written while the first copy was made. Triggers note their keys, so a pass reads these rows and no
 * others. The triggers exist only during a move, so they cost nothing at other times.
 */
import pg, { type Client } from 'pg';
import { type Copy, columnsOf, copiedOf, type KeyColumn, keyOf, pipe, rowsOf, setsOf } from './columns-queries.ts';
import {
  changeTriggers,
  dropTriggers,
  type Moved,
  ownValues,
  tablesWithRows,
  triggerOf,
  writeTriggers,
} from './fence-queries.ts';
import { inTransaction } from './in-transaction.ts';
import { MOVED_TABLES, type MovedTable, ONLY_IN_PAUSE } from './tables.ts';

const noterOf = (moved: Moved) => `${triggerOf(moved)}_noted`;

/** SQL of a row's key as a jsonb array. The row is $1. */
export const noteOf = (key: readonly KeyColumn[]) =>
  `jsonb_build_array(${key.map(({ name }) => `($1).${name}`).join(', ')})`;

/** SQL of the columns of a key that `noteOf` has made. */
export const notedKey = (key: readonly KeyColumn[]) =>
  key.map(({ name, type }, at) => `(key ->> ${at})::${type} as ${name}`).join(', ');

/** Notes each write to the account from now on. When it resolves, no earlier write can commit any more. */
export async function noteChanges(source: Client, moved: Moved): Promise<void> {
  const values = ownValues(moved);
  for (const { table, column } of tablesWithRows(moved)) {
    if (ONLY_IN_PAUSE.has(table)) continue;
    const told = [moved.accountId, noteOf(await keyOf(source, table))].map((text) => pg.escapeLiteral(text));
    await changeTriggers(
      source,
      table,
      writeTriggers({
        ...{ name: noterOf(moved), table, when: 'after', column, value: values[column] },
        call: `note_moving_change(${told.join(', ')})`,
      }),
    );
  }
}

/** Ends the notes, and deletes them. */
export async function forgetChanges(source: Client, moved: Moved): Promise<void> {
  await dropTriggers(source, noterOf(moved));
  await source.query('delete from moving_changes where account_id = $1', [moved.accountId]);
}

/**
 * Brings the copy to a later state of the source: of one snapshot, with all changes that it has. Can be repeated.
 * @returns the number of rows that were read
 * @throws Error if the copy then lacks a changed row, or has one that the source has deleted
 */
export async function copyChanges(copy: Copy): Promise<number> {
  const { source, target, moved } = copy;
  await source.query('analyze moving_changes');
  let read = 0;
  await source.query('begin isolation level repeatable read');
  try {
    const changes: Change[] = [];
    await inTransaction(target, async () => {
      // A row may refer to a deleted row until its change is written.
      await target.query('set constraints all deferred');
      for (const table of (await listChanged(source, moved)).reverse()) changes.push(await readChange(copy, table));
      for (const change of changes.reverse()) await writeChange(copy, change);
    });
    for (const { rows } of changes) read += rows;
    // Deletes the notes of this snapshot. Later ones are read by the next pass.
    await source.query('delete from moving_changes where account_id = $1', [moved.accountId]);
    await source.query('commit');
  } catch (error) {
    await source.query('rollback');
    throw error;
  }
  return read;
}

/** Returns the tables with changes, in the order of `MOVED_TABLES`. */
async function listChanged(source: Client, { accountId }: Moved): Promise<MovedTable[]> {
  const { rows } = await source.query<{ table: string }>(
    'select distinct table_name as table from moving_changes where account_id = $1',
    [accountId],
  );
  const changed = new Set(rows.map(({ table }) => table));
  return MOVED_TABLES.filter(({ table }) => changed.has(table));
}

/** The changed rows of a table, with its columns and its key. `rows` is the number of those that exist. */
type Change = {
  readonly table: MovedTable;
  readonly columns: readonly string[];
  readonly key: readonly KeyColumn[];
  readonly rows: number;
};

const writtenOf = ({ table }: MovedTable) => `written_${table}`;
const incomingOf = ({ table }: MovedTable) => `incoming_${table}`;
const listOf = (key: readonly KeyColumn[]) => key.map(({ name }) => name).join(', ');

/**
 * Reads the changed rows of a table into a temporary table, and deletes rows that the source has deleted. Must be
 * called for referring tables before referenced ones, because rows can be deleted only in that order.
 */
async function readChange(copy: Copy, moved: MovedTable): Promise<Change> {
  const { source, target } = copy;
  const { table } = moved;
  const [columns, key] = [await columnsOf(source, table), await keyOf(source, table)];
  const [written, incoming, keys] = [writtenOf(moved), incomingOf(moved), listOf(key)];
  const noted = `select distinct ${notedKey(key)} from moving_changes
    where account_id = ${pg.escapeLiteral(copy.moved.accountId)} and table_name = ${pg.escapeLiteral(table)}`;
  await target.query(
    `create temporary table ${written} on commit drop as select ${keys} from ${table} limit 0;
     create temporary table ${incoming} on commit drop as select ${columns.join(', ')} from ${table} limit 0`,
  );
  await pipe(copy, { from: noted, into: `${written} (${keys})` });
  const rows = await pipe(copy, {
    from: `select ${copiedOf(moved, columns)} from ${table} join (${noted}) noted using (${keys})
      where ${rowsOf(copy, moved)}`,
    into: `${incoming} (${columns.join(', ')})`,
  });
  await target.query(`analyze ${written}; analyze ${incoming}`);
  await target.query(
    `delete from ${table} t using ${written} w where ${sameKey('t', 'w', key)}
       and not exists (select from ${incoming} n where ${sameKey('n', 'w', key)})`,
  );
  return { table: moved, columns, key, rows };
}

/** Writes the rows that `readChange` has read. */
async function writeChange({ source, target }: Copy, { table: moved, columns, key, rows }: Change): Promise<void> {
  const { table } = moved;
  // A row that exists keeps its key, and its value of an identity column.
  const counted = await columnsOf(source, table, `attidentity <> ''`);
  const [list, sets] = [columns.join(', '), setsOf(columns, [...key.map(({ name }) => name), ...counted])];
  await target.query(
    `insert into ${table} (${list}) overriding system value select ${list} from ${incomingOf(moved)}
     on conflict (${listOf(key)}) do ${sets === '' ? 'nothing' : `update set ${sets}`}`,
  );
  const { rows: found } = await target.query<{ count: number }>(
    `select count(*)::integer as count from ${table} t join ${writtenOf(moved)} w on ${sameKey('t', 'w', key)}`,
  );
  const count = found[0]?.count ?? 0;
  if (count !== rows) throw new Error(`${table} has ${rows} of the changed rows, and its copy has ${count}`);
}

const sameKey = (one: string, other: string, key: readonly KeyColumn[]) =>
  key.map(({ name }) => `${one}.${name} = ${other}.${name}`).join(' and ');
