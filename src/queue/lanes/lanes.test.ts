import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { claimLanesOf, gate, openJobsDatabase, silentLog, sql, until } from '../../../test/support/jobs.ts';
import type { Database } from '../../db/database.ts';
import type { Lane, LaneHandler } from '../jobs/job.ts';
import { LeaseLostError } from '../worker/lease.ts';
import type { WorkerSettings } from '../worker/settings.ts';
import { createWorkers, type Workers } from '../worker/workers.ts';
import {
  addToLanes,
  dropLanes,
  holdLanes,
  postponeLane,
  releaseLane,
  renewLane,
  resumeLanes,
  settleLaneItems,
  settleLanes,
} from './lanes.ts';

let db: Database;
let ledgerId: number;
let open: Awaited<ReturnType<typeof openJobsDatabase>>;
const started: Workers[] = [];

before(async () => {
  open = await openJobsDatabase();
  ({ db, ledgerId } = open);
  await sql(db, 'create table items (lane_key text, position integer, done_by text, primary key (lane_key, position))');
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((workers) => workers.stop({ deadlineMs: 50 })));
  await sql(db, 'delete from lanes');
  await sql(db, 'delete from items');
});

after(() => open.close());

function work(handler: Partial<LaneHandler>, settings: Partial<WorkerSettings> = {}, on = db): Workers {
  const laneHandlers = [
    { kind: 'k', concurrencyMax: 8, groupConcurrency: () => 4, drain: async () => undefined, ...handler },
  ];
  const workers = createWorkers({ db: on, log: silentLog, handlers: [], laneHandlers, queues: {}, settings });
  started.push(workers);
  workers.start();
  return workers;
}

const add = (laneKey: string, items = 1, groupId = 'g', held = false) =>
  db.transaction((tx) => addToLanes(tx, [{ ledgerId, kind: 'k', groupId, laneKey, items, held }]));

const settle = (lane: Lane, done: number) => db.transaction((tx) => settleLaneItems(tx, lane, done));

const claim = (slots = 10, leaseToken = 'mine', leaseMs = 5_000): Promise<Lane[]> =>
  claimLanesOf(db, { kind: 'k', groupId: 'g', slots, leaseMs, leaseToken });

async function claimOne(leaseToken = 'mine'): Promise<Lane> {
  const [lane] = await claim(1, leaseToken);
  assert.ok(lane);
  return lane;
}

const lanesLeft = async () => (await sql(db, 'select 1 from lanes')).length;

test('a lane lives from its first item to its last', async () => {
  await add('a', 2);
  await add('a', 3);
  const lane = await claimOne();
  assert.equal(await settle(lane, 4), 1);
  assert.equal(await settle(lane, 1), 0);
  assert.equal(await lanesLeft(), 0);
});

test('one call adds several items to a lane and to several lanes', async () => {
  const items = ['b', 'a', 'b'].map((laneKey) => ({ ledgerId, kind: 'k', groupId: 'g', laneKey, items: 2 }));
  await db.transaction((tx) => addToLanes(tx, items));
  const rows = await sql(db, 'select lane_key, pending from lanes order by 1');
  assert.deepEqual(rows, [
    { lane_key: 'a', pending: 2 },
    { lane_key: 'b', pending: 4 },
  ]);
});

test('an item added while its lane is being emptied is never stranded', async () => {
  await add('a', 1);
  const lane = await claimOne();
  const adding = gate();
  const mayCommit = gate();
  const emitter = db.transaction(async (tx) => {
    await addToLanes(tx, [{ ledgerId, kind: 'k', groupId: 'g', laneKey: 'a', items: 1 }]);
    adding.open();
    await mayCommit.opened;
  });
  await adding.opened;
  const settled = settle(lane, 1);
  await until('the settlement waits for the emitter', async () => {
    const waits = await sql(
      db,
      `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    return waits.length === 1;
  });
  mayCommit.open();
  await emitter;
  assert.equal(await settled, 1);
  assert.equal(await lanesLeft(), 1);
});

test('hammered by emitters, every item is done once and in order, by two sets of workers', async () => {
  const holders = new Map<string, number>();
  const drain = (on: Database) => async (lane: Lane) => {
    holders.set(lane.laneKey, (holders.get(lane.laneKey) ?? 0) + 1);
    assert.equal(holders.get(lane.laneKey), 1, 'held by one at a time');
    try {
      for (let remaining = 1; remaining > 0; ) {
        remaining = await on.transaction(async (tx) => {
          const done = await tx.query(
            {
              name: '',
              text: `update items set done_by = $2 where (lane_key, position) in (
                       select lane_key, position from items where lane_key = $1 and done_by is null
                       order by position limit 3) returning position`,
            },
            [lane.laneKey, lane.leaseToken],
          );
          assert.ok(done.length > 0, 'a lane always has items');
          return settleLaneItems(tx, lane, done.length);
        });
      }
    } finally {
      holders.set(lane.laneKey, (holders.get(lane.laneKey) ?? 0) - 1);
    }
  };
  const other = open.openOther();
  work({ drain: drain(db) });
  work({ drain: drain(other) }, {}, other);
  const emit = async (laneKey: string) => {
    for (let position = 0; position < 100; position++) {
      await db.transaction(async (tx) => {
        await tx.query({ name: '', text: 'insert into items (lane_key, position) values ($1, $2)' }, [
          laneKey,
          position,
        ]);
        await addToLanes(tx, [{ ledgerId, kind: 'k', groupId: laneKey, laneKey, items: 1 }]);
      });
    }
  };
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map(emit));
  await until('all lanes are empty', async () => (await lanesLeft()) === 0);
  assert.deepEqual(await sql(db, 'select count(*)::int as n, count(done_by)::int as done from items'), [
    { n: 500, done: 500 },
  ]);
});

test('many lanes settle in one statement, each for itself', async () => {
  await add('a', 1);
  await add('b', 5);
  await add('c', 1);
  const lanes = (await claim()).sort((a, b) => (a.laneKey < b.laneKey ? -1 : 1));
  await sql(db, `update lanes set lease_token = 'other' where lane_key = 'c'`);
  assert.deepEqual(
    await settleLanes(
      db,
      lanes.map((lane) => ({ lane, done: 1 })),
    ),
    [0, 4, undefined],
  );
  assert.deepEqual(await sql(db, 'select lane_key, pending from lanes order by 1'), [
    { lane_key: 'b', pending: 4 },
    { lane_key: 'c', pending: 1 },
  ]);
});

test('whoever holds a lane no longer can change nothing about it', async () => {
  await add('a', 2);
  const lane = await claimOne();
  await sql(db, 'update lanes set run_at = clock_timestamp()');
  await claimOne('other');
  const before = await sql(db, 'select * from lanes');
  await assert.rejects(settle(lane, 1), LeaseLostError);
  await assert.rejects(
    db.transaction((tx) => postponeLane(tx, lane, { delayMs: 1 })),
    LeaseLostError,
  );
  await assert.rejects(
    db.transaction((tx) => releaseLane(tx, lane)),
    LeaseLostError,
  );
  await assert.rejects(renewLane(db, lane), LeaseLostError);
  assert.deepEqual(await sql(db, 'select * from lanes'), before);
});

test('failures are counted until a success', async () => {
  await add('a', 3);
  await db.transaction(async (tx) => postponeLane(tx, await claimOne(), { delayMs: 0 }));
  await db.transaction(async (tx) => postponeLane(tx, await claimOne(), { delayMs: 0 }));
  const lane = await claimOne();
  assert.equal(lane.failures, 2);
  await settle(lane, 1);
  await db.transaction((tx) => releaseLane(tx, lane));
  assert.equal((await claimOne()).failures, 0);
});

test('a postponed lane is not due before its moment, also when items are added', async () => {
  await add('a', 1);
  await db.transaction(async (tx) => postponeLane(tx, await claimOne(), { delayMs: 60_000 }));
  await add('a', 1);
  assert.deepEqual(await claim(), []);
});

test('a held group stops, with the lanes that are in hand, and goes on when resumed', async () => {
  await add('rests');
  await add('works', 2);
  const lanes = await claim();
  await db.transaction((tx) => releaseLane(tx, lanes.find((lane) => lane.laneKey === 'rests') as Lane));
  await db.transaction((tx) => holdLanes(tx, ledgerId, 'k', 'g'));
  const works = lanes.find((lane) => lane.laneKey === 'works') as Lane;
  assert.equal(await settle(works, 1), 1, 'what is in hand may finish its item');
  await db.transaction((tx) => releaseLane(tx, works));
  await add('new', 1, 'g', true);
  const [{ resting } = { resting: 0 }] = await sql<{ resting: number }>(
    db,
    `select count(*)::int as resting from lanes where run_at = 'infinity' and lease_token is null`,
  );
  assert.equal(resting, 3);
  assert.deepEqual(await claim(), []);
  await db.transaction((tx) => resumeLanes(tx, ledgerId, 'k', 'g'));
  assert.deepEqual((await claim()).map((lane) => lane.laneKey).sort(), ['new', 'rests', 'works']);
});

test('a lane held while in the hand of a worker that dies is not claimed again', async () => {
  await add('a');
  await claimOne();
  await db.transaction((tx) => holdLanes(tx, ledgerId, 'k', 'g'));
  await sql(db, 'update lanes set run_at = clock_timestamp()');
  assert.deepEqual(await claim(), []);
  await db.transaction((tx) => resumeLanes(tx, ledgerId, 'k', 'g'));
  assert.equal((await claim()).length, 1);
});

test('a dropped group is gone and its holders are fenced out', async () => {
  await add('a');
  const lane = await claimOne();
  await db.transaction((tx) => dropLanes(tx, ledgerId, 'k', 'g'));
  assert.equal(await lanesLeft(), 0);
  await assert.rejects(settle(lane, 1), LeaseLostError);
});

test('a group never has more lanes in hand than its bound, and a slow group does not hold up another', async () => {
  const slow = gate();
  let slowInHand = 0;
  let slowHighest = 0;
  let quick = 0;
  for (let index = 0; index < 30; index++) await add(`slow${index}`, 1, 'slow');
  work({
    concurrencyMax: 6,
    groupConcurrency: (groupId) => (groupId === 'slow' ? 2 : 4),
    drain: async (lane) => {
      if (lane.groupId === 'slow') {
        slowHighest = Math.max(slowHighest, ++slowInHand);
        await slow.opened;
        slowInHand--;
      } else {
        quick++;
      }
      await settle(lane, 1);
    },
  });
  await until('the slow group is at work', () => slowInHand === 2);
  for (let index = 0; index < 30; index++) await add(`quick${index}`, 1, `quick${index % 3}`);
  await until('the quick groups are done', () => quick === 30);
  assert.equal(slowInHand, 2);
  slow.open();
  await until('the slow group is done too', async () => (await lanesLeft()) === 0);
  assert.equal(slowHighest, 2);
});

test('lanes that failed have bounds of their own, and take no slot from the others of their group', async () => {
  const inHand = new Set<string>();
  const stuck = gate();
  for (let index = 0; index < 10; index++) await add(`failed${index}`, 1, index < 6 ? 'g' : 'h');
  await sql(db, 'update lanes set failures = 2');
  work({
    groupConcurrency: () => 2,
    failed: { concurrencyMax: 4, groupConcurrency: () => 3 },
    drain: async (lane) => {
      inHand.add(lane.laneKey);
      if (lane.failures > 0) await stuck.opened;
      await settle(lane, 1);
    },
  });
  await until('as many are stuck as may', () => inHand.size === 4);
  for (let index = 0; index < 6; index++) await add(`well${index}`);
  await until('the others are done', () => [...inHand].filter((key) => key.startsWith('well')).length === 6);
  assert.equal([...inHand].filter((key) => key.startsWith('failed')).length, 4);
  assert.deepEqual(
    await sql(
      db,
      `select group_id, count(*)::int as held from lanes where failures > 0 and lease_token is not null group by 1 order by 1`,
    ),
    [
      { group_id: 'g', held: 2 },
      { group_id: 'h', held: 2 },
    ],
  );
  stuck.open();
  await until('all lanes are empty', async () => (await lanesLeft()) === 0);
});

test('groups share the slots in turns, however many lanes one of them has', async () => {
  for (let index = 0; index < 200; index++) await add(`big${index}`, 1, 'big');
  for (let index = 0; index < 5; index++) await add(`small${index}`, 1, 'small');
  const order: string[] = [];
  work({
    concurrencyMax: 4,
    groupConcurrency: () => 100,
    drain: async (lane) => {
      order.push(lane.groupId);
      await settle(lane, 1);
    },
  });
  await until('all lanes are empty', async () => (await lanesLeft()) === 0);
  assert.ok(order.lastIndexOf('small') < 20, `the last small one came ${order.lastIndexOf('small')}th`);
});

test('a drain that throws comes back after a pause, one that just returns is released', async () => {
  const seen: number[] = [];
  await add('a', 2);
  work(
    {
      drain: async (lane) => {
        seen.push(lane.failures);
        if (seen.length === 1) throw new Error('no');
        await settle(lane, 1);
      },
    },
    { retryMinMs: 50 },
  );
  await until('the lane is empty', async () => (await lanesLeft()) === 0);
  assert.deepEqual(seen, [0, 1, 0]);
});

test("a killed worker's lane comes back after the lease, and a running drain keeps its own", async () => {
  await add('dead', 1);
  await claim(1, 'killed', 100);
  await add('long', 1);
  const long = gate();
  const seen: string[] = [];
  work(
    {
      drain: async (lane) => {
        seen.push(lane.laneKey);
        if (lane.laneKey === 'long') await long.opened;
        await settle(lane, 1);
      },
    },
    { leaseMs: 1_000 },
  );
  await until('the dead one is done', async () => (await lanesLeft()) === 1);
  const startedAt = performance.now();
  await until('three leases have gone by', () => performance.now() - startedAt > 3_000);
  long.open();
  await until('all lanes are empty', async () => (await lanesLeft()) === 0);
  assert.deepEqual(seen.sort(), ['dead', 'long']);
});
