import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { silentLog, sql, until, useJobsDatabase } from '../../../test/support/jobs.ts';
import type { Db } from '../../db/database.ts';
import { createWorkers } from '../worker/workers.ts';
import { enqueue } from './enqueue.ts';
import { claimJobs, releaseJobs } from './worker-claims.ts';

const { db, ledgerId } = await useJobsDatabase();
const HOUR_MS = 3_600_000;
const CLAIM = { kinds: ['a'], leaseMs: 30_000 };

let tokens = 0;
const claim = (jobsMax = 10, on: Db = db) =>
  claimJobs(on, 'default', { ...CLAIM, leaseToken: `token.${++tokens}`, jobsMax });

const later = (delayMs: number) => ({ ledgerId, queue: 'default', kind: 'a', payload: null, delayMs }) as const;

afterEach(() => sql(db, 'delete from jobs'));

test('a job that is moved ahead by its run_at alone, as the version before does, is claimed at its new time', async () => {
  await enqueue(db, [later(HOUR_MS)]);
  await sql(db, 'update jobs set run_at = clock_timestamp()');
  assert.equal((await claim()).jobs.length, 1);
});

test('a job that is stored without due_at, as the version before does, is claimed at its time and not before', async () => {
  await sql(
    db,
    `insert into jobs (ledger_id, id, queue, kind, payload, run_at)
     values ($1, 'one', 'default', 'a', '{}', clock_timestamp() + interval '1 hour')`,
    [ledgerId],
  );
  const { jobs, nextInMs = 0 } = await claim();
  assert.deepEqual(jobs, []);
  assert.ok(nextInMs > HOUR_MS - 60_000 && nextInMs <= HOUR_MS, `${nextInMs}`);
  await sql(db, 'update jobs set run_at = clock_timestamp()');
  assert.equal((await claim()).jobs.length, 1);
});

test('a claim that takes all due jobs names the end of the first lease, or the next due time if it is sooner', async () => {
  await enqueue(db, [later(0), later(HOUR_MS)]);
  await claim();
  const { nextInMs: leaseMs = 0 } = await claim();
  assert.ok(leaseMs > 0 && leaseMs <= CLAIM.leaseMs, `${leaseMs}`);
  await enqueue(db, [later(15_000)]);
  const { nextInMs: dueMs = 0 } = await claim();
  assert.ok(dueMs > 0 && dueMs <= 15_000 && dueMs < leaseMs, `${dueMs}`);
});

test('a released job is due after its delay, and keeps its place if it is due at once', async () => {
  await enqueue(db, [later(0)]);
  const placed = "select due_at::text from jobs where due_at <= clock_timestamp() and id like 'job%'";
  const [before] = await sql(db, placed);
  await releaseJobs(db, (await claim()).jobs, { delayMs: 0 });
  assert.deepEqual(await sql(db, placed), [before]);
  await releaseJobs(db, (await claim()).jobs, { delayMs: HOUR_MS });
  assert.deepEqual((await claim()).jobs, []);
  assert.deepEqual(await sql(db, placed), []);
});

test('a claim changes no index', async () => {
  await sql(db, 'vacuum jobs');
  await enqueue(
    db,
    Array.from({ length: 200 }, () => later(0)),
  );
  const counts = `select pg_stat_get_xact_tuples_updated('jobs'::regclass)::int as updated,
    pg_stat_get_xact_tuples_hot_updated('jobs'::regclass)::int as hot`;
  await db.transaction(async (tx) => {
    const [before] = await sql<{ updated: number; hot: number }>(tx, counts);
    await claim(200, tx);
    const [after] = await sql<{ updated: number; hot: number }>(tx, counts);
    assert.equal((after?.updated ?? 0) - (before?.updated ?? 0), 200);
    assert.equal((after?.hot ?? 0) - (before?.hot ?? 0), 200);
  });
});

test('a claim reads no more of a large backlog than it takes, also with the statistics of an empty queue', async () => {
  await sql(db, 'vacuum analyze jobs');
  await enqueue(
    db,
    Array.from({ length: 5_000 }, () => later(0)),
  );
  await db.transaction(async (tx) => {
    for (let n = 0; n < 6; n++) await claim(20, tx);
    const plan = `explain (analyze, format json) execute jobs_claim ('default', array['a'], 30000, 'other', 20)`;
    const [row] = await sql<{ 'QUERY PLAN': unknown }>(tx, plan);
    const read = [...JSON.stringify(row).matchAll(/"Actual Rows":([\d.]+)/g)].map(([, count]) => Number(count));
    assert.equal(Math.max(...read), 20);
  });
});

test('claimed jobs come in the order in which they were due, wherever their rows are', async () => {
  const named = (id: string, delayMs: number) => ({ ...later(delayMs), id });
  await enqueue(db, [named('third', -1_000)]);
  await enqueue(db, [named('first', -3_000)]);
  await enqueue(db, [named('second', -2_000)]);
  const { jobs } = await claim();
  assert.deepEqual(
    jobs.map(({ id }) => id),
    ['first', 'second', 'third'],
  );
});

test('of several kinds, the one with the job that is due longest is carried out first', async () => {
  await enqueue(db, [later(-1_000), { ...later(-2_000), kind: 'b' }]);
  const runs: string[] = [];
  const handler = (kind: string) => ({ kind, queue: 'default', run: async () => void runs.push(kind) }) as const;
  const workers = createWorkers({
    ...{ db, log: silentLog, queues: { default: 1 } },
    handlers: [handler('a'), { ...handler('b'), batchMax: 2 }],
  });
  workers.start();
  await until('both have run', () => runs.length === 2);
  await workers.stop();
  assert.deepEqual(runs, ['b', 'a']);
});
