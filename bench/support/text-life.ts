/**
 * What one text costs the database in its whole life: accepted, sent, delivered, its event written, its event delivered
 * if there is an endpoint, and its usage added up. Counts bytes of the write-ahead log by table, index and statement,
 * and PostgreSQL's time. Full pages depend only on the distance between checkpoints, so they are counted separately.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { createCaller } from '../../test/support/caller.ts';
import { buyNumber } from './numbers.ts';
import { startBenchPostgres, untilNone } from './postgres.ts';
import { endChild, startChild } from './processes.ts';
import { COUNTING, startCounting } from './statements.ts';

type Served = { url: string; keys: [string, string] };
type Part = { name: string; bytes: number; records: number };
type Cost = { text: string; calls: number; rows: number; us: number; bytes: number };

/** The costs of one text, from its request to its end. */
export type Life = {
  readonly walBytes: number;
  readonly fullPageBytes: number;
  readonly databaseUs: number;
  readonly commits: number;
  readonly parts: readonly Part[];
  readonly statements: readonly Cost[];
};

export type LifeOptions = { texts: number; recipients: number; endpoint: boolean };

/** The tables of the simulated network. A live text does not touch them. */
const SIMULATED = /^simulated_/;

/** Runs texts through their whole life on a new database. */
export async function measureLife({ texts, recipients, endpoint }: LifeOptions): Promise<Life> {
  const postgres = await startBenchPostgres({ ...COUNTING, autovacuum: 'off', max_wal_size: '8GB' });
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end()));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const client = new pg.Client(postgres.url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { child, message: served } = await startChild<Served>('./serve.ts', [
      ...['--database', postgres.url, '--workers', '--request-log-days', '0'],
    ]);
    const call = createCaller(served.url, served.keys[0]);
    const from = await buyNumber(call);
    if (endpoint) {
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
      const made = await call('POST', '/v1/webhook_endpoints', { body: { url, enabled_events: null } });
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    }
    const send = async (count: number) => {
      const args = { port: new URL(served.url).port, key: served.keys[0], from, connections: 32, recipients };
      const words = Object.entries({ ...args, seconds: 600, texts: count }).flatMap(([name, value]) => [
        `--${name}`,
        String(value),
      ]);
      const { message } = await startChild<{ failures: number }>('./load.ts', words);
      if (message.failures > 0) throw new Error(`${message.failures} sends were not accepted`);
      await untilIdle(client);
    };
    await send(2 * recipients);
    await client.query('vacuum analyze');
    await client.query('checkpoint');
    // These texts are not counted. They make PostgreSQL write each page that every text changes in full, once.
    await send(Math.ceil(texts / 4));
    await startCounting(client);
    const before = await position(client);
    await send(texts);
    const after = await position(client);
    const life = await readCosts(client, { before, after, texts });
    await endChild(child);
    return life;
  } finally {
    await client.end();
    receiver.close();
    await postgres.stop();
  }
}

/** Waits until all texts and deliveries have ended and their usage is added up. */
async function untilIdle(client: pg.Client): Promise<void> {
  await untilNone(client, `jobs where queue = 'messaging'`, 'waiting_deliveries', 'usage_entries');
}

type Position = { lsn: string; commits: number };

async function position(client: pg.Client): Promise<Position> {
  const { rows } = await client.query(
    `select pg_current_wal_insert_lsn()::text as lsn, xact_commit::float8 as commits
     from pg_stat_database where datname = current_database()`,
  );
  return rows[0];
}

const NAMED = `coalesce(c.relname, 'relation ' || b.relfilenode)`;

async function readCosts(
  client: pg.Client,
  { before, after, texts }: { before: Position; after: Position; texts: number },
): Promise<Life> {
  await client.query('create extension if not exists pg_walinspect');
  const range = [before.lsn, after.lsn];
  const total = await client.query<{ resource: string; bytes: number; fpi: number; records: number }>(
    `select "resource_manager/record_type" as resource, record_size::float8 as bytes, fpi_size::float8 as fpi,
       count::float8 as records from pg_get_wal_stats($1, $2, true) where count > 0`,
    range,
  );
  // Splits the bytes of a record, without full pages, among the relations of its blocks.
  const blocks = await client.query<Part>(
    `select ${NAMED} as name, sum(b.share)::float8 as bytes, count(*)::float8 as records
     from (
       select relfilenode,
         (record_length - coalesce(sum(block_fpi_length) over (partition by start_lsn), 0))::float8
           / count(*) over (partition by start_lsn) as share
       from pg_get_wal_block_info($1, $2)) b
     left join pg_class c on pg_relation_filenode(c.oid) = b.relfilenode
     group by 1 order by 2 desc`,
    range,
  );
  const named = blocks.rows.reduce((sum, { bytes }) => sum + bytes, 0);
  const bytes = total.rows.reduce((sum, row) => sum + row.bytes, 0);
  const statements = await client.query<Cost>(
    `select regexp_replace(query, '\\s+', ' ', 'g') as text, calls::float8, rows::float8,
       total_exec_time * 1000 as us, wal_bytes::float8 as bytes
     from pg_stat_statements where toplevel and query !~ 'pg_(stat|get_wal|current)|bench_own'
     order by total_exec_time desc`,
  );
  const each = <T extends object>(row: T): T =>
    Object.fromEntries(
      Object.entries(row).map(([key, value]) => [key, typeof value === 'number' ? value / texts : value]),
    ) as T;
  return {
    walBytes: bytes / texts,
    fullPageBytes: total.rows.reduce((sum, { fpi }) => sum + fpi, 0) / texts,
    databaseUs: statements.rows.reduce((sum, { us }) => sum + us, 0) / texts,
    commits: (after.commits - before.commits) / texts,
    parts: [...blocks.rows, { name: 'commits and others without a page', bytes: bytes - named, records: 0 }]
      .map(each)
      .sort((a, b) => b.bytes - a.bytes),
    statements: statements.rows.map(each),
  };
}

/** Prints the costs of a life as Markdown tables. */
export function printLife(title: string, { walBytes, fullPageBytes, databaseUs, commits, parts, statements }: Life) {
  const own = parts.filter(({ name }) => !SIMULATED.test(name)).reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(
    `\n${title}: ${walBytes.toFixed(0)} B of WAL (without the simulated network's tables ${own.toFixed(0)}),`,
  );
  console.log(`full pages ${fullPageBytes.toFixed(0)} B, ${databaseUs.toFixed(0)} µs, ${commits.toFixed(2)} commits\n`);
  console.log('| Table or index | WAL bytes | Records |\n|---|---|---|');
  for (const { name, bytes, records } of parts.slice(0, 36)) {
    console.log(`| ${name} | ${bytes.toFixed(0)} | ${records.toFixed(2)} |`);
  }
  console.log('\n| Statement | Calls | µs | WAL bytes |\n|---|---|---|---|');
  for (const { text, calls, us, bytes } of statements.slice(0, 24)) {
    console.log(
      `| ${text.slice(0, 90).replaceAll('|', '/')} | ${calls.toFixed(3)} | ${us.toFixed(1)} | ${bytes.toFixed(0)} |`,
    );
  }
}
