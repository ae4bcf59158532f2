import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { silentLog, sql, useJobsDatabase } from '../../test/support/jobs.ts';
import { enqueue } from '../queue/jobs/enqueue.ts';
import type { Job, JobHandler } from '../queue/jobs/job.ts';
import { addToLanes } from '../queue/lanes/lanes.ts';
import { createWorkers, type Workers } from '../queue/worker/workers.ts';
import { advanceLedgerClock } from './ledger-clock.ts';

const { db, ledgerId } = await useJobsDatabase();
const made: Workers[] = [];
const { transaction } = db;

afterEach(async () => {
  db.transaction = transaction;
  await Promise.all(made.splice(0).map((workers) => workers.stop({ deadlineMs: 50 })));
  await sql(db, 'delete from jobs');
  await sql(db, 'delete from lanes');
});

function create(run: JobHandler['run']): Workers {
  const workers = createWorkers({
    ...{ db, log: silentLog, queues: { default: 4, voice: 4 } },
    handlers: [
      { kind: 'a', queue: 'default', batchMax: 10, run },
      { kind: 'call', queue: 'voice', run },
    ],
    laneHandlers: [{ kind: 'k', concurrencyMax: 8, groupConcurrency: () => 1, drain: async () => undefined }],
  });
  made.push(workers);
  return workers;
}

const advance = (workers: Workers, advanceMs: number) =>
  advanceLedgerClock({ db, workers, log: silentLog, ledgerId, advanceMs });

const call = (payload: string, delayMs: number) =>
  enqueue(db, [{ ledgerId, queue: 'voice', kind: 'call', payload, delayMs }]);

const jobsLater = (delaysMs: readonly number[]) =>
  enqueue(
    db,
    delaysMs.map((delayMs) => ({ ledgerId, queue: 'default', kind: 'a', payload: `after ${delayMs}`, delayMs })),
  );

const many = (count: number, delayOf: (index: number) => number) =>
  Array.from({ length: count }, (_, at) => delayOf(at));

async function ledgerSecond(): Promise<number> {
  const [row] = await sql<{ at: string }>(db, `select extract(epoch from ledger_now(${ledgerId}))::text as at`);
  return Number(row?.at);
}

/** Returns a list, and a function that adds each run to it, with the second of the run. */
async function recorder(): Promise<{ ran: [unknown, number][]; note: (jobs: readonly Job[]) => Promise<void> }> {
  const start = await ledgerSecond();
  const ran: [unknown, number][] = [];
  const note = async (jobs: readonly Job[]) => {
    const second = Math.floor((await ledgerSecond()) - start);
    for (const { payload } of jobs) ran.push([payload, second]);
  };
  return { ran, note };
}

test('a call runs at its own moments, however many other jobs wait', async () => {
  const { ran, note } = await recorder();
  const workers = create(async (jobs) => {
    await note(jobs);
    if (jobs[0]?.payload === 'rings') await call('answers', 1_000);
  });
  await jobsLater(many(600, (index) => 60_000 + index));
  await call('rings', 2_000);
  await call('times out', 5_000);
  await advance(workers, 10_000);
  assert.deepEqual(ran, [
    ['rings', 2],
    ['answers', 3],
    ['times out', 5],
  ]);
});

test('jobs run at their own moments, however many lanes wait for a dead receiver', async () => {
  const { ran, note } = await recorder();
  const workers = create(note);
  const lanes = many(600, (index) => index).map((index) => {
    return { ledgerId, kind: 'k', groupId: 'g', laneKey: `dead ${index}`, items: 1 };
  });
  await db.transaction((tx) => addToLanes(tx, lanes));
  await sql(db, `update lanes set run_at = clock_timestamp() + interval '1 minute'`);
  await jobsLater([2_000, 5_000]);
  await advance(workers, 10_000);
  assert.deepEqual(ran, [
    ['after 2000', 2],
    ['after 5000', 5],
  ]);
});

test('jobs beyond 500 that are due close together share steps of the clock, and each runs once', async () => {
  let runs = 0;
  const workers = create(async (jobs) => {
    runs += jobs.length;
  });
  await jobsLater(many(1_500, (index) => 10_000 + index * 100));
  let steps = 0;
  db.transaction = (run) => {
    steps++;
    return transaction(run);
  };
  await advance(workers, 3_600_000);
  assert.equal(runs, 1_500);
  // Only the last 500 jobs have separate steps.
  assert.ok(steps < 600, `${steps} steps of the clock`);
});
