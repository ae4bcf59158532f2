/** A claim that a transaction has ended continues if the transaction is rolled back. */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { silentLog, sql, until, useJobsDatabase } from '../../../test/support/jobs.ts';
import type { Tx } from '../../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { JobHandler } from '../jobs/job.ts';
import { completeJobs } from '../jobs/job-claims.ts';
import type { LaneHandler } from '../lanes/lane.ts';
import { addToLanes, settleLaneItems } from '../lanes/lanes.ts';
import { createWorkers, type Workers } from './workers.ts';

const { db, ledgerId } = await useJobsDatabase();
const started: Workers[] = [];

afterEach(() => Promise.all(started.splice(0).map((workers) => workers.stop({ deadlineMs: 100 }))));

function work({ handlers = [], laneHandlers = [] }: { handlers?: JobHandler[]; laneHandlers?: LaneHandler[] }): void {
  const workers = createWorkers({ db, log: silentLog, handlers, laneHandlers, queues: { default: 2 } });
  started.push(workers);
  workers.start();
}

/** Runs `work` in a transaction that is rolled back. */
async function rollBack(work: (tx: Tx) => Promise<unknown>): Promise<void> {
  const rolledBack = db.transaction(async (tx) => {
    await work(tx);
    throw new Error('rolled back');
  });
  await assert.rejects(rolledBack, /rolled back/);
}

test('a job whose completion is rolled back is completed when its handler returns', async () => {
  let runs = 0;
  const run: JobHandler['run'] = async (jobs) => {
    runs++;
    await rollBack((tx) => completeJobs(tx, jobs));
  };
  work({ handlers: [{ kind: 'k', queue: 'default', run }] });
  await enqueue(db, [{ ledgerId, queue: 'default', kind: 'k', payload: null }]);
  await until('the job is completed', async () => (await sql(db, 'select 1 from jobs')).length === 0);
  assert.equal(runs, 1);
});

test('a lane whose end is rolled back is released when its drain returns', async () => {
  let drains = 0;
  const drain: LaneHandler['drain'] = async (lane) => {
    const settle = (tx: Tx) => settleLaneItems(tx, lane, 1);
    if (drains++ === 0) await rollBack(settle);
    else await db.transaction(settle);
  };
  work({ laneHandlers: [{ kind: 'k', concurrencyMax: 1, groupConcurrency: () => 1, drain }] });
  await db.transaction((tx) => addToLanes(tx, [{ ledgerId, kind: 'k', groupId: 'g', laneKey: 'a', items: 1 }]));
  await until('the lane is drained', async () => (await sql(db, 'select 1 from lanes')).length === 0);
  assert.equal(drains, 2);
});
