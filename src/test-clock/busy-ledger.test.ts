import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog, sql, useJobsDatabase } from '../../test/support/jobs.ts';
import { skip } from '../../test/support/stepping-time.ts';
import { ledgerNow } from '../db/ledgers.ts';
import { enqueue } from '../queue/jobs/enqueue.ts';
import { completeJobs } from '../queue/jobs/job-claims.ts';
import { claimJobs } from '../queue/jobs/worker-claims.ts';
import { createWorkers } from '../queue/worker/workers.ts';
import { advanceLedgerClock } from './ledger-clock.ts';

const { db, ledgerId } = await useJobsDatabase();
const ADVANCE_MS = 60_000;
const RUNS_MAX = 2_000;

test('a claimed job is waited for as long as its lease, although nothing else runs for many seconds', async () => {
  const workers = createWorkers({
    ...{ db, log: silentLog, laneHandlers: [], queues: { default: 4 } },
    handlers: [{ kind: 'a', queue: 'default', batchMax: 10, run: async () => undefined }],
  });
  await enqueue(db, [{ ledgerId, queue: 'default', kind: 'a', payload: null }]);
  const claim = { kinds: ['a'], leaseMs: 30_000, leaseToken: 'elsewhere', jobsMax: 1 };
  const { jobs } = await claimJobs(db, 'default', claim);
  const offset = () =>
    sql<{ offset: string }>(db, 'select clock_offset::text as offset from ledgers where id = $1', [ledgerId]);
  const before = await offset();
  const advanced = advanceLedgerClock({ db, workers, log: silentLog, ledgerId, advanceMs: 1_000 });
  for (let second = 0; second < 12; second++) await Promise.all([skip(1_000), sql(db, 'select pg_sleep(0.06)')]);
  assert.deepEqual(await offset(), before, 'the clock does not move under the job');
  await db.transaction((tx) => completeJobs(tx, jobs));
  await advanced;
});

test('the clock moves although others keep adding work', async () => {
  const add = (delayMs: number) => ({ ledgerId, queue: 'default', kind: 'a', payload: null, delayMs }) as const;
  let runs = 0;
  // Each job adds two more jobs, one due immediately and one soon. So work is added without end.
  const run = async () => {
    if (++runs >= RUNS_MAX) return;
    if (runs % 10 === 0) await skip(1_000);
    await enqueue(db, [add(0), add(5)]);
  };
  const handlers = [{ kind: 'a', queue: 'default', batchMax: 10, run }] as const;
  const workers = createWorkers({ db, log: silentLog, handlers, laneHandlers: [], queues: { default: 4 } });
  const startedAt = await ledgerNow(db, ledgerId);
  await enqueue(db, [add(0)]);
  const now = await advanceLedgerClock({ db, workers, log: silentLog, ledgerId, advanceMs: ADVANCE_MS });
  assert.ok(now.getTime() - startedAt.getTime() >= ADVANCE_MS);
  assert.ok(runs < RUNS_MAX, `${runs} runs`);
});
