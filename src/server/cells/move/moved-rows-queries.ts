/**
 * The old database's rows of an account that has moved. They leave their tables, because sweeps would work on them.
 * They are kept for a day.
 */
import type { Client } from 'pg';
import { dropNoticeLanes } from '../../../carriers/inbox/move-queries.ts';
import type { Database } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import { defineDeletion, type Sweep } from '../../../queue/worker/sweep.ts';
import type { Moved } from './fence-queries.ts';
import { idsOf, MOVED_TABLES, TABLES_THAT_STAY, whose } from './tables.ts';

/**
 * Moves the rows to `moved_rows`, table by table, with one statement for each table. So a row is always either in its
 * table or there.
 * @param onTable is called before each table
 */
export async function setRowsAside(
  client: Client,
  moved: Moved,
  onTable: (table: string, place: { readonly index: number; readonly tables: number }) => void,
): Promise<void> {
  await dropNoticeLanes(client, moved.connectionIds);
  const tables = [...MOVED_TABLES].reverse().filter(({ table }) => !TABLES_THAT_STAY.has(table));
  for (const [index, { table, column }] of tables.entries()) {
    onTable(table, { index, tables: tables.length });
    await client.query(
      `with gone as (delete from ${table} where ${whose(column)} returning *)
       insert into moved_rows (account_id, table_name, content) select $2, $3, to_json(gone) from gone`,
      [idsOf(column, moved), moved.accountId, table],
    );
  }
}

const DELETE = statement<readonly unknown[], { gone: number }>(
  'moved_rows_delete',
  `delete from moved_rows where ctid = any(array(
     select ctid from moved_rows where moved_at < now() - interval '1 day' order by moved_at limit $1::integer))
   returning 1 as gone`,
);

/** Deletes rows of moved accounts a day after they were set aside. */
export function movedRowsSweep({ db }: { readonly db: Database }): Sweep {
  const remove = async (rowsMax: number) => (await db.query(DELETE, [rowsMax])).length;
  return defineDeletion({ db, name: 'moved_rows', rowsMax: 10_000, remove });
}
