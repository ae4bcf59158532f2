/** Counts PostgreSQL's statements with `pg_stat_statements`. */
import type pg from 'pg';

/** Server settings that make statements countable. */
export const COUNTING = { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.max': '5000' };

export type Counted = { readonly text: string; readonly calls: number; readonly ms: number };

/** Resets the counts. */
export async function startCounting(client: pg.Client): Promise<void> {
  await client.query('create extension if not exists pg_stat_statements');
  await client.query('select pg_stat_statements_reset()');
}

/** Returns the statements since `startCounting`, the most frequent first. `except` leaves out the benchmark's own. */
export async function countStatements(client: pg.Client, except: RegExp): Promise<Counted[]> {
  const { rows } = await client.query<Counted>(
    `select regexp_replace(query, '\\s+', ' ', 'g') as text, calls::int, total_exec_time as ms
     from pg_stat_statements
     where toplevel and dbid = (select oid from pg_database where datname = current_database()) order by calls desc`,
  );
  return rows.filter(({ text }) => !except.test(text) && !text.includes('pg_stat_statements'));
}
