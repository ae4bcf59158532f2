/**
 * Measures the usage summary over ten million entries of one ledger. They are spread over two months, many tenants and
 * four kinds. They are loaded before anything is added up, so that the sweep is measured too. Prints the times of
 * loading, of adding up and of each summary, and the plan of a summary. Then measures the summary by tenant of a second
 * ledger. It has 100 tenants, which used four kinds in each hour of 12 months. `--entries 0` measures the second ledger
 * only.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { type Db, openDatabase } from '../src/db/database.ts';
import { bind } from '../src/db/statement.ts';
import { readUsageTimes, rollUpUsage, sumUsage, sumUsageByTenant } from '../src/domain/billing/usage/queries.ts';
import { splitRange } from '../src/domain/billing/usage/rules.ts';
import { median, startBenchPostgres } from './support/postgres.ts';

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '10000000' },
    tenants: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '15' },
  },
});
const ENTRIES = Number(values.entries);
const TENANTS = Number(values.tenants);
const LOAD_AT_ONCE = 500_000;
const ROLL_UP_ROWS = 10_000;
const DAYS = 61;
const HOURLY_TENANTS = 100;
const HOURLY_DAYS = 365;

const LOAD = `insert into usage_entries (ledger_id, kind, reference, tenant_id, quantity, at)
  select 1, (array['sms_segment_outbound', 'sms_segment_inbound', 'mms_outbound', 'call_minute_outbound'])[1 + n % 4],
    'msg_01jd5h0s4mp1e' || lpad(n::text, 13, '0'), 'tnt_01jd5h0s4mp1e' || lpad((n % $3)::text, 13, '0'), 1 + n % 3,
    now() - make_interval(secs => ${DAYS} * 86400.0 * (1 - n::float8 / $4))
  from generate_series($1::bigint, $2::bigint) n`;

const LOAD_TENANTS = `insert into tenants (ledger_id, id, name, timezone, created_at)
  select 2, 'tnt_' || lpad(n::text, 26, '0'), 'Tenant ' || n, 'UTC', now() from generate_series(1, $1::integer) n`;

// Makes the sums up to the last full hour, as the sweep would. The rows of an hour are written together.
const LOAD_HOURS = `insert into usage_hours (ledger_id, scope, hour, kind, quantity)
  select 2, scope, date_trunc('hour', now(), 'UTC') - make_interval(hours => n), kind, 3
  from generate_series($1::integer * 24, 1, -1) n
    cross join (select '' as scope union all select id from tenants where ledger_id = 2) scopes
    cross join unnest('{sms_segment_outbound,sms_segment_inbound,mms_outbound,call_minute_outbound}'::text[]) kind`;

// Adds up hours as the migration does for hours of the previous version.
const LOAD_DAYS = `insert into usage_days (ledger_id, scope, day, kind, quantity)
  select ledger_id, scope, date_trunc('day', hour, 'UTC'), kind, sum(quantity) from usage_hours
  where ledger_id = 2 group by 1, 2, 3, 4`;

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const startedAt = performance.now();
  const result = await work();
  return { result, ms: performance.now() - startedAt };
}

const postgres = await startBenchPostgres();
const client = new pg.Client(postgres.url);
await client.connect();
const db = openDatabase({ url: postgres.url, connectionsMax: 2, log: pino({ level: 'silent' }) });
try {
  await client.query(`insert into accounts (id, name) values ('acct_bench', 'Bench')`);
  await client.query(`insert into ledgers (account_id, mode) values ('acct_bench', 'live'), ('acct_bench', 'test')`);
  if (ENTRIES > 0) await measureEntries();
  await measureByTenant();
} finally {
  await db.close();
  await client.end();
  await postgres.stop();
}

/** Loads the entries, adds them up, and measures summaries of them. */
async function measureEntries(): Promise<void> {
  let loadMs = 0;
  let rollMs = 0;
  for (let from = 1; from <= ENTRIES; from += LOAD_AT_ONCE) {
    const to = Math.min(ENTRIES, from + LOAD_AT_ONCE - 1);
    loadMs += (await timed(() => client.query(LOAD, [from, to, TENANTS, ENTRIES]))).ms;
    rollMs += (
      await timed(async () => {
        while ((await rollUpUsage(db, ROLL_UP_ROWS)) > 0);
      })
    ).ms;
    // Autovacuum does this in a running product.
    await client.query('vacuum usage_entries');
  }
  console.log(`loaded ${ENTRIES} entries: ${(ENTRIES / (loadMs / 1000)).toFixed(0)}/s`);
  console.log(`added up in batches of ${ROLL_UP_ROWS}: ${(ENTRIES / (rollMs / 1000)).toFixed(0)}/s`);
  // In a running product, some entries always wait for the next sweep.
  await client.query(LOAD, [ENTRIES + 1, ENTRIES + 5_000, TENANTS, ENTRIES]);
  await client.query('vacuum analyze');
  await printSizes();
  await report();
}

async function printSizes(): Promise<void> {
  const { rows } = await client.query(
    `select relname, pg_size_pretty(pg_total_relation_size(oid)) as size, reltuples::bigint as rows from pg_class
     where relname in ('usage_entries', 'usage_archive', 'usage_hours', 'usage_days') order by 1`,
  );
  for (const { relname, rows: count, size } of rows) console.log(`${relname}: ${count} rows, ${size}`);
}

/** Measures the summary by tenant over whole months, and over ranges whose ends are within a day and an hour. */
async function measureByTenant(): Promise<void> {
  await client.query(LOAD_TENANTS, [HOURLY_TENANTS]);
  await client.query(LOAD_HOURS, [HOURLY_DAYS]);
  await client.query(LOAD_DAYS);
  await client.query('vacuum analyze');
  await printSizes();
  const times = await readUsageTimes(db, 2);
  const ago = (days: number) => new Date(times.now.getTime() - days * 86_400_000);
  const midnight = (monthsAgo: number) =>
    new Date(Date.UTC(times.now.getUTCFullYear(), times.now.getUTCMonth() - monthsAgo, 1));
  const ranges: [string, { start: Date; end: Date | null }][] = [
    ['a calendar month', { start: midnight(1), end: midnight(0) }],
    ['30 days with ends within hours', { start: ago(40.01), end: ago(10.03) }],
    ['12 months up to now', { start: ago(365), end: null }],
  ];
  for (const [name, range] of ranges) {
    const page = { range: splitRange(range, times), before: null, rows: HOURLY_TENANTS + 1 };
    await printTimes(`${name}, by tenant`, () => sumUsageByTenant(db, 2, page));
    await printTimes(`${name}, whole ledger`, () => sumUsage(db, 2, { tenantId: null, range: page.range }));
  }
}

async function printTimes(name: string, work: () => Promise<unknown>): Promise<void> {
  const ms: number[] = [];
  for (let round = 0; round < Number(values.rounds); round++) ms.push((await timed(work)).ms);
  console.log(`${name}: median ${median(ms).toFixed(1)} ms, slowest ${Math.max(...ms).toFixed(1)} ms`);
}

async function report(): Promise<void> {
  const times = await readUsageTimes(db, 1);
  const ago = (days: number) => new Date(times.now.getTime() - days * 86_400_000);
  const month = new Date(Date.UTC(times.now.getUTCFullYear(), times.now.getUTCMonth() - 1, 1));
  const monthEnd = new Date(Date.UTC(times.now.getUTCFullYear(), times.now.getUTCMonth(), 1));
  const tenant = `tnt_01jd5h0s4mp1e${'7'.padStart(13, '0')}`;
  const ranges: [string, string | null, { start: Date; end: Date | null }][] = [
    ['a calendar month, whole ledger', null, { start: month, end: monthEnd }],
    ['a calendar month, one tenant', tenant, { start: month, end: monthEnd }],
    ['everything up to now, whole ledger', null, { start: ago(100), end: null }],
    ['30 days with ends within hours, whole ledger', null, { start: ago(40.01), end: ago(10.03) }],
    ['30 days with ends within hours, one tenant', tenant, { start: ago(40.01), end: ago(10.03) }],
  ];
  for (const [name, tenantId, range] of ranges) {
    await printTimes(name, () => sumUsage(db, 1, { tenantId, range: splitRange(range, times) }));
  }
  const bare = await timed(() =>
    client.query(
      'select kind, sum(quantity) from usage_archive where ledger_id = 1 and at >= $1 and at < $2 group by 1',
      [month, monthEnd],
    ),
  );
  console.log(`the same month from the entries themselves: ${bare.ms.toFixed(0)} ms`);
  const range = splitRange({ start: ago(40.01), end: ago(10.03) }, times);
  await printPlan((reader) => sumUsage(reader, 1, { tenantId: null, range }));
}

/** Prints the plan of the statement that `work` runs. */
async function printPlan(work: (reader: Db) => Promise<unknown>): Promise<void> {
  const query: Db['query'] = async (statement, given) => {
    const { text, values } = bind(statement, given);
    const explain = `explain (analyze, costs off, timing off, summary off) ${text}`;
    const { rows } = await client.query({ text: explain, values });
    for (const row of rows) console.log(row['QUERY PLAN']);
    return [];
  };
  await work({ ...db, query });
}
