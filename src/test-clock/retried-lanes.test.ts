import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { silentLog, sql, useJobsDatabase } from '../../test/support/jobs.ts';
import { sleep } from '../lib/time/time.ts';
import { enqueue } from '../queue/jobs/enqueue.ts';
import type { Lane } from '../queue/lanes/lane.ts';
import { addToLanes, settleLaneItems } from '../queue/lanes/lanes.ts';
import { createWorkers, type Workers } from '../queue/worker/workers.ts';
import { advanceLedgerClock } from './ledger-clock.ts';
import { createPatience, runLedgerDue } from './run-due.ts';

const HOUR_MS = 3_600_000;
const SLACK_S = 36;

const { db, ledgerId } = await useJobsDatabase();
const made: Workers[] = [];
const { transaction } = db;

/** The lanes that ran, each with the second of ledger time since the start of the test. */
let ran: [string, number][] = [];
let startS = 0;

async function ledgerSecond(): Promise<number> {
  const [row] = await sql<{ at: number }>(db, `select extract(epoch from ledger_now(${ledgerId}))::float8 as at`);
  return (row as { at: number }).at;
}

const note = async (name: string) => void ran.push([name, (await ledgerSecond()) - startS]);

afterEach(async () => {
  db.transaction = transaction;
  await Promise.all(made.splice(0).map((workers) => workers.stop({ deadlineMs: 50 })));
  await sql(db, 'delete from jobs');
  await sql(db, 'delete from lanes');
});

function create(drain: (lane: Lane) => Promise<void> = ({ laneKey }) => note(laneKey)): Workers {
  const workers = createWorkers({
    ...{ db, log: silentLog, queues: { default: 4 } },
    handlers: [{ kind: 'a', queue: 'default', run: () => note('job') }],
    laneHandlers: [
      {
        ...{ kind: 'k', concurrencyMax: 16, groupConcurrency: () => 16, retrySlackMs: [SLACK_S * 1_000] },
        drain: async (lane) => {
          await drain(lane);
          await transaction((tx) => settleLaneItems(tx, lane, 1));
        },
      },
    ],
  });
  made.push(workers);
  return workers;
}

/** Makes lanes that failed once. The n-th is tried again after n times `everyS`. */
async function lanesLater(count: number, everyS: number): Promise<void> {
  ran = [];
  const keys = Array.from({ length: count }, (_, index) => String(index + 1));
  const lanes = keys.map((laneKey) => ({ ledgerId, kind: 'k', groupId: 'dead', laneKey, items: 1 }));
  await db.transaction((tx) => addToLanes(tx, lanes));
  startS = await ledgerSecond();
  await sql(
    db,
    `update lanes set failures = 1, run_at = clock_timestamp() + make_interval(secs => lane_key::int * ${everyS}::float8)`,
  );
}

/** Advances by an hour and a minute, and returns the number of steps that the clock took. */
async function advance(workers: Workers): Promise<number> {
  let steps = 0;
  db.transaction = (run) => {
    steps++;
    return transaction(run);
  };
  await advanceLedgerClock({ db, workers, log: silentLog, ledgerId, advanceMs: HOUR_MS + 60_000 });
  return steps;
}

test('many retries share steps of the clock: none is too late, none early, and a job keeps its moment', async () => {
  await lanesLater(300, 12);
  await enqueue(db, [{ ledgerId, queue: 'default', kind: 'a', payload: null, delayMs: 1_807_000 }]);
  const steps = await advance(create());
  assert.equal(ran.length, 301);
  for (const [name, second] of ran) {
    const lateS = second - (name === 'job' ? 1_807 : Number(name) * 12);
    assert.ok(lateS >= -0.5 && lateS < (name === 'job' ? 12 : SLACK_S + 12), `${name} is ${lateS} s late`);
  }
  assert.ok(steps < 120, `${steps} steps`);
});

test('few retries have their own steps', async () => {
  await lanesLater(20, 12);
  await advance(create());
  for (const [name, second] of ran) assert.equal(Math.round(second / 12), Number(name), `${name} at ${second} s`);
  assert.equal(ran.length, 20);
});

test('retries that end quickly are run to the last, although together they take longer than a dead receiver may', async () => {
  await lanesLater(320, 0);
  const { ledgerWork } = create(async ({ laneKey }) => {
    await sleep(40);
    ran.push([laneKey, 0]);
  });
  // With no patience left, a call still waits 250 ms for a receiver. The lanes take 40 ms each, and 16 run at a time.
  await runLedgerDue(ledgerWork, ledgerId, { ...createPatience(ledgerWork), lanesMs: 0 });
  assert.equal(ran.length, 320);
});
