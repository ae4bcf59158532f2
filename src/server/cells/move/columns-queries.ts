/** The columns of tables, as SQL for a copy from one database to another. */
import pg, { type Client } from 'pg';
import { connectionsOf } from './connection-queries.ts';
import { copyRows } from './copy-stream.ts';
import type { Moved } from './fence-queries.ts';
import type { MovedTable } from './tables.ts';

export type Copy = { readonly source: Client; readonly target: Client; readonly moved: Moved };

/** SQL of the account's rows in a table. COPY takes no parameters, so the SQL has literals. */
export const rowsOf = ({ moved }: Copy, { column }: MovedTable) => {
  const account = pg.escapeLiteral(moved.accountId);
  if (column === 'ledger_id') return `ledger_id in (${moved.ledgerIds.join(', ')})`;
  return column === 'account_id' ? `account_id = ${account}` : `connection_id in (${connectionsOf(account)})`;
};

/** SQL of the values to copy. Each column has an expression, or is copied unchanged. */
export const copiedOf = ({ copiedAs = {} }: MovedTable, columns: readonly string[]) =>
  columns.map((column) => copiedAs[column] ?? column).join(', ');

export async function pipe({ source, target }: Copy, { from, into }: { from: string; into: string }): Promise<number> {
  const { read, written } = await copyRows(source, target, {
    from: `copy (${from}) to stdout (format binary)`,
    into: `copy ${into} from stdin (format binary)`,
  });
  if (read !== written) throw new Error(`${read} rows were read for ${into}, and ${written} were written`);
  return written;
}

export const setsOf = (columns: readonly string[], key: readonly string[]) =>
  columns
    .filter((column) => !key.includes(column))
    .map((column) => `${column} = excluded.${column}`)
    .join(', ');

/** Returns the quoted columns of a table, in this database's order. */
export async function columnsOf(client: Client, table: string, condition = 'true'): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and ${condition}
     order by attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** A column of a key, with its type as SQL. The name is quoted. */
export type KeyColumn = { readonly name: string; readonly type: string };

/** Returns the columns of the primary key, or of the unique index of a table without one. Their order is fixed. */
export async function keyOf(client: Client, table: string): Promise<KeyColumn[]> {
  const { rows } = await client.query<KeyColumn>(
    `select quote_ident(a.attname) as name, format_type(a.atttypid, a.atttypmod) as type from pg_index i
     join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
     where i.indexrelid = (select indexrelid from pg_index
       where indrelid = $1::regclass and indisunique and indpred is null order by indisprimary desc limit 1)
     order by a.attnum`,
    [table],
  );
  return rows;
}
