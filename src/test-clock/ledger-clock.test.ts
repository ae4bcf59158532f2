import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { askedTimes, gate, silentLog, sql, until, useJobsDatabase } from '../../test/support/jobs.ts';
import { skippedBy } from '../../test/support/stepping-time.ts';
import type { Db } from '../db/database.ts';
import { monotonicMs } from '../lib/time/time.ts';
import { enqueue } from '../queue/jobs/enqueue.ts';
import type { JobHandler } from '../queue/jobs/job.ts';
import { claimJobs } from '../queue/jobs/worker-claims.ts';
import type { LaneHandler } from '../queue/lanes/lane.ts';
import { addToLanes, postponeLane, settleLaneItems } from '../queue/lanes/lanes.ts';
import { createWorkers, type Workers } from '../queue/worker/workers.ts';
import { ADVANCE_MAX_MS, advanceLedgerClock } from './ledger-clock.ts';

const DAY_MS = 86_400_000;

const { db, ledgerId, openOther } = await useJobsDatabase();
const made: Workers[] = [];
const { transaction } = db;

afterEach(async () => {
  db.transaction = transaction;
  await Promise.all(made.splice(0).map((workers) => workers.stop({ deadlineMs: 50 })));
  await sql(db, 'delete from jobs');
  await sql(db, 'delete from lanes');
});

function create(run: JobHandler['run'], drain: LaneHandler['drain'] = async () => undefined, on = db): Workers {
  const workers = createWorkers({
    db: on,
    log: silentLog,
    handlers: [{ kind: 'a', queue: 'default', batchMax: 10, run }],
    laneHandlers: [{ kind: 'k', concurrencyMax: 8, groupConcurrency: () => 1, drain }],
    queues: { default: 4 },
  });
  made.push(workers);
  return workers;
}

const advance = (workers: Workers, advanceMs: number, on = db) =>
  advanceLedgerClock({ db: on, workers, log: silentLog, ledgerId, advanceMs });

const at = (payload: unknown, delayMs = 0, on: Db = db) =>
  enqueue(on, [{ ledgerId, queue: 'default', kind: 'a', payload, delayMs }]);

/** Counts the transactions until the test ends. Each step of the clock is one transaction. */
function countTransactions(): () => number {
  let count = 0;
  db.transaction = (run) => {
    count++;
    return transaction(run);
  };
  return () => count;
}

/** Returns workers that call `act` once, when they first find no more active work. */
function afterLook({ ledgerWork }: Workers, act: () => Promise<void>): Pick<Workers, 'ledgerWork'> {
  let acted = false;
  const listActive: Workers['ledgerWork']['listActive'] = async (...args) => {
    const active = await ledgerWork.listActive(...args);
    if (active.size === 0 && !acted) {
      acted = true;
      await act();
    }
    return active;
  };
  return { ledgerWork: { ...ledgerWork, listActive } };
}

/** Returns how far the clock of the ledger has been moved, in milliseconds. */
async function offsetMs(): Promise<number> {
  const text = 'select extract(epoch from clock_offset)::float8 * 1000 as ms from ledgers where id = $1';
  return (await sql<{ ms: number }>(db, text, [ledgerId]))[0]?.ms ?? Number.NaN;
}

/** Returns the due times of jobs in ledger time, exact to a microsecond. */
async function dueMoments(): Promise<{ due: string }[]> {
  const text = `select (j.run_at + l.clock_offset)::text as due
    from jobs j join ledgers l on l.id = j.ledger_id order by j.run_at`;
  return await sql(db, text);
}

async function ledgerNow(): Promise<number> {
  const [row] = await sql<{ now: Date }>(db, 'select ledger_now($1) as now', [ledgerId]);
  return (row as { now: Date }).now.getTime();
}

test('all work that falls due runs before the reply, in order and at its own moment', async () => {
  const [startedAt, startedMs] = [await ledgerNow(), await offsetMs()];
  const seen: [unknown, number][] = [];
  const workers = create(async (jobs) => {
    for (const job of jobs) seen.push([job.payload, Math.round(((await ledgerNow()) - startedAt) / 60_000)]);
  });
  await at('third', 30 * 60_000);
  await at('first', 60_000);
  await at('second', 10 * 60_000);
  await at('due already');
  await at('beyond', 61 * 60_000);
  const beyond = (await dueMoments()).slice(-1);
  const now = await advance(workers, 60 * 60_000);
  assert.deepEqual(seen, [
    ['due already', 0],
    ['first', 1],
    ['second', 10],
    ['third', 30],
  ]);
  assert.ok(now.getTime() >= startedAt + 60 * 60_000);
  assert.ok((await offsetMs()) - startedMs <= 60 * 60_000);
  assert.deepEqual(await dueMoments(), beyond, 'later work keeps its moment of ledger time');
});

test('due jobs of a kind that only other processes handle are waited for once, and then hold no step', async () => {
  const workers = create(async () => undefined);
  await enqueue(db, [{ ledgerId, queue: 'default', kind: 'unknown', payload: null }]);
  const steps = countTransactions();
  await advance(workers, 60_000);
  assert.ok(steps() < 10, `${steps()} steps`);
});

test('work added between the last look and the move runs before the clock moves', async () => {
  const startedAt = await ledgerNow();
  const seen: number[] = [];
  const workers = create(async () => void seen.push((await ledgerNow()) - startedAt));
  const late = afterLook(workers, async () => {
    await at('late');
  });
  await advanceLedgerClock({ db, workers: late, log: silentLog, ledgerId, advanceMs: 60 * 60_000 });
  assert.ok(seen.length === 1 && (seen[0] as number) < 30 * 60_000, String(seen));
});

test('work that a worker claims between the last look and the move is waited for', async () => {
  const startedAt = await ledgerNow();
  const seen: number[] = [];
  const { opened: begun, open: begin } = gate();
  const { opened: finished, open: finish } = gate();
  const elsewhere = create(async () => {
    begin();
    await finished;
    seen.push((await ledgerNow()) - startedAt);
  });
  const workers = create(async () => undefined);
  const late = afterLook(workers, async () => {
    await at('late');
    elsewhere.start();
    await begun;
    void askedTimes(db, 'ledger_active', 2).then(finish);
  });
  await advanceLedgerClock({ db, workers: late, log: silentLog, ledgerId, advanceMs: 60 * 60_000 });
  assert.ok(seen.length === 1 && (seen[0] as number) < 30 * 60_000, String(seen));
});

test('overdue work runs first, the longest due before the others', async () => {
  const seen: unknown[] = [];
  const workers = create(async (jobs) => void seen.push(...jobs.map((job) => job.payload)));
  for (const minutes of [2, 5, 1, 4, 3]) await at(minutes);
  await sql(db, `update jobs set run_at = run_at - (payload #>> '{}')::int * interval '1 min'`);
  await advance(workers, 1_000);
  assert.deepEqual(seen, [5, 4, 3, 2, 1]);
});

test('a daily job that enqueues the next runs once for each day of two months', async () => {
  const days: number[] = [];
  const startedAt = await ledgerNow();
  const workers = create(async ([job]) => {
    days.push(Math.round(((await ledgerNow()) - startedAt) / DAY_MS));
    await at(job?.payload, DAY_MS);
  });
  await at('daily', DAY_MS);
  await advance(workers, 60 * DAY_MS + 60_000);
  assert.deepEqual(
    days,
    Array.from({ length: 60 }, (_, index) => index + 1),
  );
});

test('work that a job enqueues as due now runs before work that is due later', async () => {
  const seen: unknown[] = [];
  const workers = create(async (jobs) => {
    for (const job of jobs) {
      seen.push(job.payload);
      if (job.payload === 'one') await at('one again');
      if (job.payload === 'one again') await at('one half', 500);
    }
  });
  await at('two', 2_000);
  await at('one', 1_000);
  await advance(workers, 60_000);
  assert.deepEqual(seen, ['one', 'one again', 'one half', 'two']);
});

test('the clock waits for a job that another worker has claimed', async () => {
  const other = openOther();
  const working = gate();
  const mayEnd = gate();
  const seen: unknown[] = [];
  const elsewhere = create(
    async () => {
      working.open();
      await mayEnd.opened;
      seen.push('elsewhere');
    },
    undefined,
    other,
  );
  await at('elsewhere');
  elsewhere.start();
  await working.opened;
  await at('later', 60_000);
  const startedMs = await offsetMs();
  const workers = create(async (jobs) => void seen.push(...jobs.map((job) => job.payload)));
  let looks = 0;
  const advancing = advance(workers, 120_000);
  await until('the clock has had time to move', async () => {
    assert.equal(await offsetMs(), startedMs, 'the clock does not move');
    return ++looks > 100;
  });
  mayEnd.open();
  await advancing;
  await elsewhere.stop();
  assert.equal(seen[0], 'elsewhere');
  assert.equal(seen.length, 2);
});

test("a killed worker's job runs in an advance once its lease has ended", async () => {
  const seen: unknown[] = [];
  await at('orphan');
  await claimJobs(db, 'default', { kinds: ['a'], leaseMs: 300, leaseToken: 'killed', jobsMax: 1 });
  await at('later', 60_000);
  const workers = create(async (jobs) => void seen.push(...jobs.map((job) => job.payload)));
  await advance(workers, 120_000);
  assert.deepEqual(seen, ['orphan', 'later']);
});

test('advances of one ledger run one after the other, in all processes', async () => {
  const [startedAt, startedMs] = [await ledgerNow(), await offsetMs()];
  const other = openOther();
  let running = 0;
  let highest = 0;
  const seen: unknown[] = [];
  const run: JobHandler['run'] = async (jobs) => {
    highest = Math.max(highest, ++running);
    for (const job of jobs) seen.push(job.payload);
    await ledgerNow();
    running--;
  };
  const [here, there] = [create(run), create(run, undefined, other)];
  for (let minute = 1; minute <= 20; minute++) await at(minute, minute * 60_000);
  await Promise.all([advance(here, 600_000), advance(there, 600_000, other), advance(here, 60_000)]);
  assert.deepEqual(
    seen,
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
  assert.equal(highest, 1);
  assert.ok((await ledgerNow()) >= startedAt + 1_260_000);
  assert.ok((await offsetMs()) - startedMs <= 1_260_000);
});

test('workers that run during an advance run nothing twice', async () => {
  const runs = new Map<unknown, number>();
  const run: JobHandler['run'] = async (jobs) => {
    for (const job of jobs) runs.set(job.payload, (runs.get(job.payload) ?? 0) + 1);
  };
  const workers = create(run);
  workers.start();
  const other = openOther();
  create(run, undefined, other).start();
  const jobs = Array.from({ length: 300 }, (_, index) => index);
  await enqueue(
    db,
    jobs.map((payload) => ({
      ledgerId,
      queue: 'default',
      kind: 'a',
      payload,
      delayMs: 1_000 + (payload % 50) * 60_000,
    })),
  );
  await advance(workers, 3_600_000);
  assert.equal(runs.size, 300);
  assert.ok([...runs.values()].every((count) => count === 1));
});

test('retries of a lane run in ledger time, and the clock of another ledger does not move', async () => {
  const failures: number[] = [];
  const workers = create(
    async () => undefined,
    async (lane) =>
      db.transaction(async (tx) => {
        failures.push(lane.failures);
        if (lane.failures < 3) await postponeLane(tx, lane, { delayMs: 3_600_000 });
        else await settleLaneItems(tx, lane, 1);
      }),
  );
  const lane = { kind: 'k', groupId: 'g', laneKey: 'l', items: 1 };
  await enqueue(db, [{ ledgerId: ledgerId + 1, queue: 'default', kind: 'a', payload: 0, delayMs: 3_600_000 }]);
  await db.transaction((tx) => addToLanes(tx, [{ ...lane, ledgerId }]));
  await advance(workers, 2.5 * 3_600_000);
  assert.deepEqual(failures, [0, 1, 2]);
  await advance(workers, 3_600_000);
  assert.deepEqual(failures, [0, 1, 2, 3]);
  const [row] = await sql<{ waits: boolean }>(
    db,
    `select run_at > clock_timestamp() + interval '50 min' as waits from jobs where ledger_id = $1`,
    [ledgerId + 1],
  );
  assert.equal(row?.waits, true);
});

test('a paused lane stays paused', async () => {
  let drained = 0;
  const workers = create(
    async () => undefined,
    async () => void drained++,
  );
  const lane = { ledgerId, kind: 'k', groupId: 'g', laneKey: 'l', items: 1, paused: true };
  await db.transaction((tx) => addToLanes(tx, [lane]));
  await advance(workers, DAY_MS);
  assert.equal(drained, 0);
});

test('lanes of a dead receiver delay the reply by seconds at most, and work due after them still runs', async () => {
  const answer = gate();
  let waiting = 0;
  const seen: unknown[] = [];
  const workers = create(
    async (jobs) => void seen.push(...jobs.map((job) => job.payload)),
    async (lane) => {
      waiting++;
      await answer.opened;
      await db.transaction((tx) => settleLaneItems(tx, lane, 1));
    },
  );
  const lanes = ['x', 'y', 'z'].map((laneKey) => ({ ledgerId, kind: 'k', groupId: 'dead', laneKey, items: 1 }));
  await db.transaction((tx) => addToLanes(tx, lanes));
  for (let day = 1; day <= 20; day++) await at(day, day * DAY_MS);
  const startedAt = monotonicMs();
  const skippedMs = await skippedBy(advance(workers, 30 * DAY_MS));
  const tookMs = monotonicMs() - startedAt;
  assert.equal(seen.length, 20);
  assert.equal(waiting, 1);
  assert.ok(tookMs > 2_500 && skippedMs < 20_000, `took ${tookMs} ms`);
  answer.open();
  await until('the drain ends', async () => (await sql(db, 'select 1 from lanes')).length === 2);
});

test('a job that always fails does not make a long advance endless', async () => {
  let attempts = 0;
  const workers = create(async () => {
    attempts++;
    throw new Error('always');
  });
  await at('poison', 1_000);
  await advance(workers, 60 * DAY_MS);
  assert.ok(attempts >= 5 && attempts <= 20, `${attempts} attempts`);
});

test('the moment of a job is kept to the microsecond by a hundred advances, across daylight saving', async () => {
  const workers = create(async () => undefined);
  await at('far', 300 * DAY_MS);
  const moment = async () => {
    const [row] = await sql<{ at: string }>(
      db,
      `select (extract(epoch from j.run_at) + extract(epoch from l.clock_offset))::text as at
       from jobs j join ledgers l on l.id = j.ledger_id`,
    );
    return row?.at;
  };
  const before = await moment();
  for (let index = 0; index < 100; index++) await advance(workers, 2 * DAY_MS + 1);
  assert.equal(await moment(), before);
});

test('an advance beyond its bounds is refused', async () => {
  const workers = create(async () => undefined);
  await assert.rejects(advance(workers, -1), RangeError);
  await assert.rejects(advance(workers, ADVANCE_MAX_MS + 1), RangeError);
  await assert.rejects(advance(workers, Number.NaN), RangeError);
});
