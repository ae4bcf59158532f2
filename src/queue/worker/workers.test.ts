import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { pino } from 'pino';
import { databaseMs, gate, silentLog, sql, until, untilRenewed, useJobsDatabase } from '../../../test/support/jobs.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { monotonicMs, now } from '../../lib/time/time.ts';
import { cancelJobs, enqueue } from '../jobs/enqueue.ts';
import type { Job, JobHandler, NewJob } from '../jobs/job.ts';
import { completeJobs, rescheduleJob } from '../jobs/job-claims.ts';
import { claimJobs } from '../jobs/worker-claims.ts';
import { LeaseLostError } from './lease.ts';
import type { WorkerSettings } from './settings.ts';
import { createWorkers, type Workers } from './workers.ts';

const { db, ledgerId, openOther } = await useJobsDatabase();
const started: Workers[] = [];
/** The lease of claims that must not end while the machine is busy. */
const leaseMs = 4_000;

afterEach(async () => {
  await Promise.all(started.splice(0).map((workers) => workers.stop({ deadlineMs: 100 })));
  await sql(db, 'delete from jobs');
});

function work(handlers: JobHandler[], settings: Partial<WorkerSettings> = {}, on = db): Workers {
  const queues = { default: 4, messaging: 4, voice: 4 };
  const workers = createWorkers({ db: on, log: silentLog, handlers, queues, settings });
  started.push(workers);
  workers.start();
  return workers;
}

function job(kind: string, rest: Partial<NewJob> = {}): NewJob {
  return { ledgerId, queue: 'default', kind, payload: { n: 1 }, ...rest };
}

const left = async () => (await sql<{ id: string }>(db, 'select id from jobs')).length;

test('a job is run with its payload, then deleted', async () => {
  const seen: unknown[] = [];
  work([{ kind: 'a', queue: 'default', run: async (jobs) => void seen.push(...jobs.map((each) => each.payload)) }]);
  await enqueue(db, [job('a', { payload: { text: 'ä' } })]);
  await until('the job is deleted', async () => (await left()) === 0);
  assert.deepEqual(seen, [{ text: 'ä' }]);
});

test('no job runs twice with two sets of workers on one database', async () => {
  const runs = new Map<string, number>();
  const handler: JobHandler = {
    kind: 'a',
    queue: 'default',
    batchMax: 7,
    run: async (jobs) => {
      for (const each of jobs) runs.set(each.id, (runs.get(each.id) ?? 0) + 1);
    },
  };
  work([handler]);
  work([handler], {}, openOther());
  const batches = Array.from({ length: 20 }, () => Array.from({ length: 50 }, () => job('a')));
  await Promise.all(batches.map((batch) => enqueue(db, batch)));
  await until('all jobs are deleted', async () => (await left()) === 0);
  assert.equal(runs.size, 1_000);
  assert.ok([...runs.values()].every((count) => count === 1));
});

test("a killed worker's jobs are due again after the lease", async () => {
  await enqueue(db, [job('a')]);
  const killed = { kinds: ['a'], leaseMs: 150, leaseToken: 'killed', jobsMax: 1 };
  assert.equal((await claimJobs(db, 'default', killed)).jobs.length, 1);
  const attempts: number[] = [];
  const claimedAt = monotonicMs();
  let ranAt = 0;
  work([
    {
      kind: 'a',
      queue: 'default',
      run: async (jobs) => {
        attempts.push(...jobs.map((each) => each.attempt));
        ranAt = monotonicMs();
      },
    },
  ]);
  await until('the job is deleted', async () => (await left()) === 0);
  assert.deepEqual(attempts, [2]);
  assert.ok(ranAt - claimedAt > 100, 'not before the lease ended');
});

test('a worker that continues after its lease changes nothing, and another worker runs the job', async () => {
  const suspended = gate();
  const seen: string[] = [];
  const first = work([
    {
      kind: 'a',
      queue: 'default',
      run: async (jobs) => {
        seen.push('first');
        await suspended.opened;
        await db.transaction(async (tx) => {
          await tx.query({ name: '', text: `insert into accounts (id, name) values ('acct_late', 'Late')` }, []);
          await completeJobs(tx, jobs);
        });
      },
    },
  ]);
  await enqueue(db, [job('a')]);
  await until('the first worker has it', () => seen.length === 1);
  const stopped = first.stop({ deadlineMs: 60_000 });
  await sql(db, 'update jobs set run_at = clock_timestamp()');
  const other = openOther();
  const ran = gate();
  work([{ kind: 'a', queue: 'default', run: async () => ran.open() }], {}, other);
  await ran.opened;
  suspended.open();
  await stopped;
  assert.deepEqual(await sql(db, `select id from accounts where id = 'acct_late'`), []);
  await until('the job is deleted', async () => (await left()) === 0);
});

test('a job whose carrier is not available is tried again, and is no error in the log', async () => {
  const levels: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => levels.push(JSON.parse(line).level) });
  const errors = [new ApiError('carrier_unavailable'), new Error('broken')];
  const workers = createWorkers({
    db,
    log,
    handlers: [
      {
        kind: 'a',
        queue: 'default',
        run: async () => {
          const error = errors.shift();
          if (error !== undefined) throw error;
        },
      },
    ],
    queues: { default: 1 },
    settings: { retryMinMs: 1 },
  });
  workers.start();
  await enqueue(db, [job('a')]);
  await until('the job is done', async () => errors.length === 0 && (await left()) === 0);
  await workers.stop();
  assert.deepEqual(levels.slice(0, 2), [30, 50]);
});

test('a lease is renewed while its handler runs longer than it', async () => {
  let runs = 0;
  const slow = gate();
  const handler: JobHandler = {
    kind: 'a',
    queue: 'default',
    run: async () => {
      runs++;
      await slow.opened;
    },
  };
  work([handler], { leaseMs });
  work([handler], { leaseMs }, openOther());
  await enqueue(db, [job('a')]);
  await until('the job runs', () => runs === 1);
  await untilRenewed(db, 'jobs', leaseMs);
  slow.open();
  await until('the job is deleted', async () => (await left()) === 0);
  assert.equal(runs, 1);
});

test('after a handler throws, each job of the call is retried after a delay, alone', async () => {
  const calls: { size: number; attempt: number }[] = [];
  work(
    [
      {
        kind: 'a',
        queue: 'default',
        batchMax: 10,
        run: async (jobs) => {
          calls.push({ size: jobs.length, attempt: jobs[0]?.attempt ?? 0 });
          if (jobs.some((each) => each.payload === 'faulty' && each.attempt < 3)) throw new Error('faulty');
        },
      },
    ],
    { retryMinMs: 40 },
  );
  await enqueue(db, [job('a'), job('a'), job('a', { payload: 'faulty' })]);
  await until('all jobs are deleted', async () => (await left()) === 0);
  const first = calls.filter((call) => call.attempt === 1);
  assert.equal(
    first.reduce((sum, call) => sum + call.size, 0),
    3,
  );
  assert.ok(calls.filter((call) => call.attempt > 1).every((call) => call.size === 1));
  assert.equal(calls.filter((call) => call.attempt === 3).length, 1);
});

test('a job of a kind without a handler is not claimed', async () => {
  await enqueue(db, [job('unknown'), job('known')]);
  const runs: number[] = [];
  work([{ kind: 'known', queue: 'default', run: async (jobs) => void runs.push(jobs.length) }]);
  await until('the known job is gone', async () => (await left()) === 1);
  const rows = await sql(db, 'select kind, attempts, lease_token from jobs');
  assert.deepEqual(runs, [1]);
  assert.deepEqual(rows, [{ kind: 'unknown', attempts: 0, lease_token: null }]);
});

test('a job runs within 50 ms of its due time, also one that is enqueued later for an earlier time', async () => {
  const DELAYS_MS = [400, 150, 0];
  const lateness: [delayMs: number, lateMs: number][] = [];
  const run = async (jobs: readonly Job[]) => {
    for (const { delayMs, dueMs } of jobs.map(({ payload }) => payload as { delayMs: number; dueMs: number }))
      lateness.push([delayMs, monotonicMs() - dueMs]);
  };
  work([{ kind: 'a', queue: 'voice', run }], { pollMs: 60_000 });
  const leastMs = (of: number) => Math.min(...lateness.map(([delayMs, lateMs]) => (delayMs === of ? lateMs : 1_000)));
  const isPunctual = () => DELAYS_MS.every((delayMs) => leastMs(delayMs) < 50);
  // Other processes delay some of the jobs.
  for (let round = 1; round <= 10 && !isPunctual(); round++) {
    for (const delayMs of DELAYS_MS) {
      await enqueue(db, [job('a', { queue: 'voice', delayMs, payload: { delayMs, dueMs: monotonicMs() + delayMs } })]);
    }
    await until('all have run', () => lateness.length === 3 * round);
  }
  assert.ok(isPunctual() && lateness.every(([, lateMs]) => lateMs > -5), `late by ${lateness.join('; ')} ms`);
});

test('stop releases jobs that have not started and waits for those that have', async () => {
  const running = gate();
  let starts = 0;
  const workers = work([
    {
      kind: 'a',
      queue: 'default',
      run: async () => {
        starts++;
        await running.opened;
      },
    },
    { kind: 'batch', queue: 'default', batchMax: 10, run: async () => undefined },
  ]);
  await enqueue(
    db,
    Array.from({ length: 12 }, () => job('a')),
  );
  await until('four run and more are claimed', () => starts === 4);
  const stopped = workers.stop();
  await until('the other jobs are released', async () => {
    const [row] = await sql<{ free: number }>(db, 'select count(*)::int as free from jobs where lease_token is null');
    return row?.free === 8;
  });
  assert.deepEqual(await sql(db, 'select distinct attempts from jobs where lease_token is null'), [{ attempts: 0 }]);
  running.open();
  await stopped;
  assert.equal(starts, 4);
  assert.equal(await left(), 8);
});

test('at the deadline of stop a running handler loses its claim and its effects roll back', async () => {
  const begun = gate();
  const running = gate();
  const ended = gate();
  let failure: unknown;
  const workers = work([
    {
      kind: 'a',
      queue: 'default',
      run: async (jobs) => {
        begun.open();
        await running.opened;
        failure = await db.transaction((tx) => completeJobs(tx, jobs)).catch((error: unknown) => error);
        ended.open();
      },
    },
  ]);
  await enqueue(db, [job('a')]);
  await begun.opened;
  await workers.stop({ deadlineMs: 20 });
  running.open();
  await ended.opened;
  assert.ok(failure instanceof LeaseLostError);
  assert.equal(await left(), 1);
});

test('a named job exists once, and cancelling it ends the claim of its worker', async () => {
  assert.equal(await enqueue(db, [job('a', { id: 'timer', delayMs: 60_000 })]), 1);
  assert.equal(await enqueue(db, [job('a', { id: 'timer' })]), 0);
  await sql(db, 'update jobs set run_at = clock_timestamp()');
  const claim = { kinds: ['a'], leaseMs: 5_000, leaseToken: 'x', jobsMax: 1 };
  const { jobs } = await claimJobs(db, 'default', claim);
  assert.deepEqual(await db.transaction((tx) => cancelJobs(tx, ledgerId, ['timer', 'absent'])), ['timer']);
  await assert.rejects(
    db.transaction((tx) => completeJobs(tx, jobs)),
    LeaseLostError,
  );
});

test('the attempts of a rescheduled job are counted from 1 again', async () => {
  const attempts: number[] = [];
  work([
    {
      kind: 'a',
      queue: 'default',
      run: async (jobs) => {
        for (const each of jobs) {
          attempts.push(each.attempt);
          if (attempts.length < 3) await db.transaction((tx) => rescheduleJob(tx, each, { delayMs: 20 }));
        }
      },
    },
  ]);
  await enqueue(db, [job('a')]);
  await until('the job is deleted', async () => (await left()) === 0);
  assert.deepEqual(attempts, [1, 1, 1]);
});

test('a job due at a moment of ledger time is due when the clock of the ledger shows it', async () => {
  await sql(db, `update ledgers set clock_offset = '240:00:00' where id = $1`, [ledgerId]);
  try {
    const dueAt = new Date(now() + 10 * 86_400_000 + 5_000);
    await enqueue(db, [job('a', { dueAt })]);
    const [row] = await sql<{ due_at: Date }>(db, `select run_at + interval '240 hours' as due_at from jobs`);
    assert.deepEqual(row?.due_at, dueAt);
  } finally {
    await sql(db, `update ledgers set clock_offset = '0' where id = $1`, [ledgerId]);
  }
});

test('an enqueue that rolls back leaves no job and wakes no worker', async () => {
  const signals: unknown[] = [];
  const other = openOther();
  other.onSignal((signal) => void signals.push(signal));
  const failing = other.transaction(async (tx) => {
    await enqueue(tx, [job('a')]);
    throw new Error('no');
  });
  await assert.rejects(failing, /no/);
  assert.equal(await left(), 0);
  assert.deepEqual(signals, []);
  await other.transaction((tx) => enqueue(tx, [job('a')]));
  assert.deepEqual(signals, [{ topic: 'jobs', payload: 'default' }]);
});

test('stats report how many jobs are due and for how long', async () => {
  const beganMs = await databaseMs(db);
  await enqueue(db, [job('none'), job('none'), job('none', { delayMs: 3_600_000 })]);
  await sql(db, `update jobs set run_at = run_at - interval '2 s'`);
  const stats = await work([]).stats();
  const own = stats.find((each) => each.queue === 'default');
  assert.equal(own?.depth, 2);
  assert.ok(own.oldestDueMs >= 2_000 && own.oldestDueMs <= (await databaseMs(db)) - beganMs + 2_001);
});

test('jobs of calls are due again 5 s after their worker died, others after 30 s', async () => {
  const ends = new Map<string, number>();
  const look = async (kind: string) => {
    const [row] = await sql<{ run_at: Date }>(db, 'select run_at from jobs where kind = $1', [kind]);
    ends.set(kind, row?.run_at.getTime() ?? 0);
  };
  const beganMs = await databaseMs(db);
  work([
    { kind: 'call', queue: 'voice', run: () => look('call') },
    { kind: 'text', queue: 'messaging', run: () => look('text') },
  ]);
  await enqueue(db, [job('call', { queue: 'voice' }), job('text', { queue: 'messaging' })]);
  await until('both have run', () => ends.size === 2);
  const endedMs = await databaseMs(db);
  for (const [kind, leaseMs] of [
    ['call', 5_000],
    ['text', 30_000],
  ] as const) {
    const endsMs = ends.get(kind) ?? 0;
    assert.ok(endsMs >= beganMs + leaseMs && endsMs <= endedMs + leaseMs, `${kind}: ${endsMs - beganMs} ms`);
  }
});

test('a worker keeps its claims while its own work uses all connections', async () => {
  const own = openOther();
  const release = gate();
  let [runs, used] = [0, 0];
  const use = async () => {
    used++;
    await release.opened;
  };
  const run = async () => {
    runs++;
    await Promise.all(Array.from({ length: 10 }, () => own.transaction(use)));
  };
  work([{ kind: 'a', queue: 'voice', run }], { leaseMs }, own);
  await enqueue(db, [job('a', { queue: 'voice' })]);
  await until('all connections are used', () => used === 10);
  work([{ kind: 'a', queue: 'voice', run: async () => void runs++ }], { leaseMs });
  await untilRenewed(db, 'jobs', leaseMs).finally(release.open);
  await until('the job is deleted', async () => (await left()) === 0);
  assert.equal(runs, 1, 'no other worker has claimed the job');
});
