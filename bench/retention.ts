/**
 * Measures the sweep of texts past their retention. One tenant has a million texts in ten thousand conversations. One
 * text in a hundred has a stored event. Another million texts stay. Prints how long a transaction takes, because it
 * holds locks until its end. Also prints the time to find the rows of a round, which locks nothing, and the texts
 * deleted in a second.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { type Database, openDatabase } from '../src/db/database.ts';
import { sweepMessages } from '../src/domain/messaging/index.ts';
import { percentile, startBenchPostgres } from './support/postgres.ts';

const { values } = parseArgs({
  options: { messages: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '0' } },
});
const MESSAGES = Number(values.messages);
/** With 0, runs until nothing is left to delete. */
const ROUNDS_MAX = Number(values.rounds);
const ROWS_MAX = 1_000;
const CONVERSATIONS = 10_000;
/** The target for the time that a lock is held. */
const TARGET_MS = 50;

const LOADS = [
  `insert into accounts (id, name) values ('acct_bench', 'Bench')`,
  `insert into ledgers (account_id, mode) values ('acct_bench', 'live')`,
  `insert into tenants (ledger_id, id, name, timezone, retention, created_at)
   select l.id, 'tnt_bench', 'Bench', 'UTC', '{"message_days": 30}', now() from ledgers l`,
  `insert into conversations (ledger_id, id, tenant_id, phone_number_id, external_number, last_activity_at,
     last_message_preview)
   select l.id, 'cnv_' || n, 'tnt_bench', 'num_bench', '+1602' || (2000000 + n), now(), 'Hello'
   from ledgers l, generate_series(1, ${CONVERSATIONS}) n`,
  `insert into messages (ledger_id, id, tenant_id, conversation_id, direction, origin, "from", "to", body, status,
     segments, status_history, created_at)
   select l.id, 'msg_' || lpad(n::text, 26, '0'), 'tnt_bench', 'cnv_' || (1 + n % ${CONVERSATIONS}),
     case n % 2 when 0 then 'inbound' else 'outbound' end, 'api', '+16025550100', '+16025550101',
     'Your appointment is at ' || n, case n % 2 when 0 then 'received' else 'delivered' end, 1, '[]',
     now() - case when n <= ${MESSAGES} then interval '400 days' else interval '1 day' end
       + make_interval(secs => n::float8 / 100)
   from ledgers l, generate_series(1, ${2 * MESSAGES}) n`,
  `insert into events (ledger_id, id, tenant_id, type, event_version, resource_id, sequence, data, created_at)
   select ledger_id, 'evt' || substr(id, 4), tenant_id, 'message.delivered', '2026-11-20', id, 1,
     json_build_object('object', 'message', 'id', id, 'body', body), now()
   from messages where right(id, 2) = '00'`,
  'analyze',
];

/**
 * A transaction with the same number of round trips as one of the sweep. It deletes nothing and writes one row. It runs
 * after each transaction of the sweep. If it takes longer than its median, the machine is the cause: a flush of the
 * disk, or another program on the core.
 */
const REFERENCE = ['begin', 'insert into bench_reference (n) values (1)', 'select 1', 'select 1', 'select 1', 'commit'];

/** Measures transactions of the database. Returns their times in ms, in the order of their ends. */
function watchTransactions(db: Database, client: pg.Client): { sweep: number[]; reference: number[] } {
  const times = { sweep: [] as number[], reference: [] as number[] };
  const { transaction } = db;
  const measure = async <T>(work: () => Promise<T>, into: number[]): Promise<T> => {
    const started = performance.now();
    const result = await work();
    into.push(performance.now() - started);
    return result;
  };
  Object.assign(db, {
    transaction: async (...args: Parameters<typeof transaction>) => {
      const result = await measure(() => transaction(...args), times.sweep);
      await measure(async () => {
        for (const statement of REFERENCE) await client.query(statement);
      }, times.reference);
      return result;
    },
  });
  return times;
}

function line(what: string, times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const [p50, p99, max] = [percentile(sorted, 0.5), percentile(sorted, 0.99), sorted.at(-1) as number];
  const late = times.filter((ms) => ms > TARGET_MS).length;
  return `${what}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, longest ${max.toFixed(1)} ms; ${late} of ${times.length} above ${TARGET_MS} ms`;
}

const postgres = await startBenchPostgres();
const client = new pg.Client(postgres.url);
await client.connect();
for (const load of LOADS) await client.query(load);
await client.query('create table bench_reference (n integer)');
const db = openDatabase({ url: postgres.url, connectionsMax: 4, log: pino({ level: 'silent' }) });
const times = watchTransactions(db, client);
const finding: number[] = [];
const started = performance.now();
let deleted = 0;
for (let round = 0; ROUNDS_MAX === 0 || round < ROUNDS_MAX; round++) {
  const before = [performance.now(), times.sweep.length] as const;
  const rows = await sweepMessages(db, { rowsMax: ROWS_MAX });
  const inTransactions = [times.sweep, times.reference].flatMap((all) => all.slice(before[1]));
  finding.push(performance.now() - before[0] - inTransactions.reduce((sum, ms) => sum + ms, 0));
  deleted += rows;
  if (rows < ROWS_MAX) break;
}
const seconds = (performance.now() - started) / 1_000;
console.log(line('a transaction of 25 texts', times.sweep));
console.log(line('as many round trips that delete nothing', times.reference));
console.log(line('finding a round, without a lock', finding));
console.log(`${deleted} texts in ${seconds.toFixed(0)} s, ${Math.round(deleted / seconds)} a second`);
await db.close();
await client.end();
await postgres.stop();
