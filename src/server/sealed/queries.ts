import type { Db } from '../../db/database.ts';
import { type Statement, statement } from '../../db/statement.ts';
import { keyIdSql } from '../../lib/crypto/cipher.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';

/** How many rows a batch reads. A batch is a range of the primary key. */
export const BATCH_ROWS = 500;

/** A row with an encrypted value. `key` is the row's primary key, as texts. */
export type SealedRow = { readonly key: readonly string[]; readonly sealed: Buffer | null };
type Changed = { readonly key: readonly string[]; readonly before: Buffer; readonly after: Buffer };

type Statements = {
  readonly first: Statement;
  readonly next: Statement;
  readonly store: Statement;
  readonly count: Statement;
};

function statementsOf({ table, column, key }: SealedColumn): Statements {
  const names = key.map(([name]) => name).join(', ');
  const read = (where: string) =>
    `select array[${key.map(([name]) => `${name}::text`).join(', ')}] as key, ${column} as sealed
     from ${table} ${where} order by ${names} limit ${BATCH_ROWS}`;
  const position = key.map(([, type], index) => `$${index + 1}::${type}`).join(', ');
  const arrays = key.map(([, type], index) => `$${index + 3}::${type}[]`).join(', ');
  return {
    first: statement(`${table}_sealed_first`, read('')),
    next: statement(`${table}_sealed_next`, read(`where (${names}) > (${position})`)),
    // Does nothing if the value has changed since it was read.
    store: statement(
      `${table}_sealed_store`,
      `update ${table} t set ${column} = n.new_value
       from unnest($1::bytea[], $2::bytea[], ${arrays}) as n (old_value, new_value, ${names})
       where ${key.map(([name]) => `t.${name} = n.${name}`).join(' and ')} and t.${column} = n.old_value
       returning 1 as stored`,
    ),
    count: statement(
      `${table}_sealed_count`,
      `select ${keyIdSql(column)} as key_id, count(*)::int as count from ${table} where ${column} is not null group by 1`,
    ),
  };
}

const STATEMENTS = new Map(SEALED_COLUMNS.map((column) => [column, statementsOf(column)]));

/** Returns the rows that follow `after` in the order of the primary key. Without `after` it returns the first rows. */
export function readSealed(db: Db, column: SealedColumn, after: readonly string[] | undefined): Promise<SealedRow[]> {
  const { first, next } = STATEMENTS.get(column) as Statements;
  return after === undefined ? db.query<SealedRow>(first, []) : db.query<SealedRow>(next, [...after]);
}

/** Replaces values that have not changed since they were read. @returns the number replaced */
export async function storeSealed(db: Db, column: SealedColumn, changed: readonly Changed[]): Promise<number> {
  const keys = column.key.map((_, index) => changed.map(({ key }) => key[index]));
  const values = [changed.map(({ before }) => before), changed.map(({ after }) => after), ...keys];
  return (await db.query((STATEMENTS.get(column) as Statements).store, values)).length;
}

/** Returns the number of a column's values for each key that encrypted them. */
export function countSealed(db: Db, column: SealedColumn): Promise<{ key_id: string; count: number }[]> {
  return db.query((STATEMENTS.get(column) as Statements).count, []);
}
