/**
 * Jobs: compares the workers with a bare SKIP LOCKED loop, and measures how late voice jobs start while many sends
 * wait.
 */
import pg from 'pg';
import { pino } from 'pino';
import { PLANNING } from '../src/db/connection-pool.ts';
import { openDatabase } from '../src/db/database.ts';
import { enqueue } from '../src/queue/jobs/enqueue.ts';
import type { JobHandler, Queue } from '../src/queue/jobs/job.ts';
import { completeJobs } from '../src/queue/jobs/job-claims.ts';
import { createWorkers } from '../src/queue/worker/workers.ts';
import { measureCost, printCost } from './support/costs.ts';
import { median, startBenchPostgres } from './support/postgres.ts';
import { COUNTING } from './support/statements.ts';

const JOBS = 30_000;
const BATCH = 100;
const CONNECTIONS = 4;
const ROUNDS = 5;
const BACKLOG = 10_000;
const CALLS = 300;

const SHOWS_COSTS = process.argv.includes('--costs');

const postgres = await startBenchPostgres(SHOWS_COSTS ? COUNTING : {});
const db = openDatabase({ url: postgres.url, connectionsMax: 12, log: pino({ level: 'warn' }) });
const log = pino({ level: 'warn' });

async function fill(queue: Queue, count: number): Promise<void> {
  for (let done = 0; done < count; done += 5_000) {
    const jobs = Array.from({ length: Math.min(5_000, count - done) }, (_, index) => ({
      ledgerId: 1 + (index % 8),
      queue,
      kind: 'bench',
      payload: { message_id: `msg_${index}` },
    }));
    await enqueue(db, jobs);
  }
}

const sql = <Row>(text: string): Promise<Row[]> => db.query<Row>({ name: '', text }, []);

/** Measures the minimum of durable work: lock a batch, delete it, commit. Returns jobs per second. */
async function measureBareLoop(): Promise<number> {
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = new pg.Client(postgres.url);
      await client.connect();
      await client.query(PLANNING);
      return client;
    }),
  );
  const startedAt = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      for (let count = BATCH; count > 0; ) {
        await client.query('begin');
        const { rows } = await client.query({
          name: 'take',
          text: `select ledger_id, id, payload from jobs where queue = $1 and due_at <= now()
                 order by due_at limit $2 for update skip locked`,
          values: ['default', BATCH],
        });
        await client.query({
          name: 'drop',
          text: `delete from jobs j using unnest($1::int[], $2::text[]) as d (ledger_id, id)
                 where j.ledger_id = d.ledger_id and j.id = d.id`,
          values: [rows.map((row) => row.ledger_id), rows.map((row) => row.id)],
        });
        await client.query('commit');
        count = rows.length;
      }
    }),
  );
  const rate = JOBS / ((performance.now() - startedAt) / 1_000);
  await Promise.all(clients.map((client) => client.end()));
  return rate;
}

/** Measures the workers with the same jobs. Their handler only completes a job. Returns jobs per second. */
async function measureWorkers(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let count = 0;
  const handler: JobHandler = {
    kind: 'bench',
    queue: 'default',
    batchMax: BATCH,
    run: async (jobs) => {
      count += jobs.length;
      if (count === JOBS) resolve();
    },
  };
  const workers = createWorkers({ db, log, handlers: [handler], queues: { default: CONNECTIONS } });
  const startedAt = performance.now();
  workers.start();
  await promise;
  await workers.stop();
  const rate = JOBS / ((performance.now() - startedAt) / 1_000);
  const [left] = await sql<{ count: number }>('select count(*)::int from jobs');
  if (left?.count !== 0) throw new Error(`${left?.count} jobs are left`);
  return rate;
}

/** Measures how late voice timers run while waiting sends are processed: p50, p99 and maximum, in milliseconds. */
async function measureVoice(): Promise<{ p50: number; p99: number; max: number; backlogLeft: number }> {
  const late: number[] = [];
  const send: JobHandler = {
    kind: 'bench',
    queue: 'messaging',
    batchMax: 10,
    run: (jobs) =>
      db.transaction(async (tx) => {
        await tx.query({ name: 'bench_wait', text: 'select pg_sleep(0.02)' }, []);
        await completeJobs(tx, jobs);
      }),
  };
  const call: JobHandler = {
    kind: 'call',
    queue: 'voice',
    run: async (jobs) => void late.push(...jobs.map((job) => Date.now() - Number(job.payload))),
  };
  const workers = createWorkers({ db, log, handlers: [send, call], queues: { messaging: 6, voice: 4 } });
  await fill('messaging', BACKLOG);
  workers.start();
  const timers = Array.from({ length: CALLS }, (_, index) => ({ delayMs: 50 + index * 5 }));
  for (const { delayMs } of timers) {
    await enqueue(db, [{ ledgerId: 1, queue: 'voice', kind: 'call', payload: Date.now() + delayMs, delayMs }]);
  }
  while (late.length < CALLS) await new Promise((resolve) => setTimeout(resolve, 10));
  const [left] = await sql<{ count: number }>('select count(*)::int from jobs');
  await workers.stop();
  late.sort((a, b) => a - b);
  const quantile = (share: number) => late[Math.min(Math.floor(share * late.length), late.length - 1)] ?? 0;
  return { p50: quantile(0.5), p99: quantile(0.99), max: quantile(1), backlogLeft: left?.count ?? 0 };
}

/** Fills the queue, then calls `drain`, and returns its result. */
async function filled(drain: () => Promise<number>): Promise<number> {
  await sql('vacuum analyze jobs');
  await fill('default', JOBS);
  return await drain();
}

async function showCosts(): Promise<void> {
  const client = new pg.Client(postgres.url);
  await client.connect();
  for (const [name, drain] of [
    ['bare loop', measureBareLoop],
    ['workers', measureWorkers],
  ] as const) {
    // The first round warms up.
    await filled(drain);
    await sql('vacuum analyze jobs');
    await fill('default', JOBS);
    const cost = await measureCost({ client, postgresPid: postgres.pid }, JOBS, async () => void (await drain()));
    printCost(`a job, ${name}`, cost);
  }
  await client.end();
}

async function main(): Promise<void> {
  if (SHOWS_COSTS) return await showCosts();
  const pairs: { bare: number; workers: number }[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const bare = await filled(measureBareLoop);
    const workers = await filled(measureWorkers);
    pairs.push({ bare, workers });
    console.log(`pair ${round}: bare loop ${bare.toFixed(0)}/s, workers ${workers.toFixed(0)}/s`);
  }
  const ratio = median(pairs.map(({ bare, workers }) => workers / bare));
  console.log(`\nworkers over the bare loop, median: ${ratio.toFixed(2)} (target: 0.70)`);
  const { p50, p99, max, backlogLeft } = await measureVoice();
  console.log(`voice jobs behind sends: p50 ${p50} p99 ${p99} max ${max} ms late, ${backlogLeft} sends left`);
}

try {
  await main();
} finally {
  await db.close();
  await postgres.stop();
}
