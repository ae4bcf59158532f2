/**
 * Measures how late call timers run while 10,000 sends are queued. The calls ring parties that never answer, so each
 * call ends by its timer. The time of the end is compared with the timer's due time. New sends keep the queue at its
 * length while the product works on it.
 *
 *   --backlog N   sends in the queue      --calls N   timers to measure      --per-second N   calls started per second
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { MAGIC } from '../src/carriers/simulated/magic-numbers.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { insertSends, type Send } from '../src/domain/messaging/messages/send-queries.ts';
import { newId } from '../src/lib/ids.ts';
import type { Scope } from '../src/lib/scope.ts';
import { createCaller } from '../test/support/caller.ts';
import { buyNumber, expectBody, person } from './support/numbers.ts';
import { median, percentile, startBenchPostgres } from './support/postgres.ts';
import { endChild, load, startChild } from './support/processes.ts';

const { values } = parseArgs({
  options: {
    backlog: { type: 'string', default: '10000' },
    calls: { type: 'string', default: '400' },
    'per-second': { type: 'string', default: '25' },
    rounds: { type: 'string', default: '3' },
  },
});
const BACKLOG = Number(values.backlog);
const CALLS = Number(values.calls);
const FEED_ROWS = 250;

type Served = { url: string; keys: [string, string] };

function newSend(scope: Scope, from: string): Send {
  const body = 'Your appointment is tomorrow at 9:30.';
  const parts = { media: [], metadata: {}, segments: 1, encoding: 'gsm7' as const, sendAt: null, isPlanned: false };
  const draft = { from, to: person(), body, preview: body, ...parts };
  return {
    scope,
    draft,
    messageId: newId('message'),
    conversationId: newId('conversation'),
    idempotency: undefined,
    traceparent: null,
  };
}

/** Keeps the queue of sends at its length until it is stopped. `lengths` are the lengths that were measured. */
function keepBacklog(db: Database, client: pg.Client, next: () => Send) {
  const lengths: number[] = [];
  let fed = 0;
  let on = true;
  const feed = async () => {
    while (on) {
      const { rows } = await client.query(`select count(*)::int as waiting from jobs where queue = 'messaging'`);
      lengths.push(rows[0].waiting);
      for (let missing = BACKLOG - rows[0].waiting; missing > 0 && on; missing -= FEED_ROWS) {
        await insertSends(db, Array.from({ length: FEED_ROWS }, next));
        fed += FEED_ROWS;
      }
      await sleep(20);
    }
  };
  const done = feed();
  return {
    lengths,
    fed: () => fed,
    stop: () => {
      on = false;
      return done;
    },
  };
}

/** Records the due times of call timers, until it is stopped. */
function noteTimers(client: pg.Client) {
  let on = true;
  const note = async () => {
    await client.query('create table if not exists bench_timers (call_id text primary key, due timestamptz not null)');
    while (on) {
      await client.query(
        `insert into bench_timers select payload->>'callId', run_at from jobs
         where kind = 'call-timer' and id like '%:ring' and lease_token is null and run_at > clock_timestamp()
         on conflict (call_id) do update set due = excluded.due`,
      );
      await sleep(300);
    }
  };
  const done = note();
  return () => {
    on = false;
    return done;
  };
}

async function measure(served: Served, url: string, feeder: Database): Promise<{ p99Ms: number; line: string }> {
  const clients = await Promise.all(
    [0, 1].map(async () => {
      const client = new pg.Client(url);
      client.on('error', () => undefined);
      await client.connect();
      return client;
    }),
  );
  const [client, other] = clients as [pg.Client, pg.Client];
  const call = createCaller(served.url, served.keys[0]);
  const number = await buyNumber(call);
  const { rows: owner } = await client.query(
    `select p.ledger_id as "ledgerId", l.account_id as "accountId", l.mode, null as "tenantId"
     from phone_numbers p join ledgers l on l.id = p.ledger_id where p.id = $1`,
    [number],
  );
  const backlog = keepBacklog(feeder, client, () => newSend(owner[0] as Scope, number));
  while ((backlog.lengths.at(-1) ?? 0) < BACKLOG * 0.8) await sleep(50);
  const stopNoting = noteTimers(other);
  const from = backlog.lengths.length;
  const [startMs, fedBefore] = [performance.now(), backlog.fed()];
  const ids: string[] = [];
  for (let placed = 0; placed < CALLS; placed++) {
    const body = { from: number, to: person(), connect_to: MAGIC.neverAnswers };
    const [made] = await Promise.all([
      expectBody(call('POST', '/v1/calls', { body })),
      sleep(1000 / Number(values['per-second'])),
    ]);
    ids.push(made.id);
  }
  for (let open = 1; open > 0; ) {
    await sleep(200);
    const { rows } = await other.query('select count(*)::int as n from calls where ended_at is null');
    open = rows[0].n;
  }
  const lengths = backlog.lengths.slice(from);
  const perSecond = ((backlog.fed() - fedBefore) / (performance.now() - startMs)) * 1000;
  await Promise.all([backlog.stop(), stopNoting()]);
  const { rows } = await client.query(
    `select extract(epoch from c.ended_at - t.due)::float8 * 1000 as late from calls c
     join bench_timers t on t.call_id = c.id where c.id = any($1) and c.outcome = 'no_answer'`,
    [ids],
  );
  const late = rows.map((row) => row.late as number).sort((a, b) => a - b);
  await Promise.all(clients.map((one) => one.end()));
  const p99Ms = percentile(late, 0.99);
  const line =
    `${late.length} timers, p50 ${percentile(late, 0.5).toFixed(1)} p99 ${p99Ms.toFixed(1)} max ` +
    `${percentile(late, 1).toFixed(1)} ms late; sends queued: median ${median(lengths)}, processed ${perSecond.toFixed(0)}/s (${load()})`;
  return { p99Ms, line };
}

async function main(): Promise<void> {
  const postgres = await startBenchPostgres();
  try {
    const args = ['--database', postgres.url, '--workers'];
    const { child, message: served } = await startChild<Served>('./serve.ts', args);
    const feeder = openDatabase({ url: postgres.url, connectionsMax: 2, log: pino({ level: 'error' }) });
    const results: number[] = [];
    for (let round = 1; round <= Number(values.rounds); round++) {
      const { p99Ms, line } = await measure(served, postgres.url, feeder);
      console.log(`round ${round}: ${line}`);
      results.push(p99Ms);
    }
    console.log(
      `\nvoice timers behind ${BACKLOG} sends, p99, median: ${median(results).toFixed(1)} ms (to reach: 100)`,
    );
    await feeder.close();
    await endChild(child);
  } finally {
    await postgres.stop();
  }
}

await main();
