/**
 * Measures the usage summary over ten million entries of one ledger, spread over two months, many tenants and four
 * kinds. They are loaded before anything is added up, so that the sweep is measured too. Prints the times of loading,
 * adding up and each summary, and the plan of a summary.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { openDatabase } from '../src/db/database.ts';
import { readUsageTimes, rollUpUsage, SUMMARY, sumUsage } from '../src/domain/billing/usage/queries.ts';
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

const LOAD = `insert into usage_entries (ledger_id, kind, reference, tenant_id, quantity, at)
  select 1, (array['sms_segment_outbound', 'sms_segment_inbound', 'mms_outbound', 'call_minute_outbound'])[1 + n % 4],
    'msg_01jd5h0s4mp1e' || lpad(n::text, 13, '0'), 'tnt_01jd5h0s4mp1e' || lpad((n % $3)::text, 13, '0'), 1 + n % 3,
    now() - make_interval(secs => ${DAYS} * 86400.0 * (1 - n::float8 / $4))
  from generate_series($1::bigint, $2::bigint) n`;

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
  await client.query(`insert into ledgers (account_id, mode) values ('acct_bench', 'live')`);
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
    // Autovacuum does this while the product runs.
    await client.query('vacuum usage_entries');
  }
  console.log(`loaded ${ENTRIES} entries: ${(ENTRIES / (loadMs / 1000)).toFixed(0)}/s`);
  console.log(`added up in batches of ${ROLL_UP_ROWS}: ${(ENTRIES / (rollMs / 1000)).toFixed(0)}/s`);
  // Some entries always wait for the next sweep.
  await client.query(LOAD, [ENTRIES + 1, ENTRIES + 5_000, TENANTS, ENTRIES]);
  await client.query('vacuum analyze');
  const { rows: sizes } = await client.query(
    `select relname, pg_size_pretty(pg_total_relation_size(oid)) as size, reltuples::bigint as rows from pg_class
     where relname in ('usage_entries', 'usage_archive', 'usage_hours') order by 1`,
  );
  for (const { relname, rows, size } of sizes) console.log(`${relname}: ${rows} rows, ${size}`);
  await report();
} finally {
  await db.close();
  await client.end();
  await postgres.stop();
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
    const ms: number[] = [];
    for (let round = 0; round < Number(values.rounds); round++) {
      ms.push((await timed(() => sumUsage(db, 1, { tenantId, range: splitRange(range, times) }))).ms);
    }
    const sorted = ms.toSorted((a, b) => a - b);
    console.log(`${name}: median ${median(ms).toFixed(1)} ms, slowest ${sorted.at(-1)?.toFixed(1)} ms`);
  }
  const bare = await timed(() =>
    client.query(
      'select kind, sum(quantity) from usage_archive where ledger_id = 1 and at >= $1 and at < $2 group by 1',
      [month, monthEnd],
    ),
  );
  console.log(`the same month from the entries themselves: ${bare.ms.toFixed(0)} ms`);
  const { start, end, hoursFrom, hoursTo } = splitRange({ start: ago(40.01), end: ago(10.03) }, times);
  const plan = await client.query({
    text: `explain (analyze, costs off, timing off, summary off) ${SUMMARY.text}`,
    values: [1, null, start, end, hoursFrom, hoursTo],
  });
  for (const row of plan.rows) console.log(row['QUERY PLAN']);
}
