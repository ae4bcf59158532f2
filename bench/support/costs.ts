/** The cost of a unit of work: processor time, statements, and the write-ahead log of each statement. */
import type pg from 'pg';
import { cpuOf, ownCpu } from './cpu.ts';

/** What one unit costs. */
type Cost = {
  readonly nodeUs: number;
  readonly postgresUs: number;
  readonly walBytes: number;
  readonly commits: number;
  readonly statements: readonly StatementCost[];
};

/** The share of one statement in a unit. */
type StatementCost = {
  readonly text: string;
  readonly calls: number;
  readonly us: number;
  readonly walBytes: number;
  readonly walRecords: number;
};

type Counters = { node: number; postgres: number; wal: number; commits: number };

type CostOptions = { readonly client: pg.Client; readonly postgresPid: number };

/** A mark in statements of the benchmark itself. */
const OWN = 'bench_own';

/**
 * Measures what `work` costs for each of its `units`. The server must preload pg_stat_statements.
 * Counts the write-ahead log and commits of the whole server, so nothing else may use it.
 */
export async function measureCost(options: CostOptions, units: number, work: () => Promise<void>): Promise<Cost> {
  const { client } = options;
  await client.query(`create extension if not exists pg_stat_statements; checkpoint -- ${OWN}`);
  await client.query(`select pg_stat_statements_reset() as ${OWN}`);
  const before = await read(options);
  await work();
  const after = await read(options);
  const { rows } = await client.query<StatementCost>(
    `select regexp_replace(query, '\\s+', ' ', 'g') as text, calls / $1::float8 as calls,
       total_exec_time * 1000 / $1::float8 as us, wal_bytes::float8 / $1::float8 as "walBytes",
       wal_records / $1::float8 as "walRecords"
     from pg_stat_statements
     where toplevel and query not like '%${OWN}%' and query not like '%pg_stat%' order by total_exec_time desc`,
    [units],
  );
  return {
    nodeUs: (after.node - before.node) / units,
    postgresUs: (after.postgres - before.postgres) / units,
    walBytes: (after.wal - before.wal) / units,
    commits: (after.commits - before.commits) / units,
    statements: rows,
  };
}

async function read({ client, postgresPid }: CostOptions): Promise<Counters> {
  const { rows } = await client.query(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal,
       (select xact_commit from pg_stat_database where datname = current_database())::float8 as commits, 1 as ${OWN}`,
  );
  return { node: ownCpu(), postgres: cpuOf(postgresPid), wal: rows[0].wal, commits: rows[0].commits };
}

/** Prints the costs as a table. The most expensive statements come first. */
export function printCost(title: string, { nodeUs, postgresUs, walBytes, commits, statements }: Cost): void {
  console.log(
    `${title}: Node ${nodeUs.toFixed(1)} µs, PostgreSQL ${postgresUs.toFixed(1)} µs, WAL ${walBytes.toFixed(0)} bytes, commits ${commits.toFixed(3)}`,
  );
  for (const { text, calls, us, walBytes: bytes, walRecords } of statements.slice(0, 12)) {
    if (us < 0.05) continue;
    console.log(
      `  ${us.toFixed(2).padStart(7)} µs ${bytes.toFixed(0).padStart(5)} B ${walRecords.toFixed(2).padStart(5)} records ${calls.toFixed(4)} calls  ${text.slice(0, 100)}`,
    );
  }
}
