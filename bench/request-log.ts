/**
 * Measures what the request log costs the send path. Two processes on one database get POST /messages over 32
 * connections, one process after the other. One keeps the requests; the other keeps none. Prints medians of the ratios
 * of paired runs: sends a second, and the processor time of a send in the server and in the database. Other programs on
 * the machine disturb the latter less. Then prints the write-ahead log and the space of a request.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createCaller } from '../test/support/caller.ts';
import { cpuOf } from './support/cpu.ts';
import { median, startBenchPostgres } from './support/postgres.ts';
import { load as machineLoad, startChild } from './support/processes.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '6' }, pairs: { type: 'string', default: '7' } },
});

type Load = { perSecond: number; failures: number; p50Ms: number; p99Ms: number };
type Run = Load & { cpuUs: number };
type Sender = { url: string; key: string; from: string; pid: number };

async function openSender(databaseUrl: string, requestLogDays: number): Promise<Sender & { close(): void }> {
  const options = ['--database', databaseUrl, '--workers', '--request-log-days', String(requestLogDays)];
  const { child, message } = await startChild<{ url: string; keys: [string, string] }>('./serve.ts', options);
  const [key] = message.keys;
  const call = createCaller(message.url, key);
  const tenant = await call('POST', '/v1/tenants', { body: { name: 'Bench' } });
  const found = await call('GET', '/v1/phone_numbers/available?area_code=602&limit=1');
  const { phone_number } = found.body.data[0];
  const bought = await call('POST', '/v1/phone_numbers', { body: { tenant_id: tenant.body.id, phone_number } });
  return { url: message.url, key, from: bought.body.id, pid: child.pid as number, close: () => child.disconnect() };
}

async function measure(client: pg.Client, { url, key, from, pid }: Sender): Promise<Run> {
  await drained(client);
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  const { rows } = await client.query(`select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as pid`);
  const cpu = () => cpuOf(pid) + cpuOf(rows[0].pid);
  const before = cpu();
  const seconds = Number(values.seconds);
  const args = { port: new URL(url).port, key, from, connections: 32, seconds, recipients: 20_000 };
  const { message: load } = await startChild<Load>(
    './load.ts',
    Object.entries(args).flatMap(([name, value]) => [`--${name}`, String(value)]),
  );
  if (load.failures > 0) throw new Error(`${load.failures} sends were not accepted`);
  await drained(client);
  return { ...load, cpuUs: (cpu() - before) / (load.perSecond * seconds) };
}

/** Waits until the carrier has all texts and all requests are written. */
async function drained(client: pg.Client): Promise<void> {
  for (let left = 1; left > 0; ) {
    const { rows } = await client.query(`select count(*)::int as n from jobs where queue = 'messaging'`);
    left = rows[0].n;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

const WRITTEN_ROWS = 10_000;

/** Returns the bytes of write-ahead log for one request. Measures them by copying stored rows. */
async function walOfRequest(client: pg.Client): Promise<number> {
  const lsn = async () => (await client.query('select pg_current_wal_lsn() as lsn')).rows[0].lsn;
  const start = await lsn();
  const { rowCount } = await client.query(
    `insert into request_log select (r).* from (
       select jsonb_populate_record(l, jsonb_build_object('id', l.id || 'x', 'logged_at', clock_timestamp())) as r
       from request_log l order by logged_at limit ${WRITTEN_ROWS}) copied`,
  );
  const { rows } = await client.query('select pg_wal_lsn_diff($1, $2)::float8 as bytes', [await lsn(), start]);
  return rows[0].bytes / (rowCount as number);
}

const postgres = await startBenchPostgres();
try {
  const [kept, none] = [await openSender(postgres.url, 7), await openSender(postgres.url, 0)];
  const client = new pg.Client(postgres.url);
  await client.connect();
  await measure(client, kept);
  await measure(client, none);
  const pairs: [Run, Run][] = [];
  for (let pair = 1; pair <= Number(values.pairs); pair++) {
    // The two sides take turns in being first, because the database grows.
    const first = await measure(client, pair % 2 === 0 ? kept : none);
    const second = await measure(client, pair % 2 === 0 ? none : kept);
    const [on, off] = pair % 2 === 0 ? [first, second] : [second, first];
    pairs.push([on, off]);
    const show = ({ perSecond, p50Ms, p99Ms, cpuUs }: Run) =>
      `${perSecond.toFixed(0)}/s p50 ${p50Ms.toFixed(1)} p99 ${p99Ms.toFixed(1)} ms, ${cpuUs.toFixed(0)} µs`;
    const ratios = [on.perSecond / off.perSecond, on.cpuUs / off.cpuUs].map((ratio) => ratio.toFixed(2));
    console.log(`pair ${pair}: kept ${show(on)}   none ${show(off)}   ratios ${ratios.join(', ')}   ${machineLoad()}`);
  }
  const ratio = (of: (run: Run) => number) => median(pairs.map(([on, off]) => of(on) / of(off))).toFixed(2);
  console.log(`\nsends with the log over without, median: ${ratio(({ perSecond }) => perSecond)}`);
  console.log(`p99 with the log over without, median: ${ratio(({ p99Ms }) => p99Ms)}`);
  console.log(`processor time of a send's life with the log over without, median: ${ratio(({ cpuUs }) => cpuUs)}`);
  const { rows } = await client.query(
    `select pg_total_relation_size('request_log')::float8 / count(*) as bytes from request_log`,
  );
  console.log(`space of a request with its indexes: ${rows[0].bytes.toFixed(0)} B`);
  console.log(`write-ahead log of a request: ${(await walOfRequest(client)).toFixed(0)} B`);
  await client.end();
  kept.close();
  none.close();
} finally {
  await postgres.stop();
}
