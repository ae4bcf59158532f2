/** Slow jobs and lanes do not delay others, and each job of a call ends separately. */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { gate, silentLog, sql, until, untilRenewed, useJobsDatabase } from '../../../test/support/jobs.ts';
import { sleep } from '../../../test/support/stepping-time.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { Job, JobHandler } from '../jobs/job.ts';
import type { Lane, LaneHandler } from '../lanes/lane.ts';
import { addToLanes, settleLaneItems } from '../lanes/lanes.ts';
import { createWorkers, type Workers } from './workers.ts';

const { db, ledgerId } = await useJobsDatabase();
const started: Workers[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((workers) => workers.stop({ deadlineMs: 100 })));
  await sql(db, 'delete from jobs');
  await sql(db, 'delete from lanes');
});

type Handlers = { handlers?: JobHandler[]; laneHandlers?: LaneHandler[] };

/** Starts workers with two slots. */
function work({ handlers = [], laneHandlers = [] }: Handlers, leaseMs = 30_000): void {
  const settings = { leaseMs, retryMinMs: 10 };
  const workers = createWorkers({ db, log: silentLog, handlers, laneHandlers, queues: { default: 2 }, settings });
  started.push(workers);
  workers.start();
}

async function add(kind: string, count: number): Promise<void> {
  const job = (n: number) => ({ ledgerId, queue: 'default', kind, payload: n }) as const;
  await enqueue(
    db,
    Array.from({ length: count }, (_, n) => job(n)),
  );
}

const left = async (kind: string) => (await sql(db, 'select 1 from jobs where kind = $1', [kind])).length;

/** Handlers of jobs that hang until `open` is called, and of quick jobs. Also returns the order of their events. */
function slowAndQuick(lingeringMax: number) {
  const hanging: (() => void)[] = [];
  const happened: string[] = [];
  const slow: JobHandler = {
    kind: 'slow',
    queue: 'default',
    lingeringMax,
    run: async () => {
      await new Promise<void>((resolve) => hanging.push(resolve));
      happened.push('slow');
    },
  };
  const quick: JobHandler = { kind: 'quick', queue: 'default', run: async () => void happened.push('quick') };
  return { slow, quick, hanging, happened };
}

test('jobs that wait for a hung system delay no other jobs, and keep their claims', async () => {
  const { slow, quick, hanging, happened } = slowAndQuick(100);
  work({ handlers: [slow, quick] }, 4_000);
  await add('slow', 10);
  await add('quick', 3);
  await until('the quick jobs have run', async () => (await left('quick')) === 0);
  await until('all slow jobs have begun', () => hanging.length === 10);
  await untilRenewed(db, 'jobs', 4_000);
  for (const end of hanging) end();
  await until('all jobs are deleted', async () => (await left('slow')) === 0);
  assert.equal(hanging.length, 10, 'none has run twice');
  assert.deepEqual(happened.slice(0, 3), ['quick', 'quick', 'quick']);
});

test('no more jobs go on beside the slots than their handler allows', async () => {
  const { slow, quick, hanging, happened } = slowAndQuick(3);
  work({ handlers: [slow, quick] });
  await add('slow', 5);
  await until('five slow jobs run: three beside the two slots', () => hanging.length === 5);
  // The two jobs that began last are slow by then, and wait for room beside the slots.
  await sleep(1_000);
  await add('quick', 1);
  hanging[0]?.();
  await until('the quick job has run', async () => (await left('quick')) === 0);
  assert.deepEqual(happened, ['slow', 'quick']);
  for (const end of hanging) end();
});

test('a handler without that bound keeps its slots', async () => {
  const { slow, quick, hanging, happened } = slowAndQuick(0);
  const { lingeringMax: _, ...keeping } = slow;
  work({ handlers: [keeping, quick] });
  await add('slow', 2);
  await until('both slots are taken', () => hanging.length === 2);
  await add('quick', 1);
  hanging[0]?.();
  await until('the quick job has run', async () => (await left('quick')) === 0);
  assert.deepEqual(happened, ['slow', 'quick']);
  for (const end of hanging) end();
});

test('each job of a call ends by itself: one hangs, one fails, and the others are done', async () => {
  const hung = gate();
  const runs: string[] = [];
  const runOne = async ({ payload, attempt }: Job): Promise<void> => {
    runs.push(`${payload} ${attempt}`);
    if (payload === 0) await hung.opened;
    if (payload === 1 && attempt === 1) throw new Error('failed');
  };
  const handler: JobHandler = { kind: 'slow', queue: 'default', batchMax: 4, run: (jobs) => jobs.map(runOne) };
  await add('slow', 4);
  work({ handlers: [handler] });
  await until('one job is left', async () => (await left('slow')) === 1);
  assert.deepEqual(runs.sort(), ['0 1', '1 1', '1 2', '2 1', '3 1']);
  hung.open();
  await until('all jobs are deleted', async () => (await left('slow')) === 0);
});

test('a handler that throws instead of returning promises fails all jobs of the call', async () => {
  let calls = 0;
  const handler: JobHandler = {
    kind: 'slow',
    queue: 'default',
    batchMax: 4,
    run: (jobs) => {
      if (calls++ === 0) throw new Error('failed');
      return jobs.map(async () => undefined);
    },
  };
  await add('slow', 3);
  work({ handlers: [handler] });
  await until('all jobs are deleted', async () => (await left('slow')) === 0);
  assert.equal(calls, 4, 'each is retried alone');
});

test('lanes that wait for a hung system delay no other lanes of their group', async () => {
  const hung = gate();
  const drained: string[] = [];
  const drain = async (lane: Lane) => {
    drained.push(lane.laneKey);
    if (lane.laneKey.startsWith('slow')) await hung.opened;
    await db.transaction((tx) => settleLaneItems(tx, lane, 1));
  };
  work({ laneHandlers: [{ kind: 'k', concurrencyMax: 2, groupConcurrency: () => 1, lingeringMax: 10, drain }] });
  const addLane = (laneKey: string) =>
    db.transaction((tx) => addToLanes(tx, [{ ledgerId, kind: 'k', groupId: 'g', laneKey, items: 1 }]));
  for (const key of ['slow1', 'slow2', 'slow3', 'slow4', 'quick']) await addLane(key);
  const lanes = async () =>
    (await sql<{ lane_key: string }>(db, 'select lane_key from lanes')).map((row) => row.lane_key);
  await until('the quick lane is drained', async () => !(await lanes()).includes('quick'));
  assert.deepEqual((await lanes()).sort(), ['slow1', 'slow2', 'slow3', 'slow4']);
  hung.open();
  await until('all lanes are drained', async () => (await lanes()).length === 0);
  assert.equal(drained.length, 5, 'none is drained twice');
});
