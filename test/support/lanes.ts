import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import type { Logger } from 'pino';
import type { Database } from '../../src/db/database.ts';
import type { Lane, LaneHandler } from '../../src/queue/lanes/lane.ts';
import { claimLanes } from '../../src/queue/lanes/lane-claims.ts';
import { addToLanes, settleLaneItems } from '../../src/queue/lanes/lanes.ts';
import type { WorkerSettings } from '../../src/queue/worker/settings.ts';
import { createWorkers, type Workers } from '../../src/queue/worker/workers.ts';
import { openJobsDatabase, silentLog, sql } from './jobs.ts';

const LANE_KIND = 'k';

type WorkOptions = { settings?: Partial<WorkerSettings>; log?: Logger; on?: Database };

/**
 * A database for the tests of lanes of one kind in a file. After each test its workers stop and its lanes are deleted.
 * The fields can be read once the tests run.
 * @param prepare runs once on the new database
 */
export function useLanes(prepare?: (db: Database) => Promise<unknown>) {
  let open: Awaited<ReturnType<typeof openJobsDatabase>>;
  const started: Workers[] = [];
  before(async () => {
    open = await openJobsDatabase();
    await prepare?.(open.db);
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((workers) => workers.stop({ deadlineMs: 50 })));
    await sql(open.db, 'delete from lanes');
  });
  after(() => open.close());

  const claim = (slots = 10, leaseToken = 'mine', leaseMs = 5_000): Promise<Lane[]> =>
    claimLanesOf(open.db, { kind: LANE_KIND, groupId: 'g', slots, leaseMs, leaseToken });

  return {
    get db() {
      return open.db;
    },
    get ledgerId() {
      return open.ledgerId;
    },
    openOther: () => open.openOther(),
    /** Starts workers. By default they drain up to 4 lanes of a group, and 8 in all. */
    work(handler: Partial<LaneHandler>, { settings = {}, log = silentLog, on = open.db }: WorkOptions = {}): Workers {
      const bounds = { concurrencyMax: 8, groupConcurrency: () => 4 };
      const laneHandlers = [{ kind: LANE_KIND, ...bounds, drain: async () => undefined, ...handler }];
      const workers = createWorkers({ db: on, log, handlers: [], laneHandlers, queues: {}, settings });
      started.push(workers);
      workers.start();
      return workers;
    },
    /** Adds items to a lane. */
    add: (laneKey: string, items = 1, groupId = 'g', paused = false) =>
      open.db.transaction((tx) =>
        addToLanes(tx, [{ ledgerId: open.ledgerId, kind: LANE_KIND, groupId, laneKey, items, paused }]),
      ),
    /** Subtracts finished items. */
    settle: (lane: Lane, done: number) => open.db.transaction((tx) => settleLaneItems(tx, lane, done)),
    /** Claims lanes of the group `g`. */
    claim,
    claimOne: async (leaseToken = 'mine'): Promise<Lane> => {
      const [lane] = await claim(1, leaseToken);
      assert.ok(lane);
      return lane;
    },
    countLanes: async () => (await sql(open.db, 'select 1 from lanes')).length,
  };
}

/** Claims lanes of one group, like a worker with `slots` free slots. */
export async function claimLanesOf(
  db: Database,
  lane: { kind: string; groupId: string; slots?: number; leaseMs: number; leaseToken: string },
): Promise<Lane[]> {
  const { kind, groupId, slots = 1, leaseMs, leaseToken } = lane;
  const { lanes } = await claimLanes(db, kind, { shares: [{ groupId, failed: false, slots }], leaseMs, leaseToken });
  return lanes;
}
