/** Leases of lanes, and what becomes of a lane whose drain did not end well. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { pino } from 'pino';
import { gate, openJobsDatabase, silentLog, sql, until } from '../../../test/support/jobs.ts';
import type { Database } from '../../db/database.ts';
import type { Lane, LaneHandler } from '../jobs/job.ts';
import type { WorkerSettings } from '../worker/settings.ts';
import { takeOverWork } from '../worker/take-over.ts';
import { createWorkers, type Workers } from '../worker/workers.ts';
import { addToLanes, postponeLane, settleLaneItems } from './lanes.ts';

let db: Database;
let ledgerId: number;
let open: Awaited<ReturnType<typeof openJobsDatabase>>;
const started: Workers[] = [];

before(async () => {
  open = await openJobsDatabase();
  ({ db, ledgerId } = open);
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((workers) => workers.stop({ deadlineMs: 50 })));
  await sql(db, 'delete from lanes');
});

after(() => open.close());

function work(handler: Partial<LaneHandler>, settings: Partial<WorkerSettings> = {}, log = silentLog): Workers {
  const laneHandlers = [
    { kind: 'k', concurrencyMax: 8, groupConcurrency: () => 4, drain: async () => undefined, ...handler },
  ];
  const workers = createWorkers({ db, log, handlers: [], laneHandlers, queues: {}, settings });
  started.push(workers);
  workers.start();
  return workers;
}

const add = (laneKey: string, items = 1, groupId = 'g', held = false) =>
  db.transaction((tx) => addToLanes(tx, [{ ledgerId, kind: 'k', groupId, laneKey, items, held }]));

const settle = (lane: Lane, done: number) => db.transaction((tx) => settleLaneItems(tx, lane, done));

const lanesLeft = async () => (await sql(db, 'select 1 from lanes')).length;

test('a drain that throws adds nothing to failures that the handler counts itself', async () => {
  const seen: number[] = [];
  await add('a', 1);
  work(
    {
      countsItself: true,
      drain: async (lane) => {
        seen.push(lane.failures);
        if (seen.length === 1) throw new Error('no');
        if (seen.length === 2) await db.transaction((tx) => postponeLane(tx, lane, { delayMs: 1 }));
        else await settle(lane, 1);
      },
    },
    { retryMinMs: 10 },
  );
  await until('the lane is empty', async () => (await lanesLeft()) === 0);
  assert.deepEqual(seen, [0, 0, 1]);
});

test('urgent lanes come back five seconds after the death of their worker, others after thirty', async () => {
  const leaseOf = async (urgent: boolean) => {
    await add('a', 1);
    const inHand = gate();
    const workers = work({
      urgent,
      drain: async (lane) => {
        assert.equal(lane.leaseMs, urgent ? 5_000 : 30_000);
        await inHand.opened;
        await settle(lane, 1);
      },
    });
    await until(
      'it is in hand',
      async () => (await sql(db, 'select 1 from lanes where lease_token > $1', [''])).length > 0,
    );
    const [row] = await sql<{ ms: number }>(
      db,
      'select extract(epoch from run_at - now())::float8 * 1000 as ms from lanes',
    );
    inHand.open();
    await workers.stop();
    return row?.ms ?? 0;
  };
  const [urgent, other] = [await leaseOf(true), await leaseOf(false)];
  assert.ok(urgent > 3_000 && urgent <= 5_000, String(urgent));
  assert.ok(other > 28_000 && other <= 30_000, String(other));
});

test('what is logged of a lane is no phone number that its key has', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  await add('ten_1:+16025550100', 2);
  let drains = 0;
  const drain = async (lane: Lane) => {
    drains++;
    if (drains === 1) throw new Error('no');
    await sql(db, `update lanes set lease_token = 'of another'`);
    await settle(lane, 1);
  };
  work({ drain }, { retryMinMs: 10 }, log);
  await until('it has failed and was lost', () => lines.some((line) => line.includes('passed to another')));
  assert.match(lines.join(''), /lane failed.*ten_1|ten_1.*lane failed/);
  assert.doesNotMatch(lines.join(''), /\+1\d/);
});

test('a process that is alone takes up at once what another had in hand when it died', async () => {
  await add('a', 1);
  await add('held', 1, 'of_held', true);
  await sql(db, `update lanes set lease_token = 'dead', run_at = now() + interval '30 seconds'`);
  await takeOverWork(db);
  const rows = await sql<{ lane_key: string; due: boolean }>(
    db,
    `select lane_key, run_at <= now() and lease_token is null as due from lanes order by lane_key`,
  );
  assert.deepEqual(rows, [
    { lane_key: 'a', due: true },
    { lane_key: 'held', due: false },
  ]);
});
