/**
 * Measures the disk space of texts, and how an operator reduces it. Texts of two tenants arrive in turn, in rounds. One
 * tenant keeps its texts. The texts of the other pass their retention and are deleted after each round. Prints the
 * bytes a text in the table and in its indexes, and what rounds of deletion add. Then it rebuilds the indexes in
 * another tablespace while texts arrive. With `--kept 0` there is only the tenant with a retention.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { openDatabase } from '../src/db/database.ts';
import { sweepMessages } from '../src/domain/messaging/index.ts';
import { percentile, startBenchPostgres } from './support/postgres.ts';
import { load } from './support/processes.ts';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '4' },
    kept: { type: 'string', default: '0.5' },
  },
});
const MESSAGES = Number(values.messages);
const ROUNDS = Number(values.rounds);
const KEPT_PERCENT = Number(values.kept) * 100;
const CONVERSATIONS = MESSAGES / 10;
const ROWS_MAX = 1_000;

const SETUP = [
  `insert into accounts (id, name) values ('acct_bench', 'Bench')`,
  `insert into ledgers (account_id, mode) values ('acct_bench', 'live')`,
  `insert into tenants (ledger_id, id, name, timezone, retention, created_at)
   select l.id, t.id, 'Bench', 'UTC', t.retention::json, now()
   from ledgers l, (values ('tnt_kept', '{}'), ('tnt_limited', '{"message_days": 30}')) t (id, retention)`,
  `insert into conversations (ledger_id, id, tenant_id, phone_number_id, external_number, last_activity_at,
     last_message_preview)
   select l.id, 'cnv_' || lpad(n::text, 26, '0'), t.id, 'num_' || t.id, '+1602' || (2000000 + n), now(), 'Hello'
   from ledgers l, generate_series(1, ${2 * CONVERSATIONS}) n
   cross join lateral (select case n % 2 when 0 then 'tnt_kept' else 'tnt_limited' end as id) t`,
];

/** SQL that inserts texts with all columns of a delivered text. Every fifth text is inbound. */
const insertSql = (from: number, count: number) => `
  insert into messages (ledger_id, id, tenant_id, conversation_id, direction, origin, "from", "to", body, status,
     segments, carrier_ref, status_history, created_at)
   select l.id, 'msg_' || lpad(n::text, 26, '0'), case when is_kept then 'tnt_kept' else 'tnt_limited' end,
     'cnv_' || lpad(((1 + n * 7919::bigint % ${CONVERSATIONS}) * 2 - case when is_kept then 0 else 1 end)::text, 26, '0'),
     case n % 5 when 0 then 'inbound' else 'outbound' end, 'api', '+16025550100', '+16025550101',
     'Your appointment is tomorrow at 9:30, number ' || n || '. Reply C to confirm.',
     case n % 5 when 0 then 'received' else 'delivered' end, 1, gen_random_uuid()::text,
     case n % 5 when 0 then '[{"status":"received","at":"2026-11-20T09:30:00.123Z"}]'
       else '[{"status":"queued","at":"2026-11-20T09:30:00.123Z"}, {"status":"sent","at":"2026-11-20T09:30:00.456Z"}, '
         || '{"status":"delivered","at":"2026-11-20T09:30:02.789Z"}]' end::json,
     now() - case when is_kept then interval '0' else interval '400 days' end + make_interval(secs => n::float8 / 1000)
   from ledgers l, (select n, n % 100 < ${KEPT_PERCENT} as is_kept
     from generate_series(${from}, ${from + count - 1}) n) as numbered`;

type Sizes = { readonly rows: number; readonly heap: number; readonly indexes: number };

async function readSizes(client: pg.Client): Promise<Sizes> {
  const { rows } = await client.query(`select (select count(*) from messages)::int as rows,
    pg_table_size('messages')::float8 as heap, pg_indexes_size('messages')::float8 as indexes`);
  return rows[0];
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;

function print(what: string, { rows, heap, indexes }: Sizes): void {
  const each = rows === 0 ? '' : `; ${((heap + indexes) / rows).toFixed(0)} bytes a text`;
  console.log(`${what}: ${rows} texts, table ${megabytes(heap)}, indexes ${megabytes(indexes)}${each}`);
}

/** Inserts texts one by one until `work` ends. Prints how long the inserts took. */
async function whileTextsArrive(url: string, what: string, work: () => Promise<unknown>): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const times: number[] = [];
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const started = performance.now();
    await client.query(insertSql(next++, 1));
    times.push(performance.now() - started);
  }
  await working;
  await client.end();
  times.sort((a, b) => a - b);
  const [p50, p99, longest] = [percentile(times, 0.5), percentile(times, 0.99), times.at(-1) as number].map((ms) =>
    ms.toFixed(1),
  );
  console.log(
    `${what}: ${times.length} texts arrived, p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms (${load()})`,
  );
}

const postgres = await startBenchPostgres();
const client = new pg.Client(postgres.url);
await client.connect();
const db = openDatabase({ url: postgres.url, connectionsMax: 4, log: pino({ level: 'silent' }) });
let next = 1;
await client.query('set synchronous_commit = off');
for (const text of SETUP) await client.query(text);
for (let round = 1; round <= ROUNDS; round++) {
  await client.query(insertSql(next, MESSAGES));
  next += MESSAGES;
  await client.query('vacuum analyze messages');
  print(`round ${round}, arrived`, await readSizes(client));
  while ((await sweepMessages(db, { rowsMax: ROWS_MAX })) === ROWS_MAX);
  await client.query('vacuum messages');
  print(`round ${round}, deleted`, await readSizes(client));
}
await client.query('set allow_in_place_tablespaces = on');
await client.query(`create tablespace bench_other location ''`);
await whileTextsArrive(postgres.url, 'nothing else runs', () => client.query('select pg_sleep(5)'));
await whileTextsArrive(postgres.url, 'indexes are rebuilt in another tablespace', () =>
  client.query('reindex (concurrently, tablespace bench_other) table messages'),
);
print('rebuilt', await readSizes(client));
const { rows } = await client.query(`select i.relname, t.spcname, i.reltuples::int as entries,
    pg_relation_size(i.oid)::float8 as bytes from pg_class i join pg_index x on x.indexrelid = i.oid
  left join pg_tablespace t on t.oid = i.reltablespace where x.indrelid = 'messages'::regclass order by bytes desc`);
for (const { relname, spcname, entries, bytes } of rows) {
  console.log(
    `  ${relname} in ${spcname}: ${megabytes(bytes)}, ${(bytes / Math.max(1, entries)).toFixed(0)} bytes an entry`,
  );
}
await db.close();
await client.end();
await postgres.stop();
