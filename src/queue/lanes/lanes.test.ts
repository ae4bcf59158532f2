import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { gate, sql, until, untilRenewed } from '../../../test/support/jobs.ts';
import { useLanes } from '../../../test/support/lanes.ts';
import type { Database } from '../../db/database.ts';
import { LeaseLostError } from '../worker/lease.ts';
import type { Lane } from './lane.ts';
import {
  addToLanes,
  dropLanes,
  hurryLane,
  pauseLanes,
  postponeLane,
  releaseLane,
  renewLane,
  resumeLanes,
  settleLaneItems,
  settleLanes,
} from './lanes.ts';

const ITEMS = 'create table items (lane_key text, position integer, done_by text, primary key (lane_key, position))';

const site = useLanes((db) => sql(db, ITEMS));
const { add, settle, claim, claimOne, countLanes, work } = site;

afterEach(() => sql(site.db, 'delete from items'));

test('a lane exists from its first item to its last', async () => {
  await add('a', 2);
  await add('a', 3);
  const lane = await claimOne();
  assert.equal(await settle(lane, 4), 1);
  assert.equal(await settle(lane, 1), 0);
  assert.equal(await countLanes(), 0);
});

test('one call adds several items to a lane and to several lanes', async () => {
  const items = ['b', 'a', 'b'].map((laneKey) => ({
    ledgerId: site.ledgerId,
    kind: 'k',
    groupId: 'g',
    laneKey,
    items: 2,
  }));
  await site.db.transaction((tx) => addToLanes(tx, items));
  const rows = await sql(site.db, 'select lane_key, pending from lanes order by 1');
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
  const adder = site.db.transaction(async (tx) => {
    await addToLanes(tx, [{ ledgerId: site.ledgerId, kind: 'k', groupId: 'g', laneKey: 'a', items: 1 }]);
    adding.open();
    await mayCommit.opened;
  });
  await adding.opened;
  const settled = settle(lane, 1);
  await until('the settlement waits for the transaction that adds', async () => {
    const waits = await sql(
      site.db,
      `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    return waits.length === 1;
  });
  mayCommit.open();
  await adder;
  assert.equal(await settled, 1);
  assert.equal(await countLanes(), 1);
});

test('two sets of workers do every item once and in order while items are added concurrently', async () => {
  const holders = new Map<string, number>();
  const drain = (on: Database) => async (lane: Lane) => {
    holders.set(lane.laneKey, (holders.get(lane.laneKey) ?? 0) + 1);
    assert.equal(holders.get(lane.laneKey), 1, 'claimed by one worker at a time');
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
  const other = site.openOther();
  work({ drain: drain(site.db) });
  work({ drain: drain(other) }, { on: other });
  const emit = async (laneKey: string) => {
    for (let position = 0; position < 100; position++) {
      await site.db.transaction(async (tx) => {
        await tx.query({ name: '', text: 'insert into items (lane_key, position) values ($1, $2)' }, [
          laneKey,
          position,
        ]);
        await addToLanes(tx, [{ ledgerId: site.ledgerId, kind: 'k', groupId: laneKey, laneKey, items: 1 }]);
      });
    }
  };
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map(emit));
  await until('all lanes are empty', async () => (await countLanes()) === 0);
  assert.deepEqual(await sql(site.db, 'select count(*)::int as n, count(done_by)::int as done from items'), [
    { n: 500, done: 500 },
  ]);
});

test('one statement settles many lanes, each independently of the others', async () => {
  await add('a', 1);
  await add('b', 5);
  await add('c', 1);
  const lanes = (await claim()).sort((a, b) => (a.laneKey < b.laneKey ? -1 : 1));
  await sql(site.db, `update lanes set lease_token = 'other' where lane_key = 'c'`);
  assert.deepEqual(
    await settleLanes(
      site.db,
      lanes.map((lane) => ({ lane, done: 1 })),
    ),
    [0, 4, undefined],
  );
  assert.deepEqual(await sql(site.db, 'select lane_key, pending from lanes order by 1'), [
    { lane_key: 'b', pending: 4 },
    { lane_key: 'c', pending: 1 },
  ]);
});

test('a worker that has lost its claim can change nothing about the lane', async () => {
  await add('a', 2);
  const lane = await claimOne();
  await sql(site.db, 'update lanes set run_at = clock_timestamp()');
  await claimOne('other');
  const before = await sql(site.db, 'select * from lanes');
  await assert.rejects(settle(lane, 1), LeaseLostError);
  await assert.rejects(
    site.db.transaction((tx) => postponeLane(tx, lane, { delayMs: 1 })),
    LeaseLostError,
  );
  await assert.rejects(
    site.db.transaction((tx) => releaseLane(tx, lane)),
    LeaseLostError,
  );
  await assert.rejects(renewLane(site.db, lane), LeaseLostError);
  assert.deepEqual(await sql(site.db, 'select * from lanes'), before);
});

test('failures are counted until a success', async () => {
  await add('a', 3);
  await site.db.transaction(async (tx) => postponeLane(tx, await claimOne(), { delayMs: 0 }));
  await site.db.transaction(async (tx) => postponeLane(tx, await claimOne(), { delayMs: 0 }));
  const lane = await claimOne();
  assert.equal(lane.failures, 2);
  await settle(lane, 1);
  await site.db.transaction((tx) => releaseLane(tx, lane));
  assert.equal((await claimOne()).failures, 0);
});

test('a postponed lane is not due early, also when items are added', async () => {
  await add('a', 1);
  await site.db.transaction(async (tx) => postponeLane(tx, await claimOne(), { delayMs: 60_000 }));
  await add('a', 1);
  assert.deepEqual(await claim(), []);
});

test('a lane that is hurried is due, and its failures count from one again', async () => {
  await add('a', 1);
  for (const delayMs of [0, 0, 60_000]) {
    await site.db.transaction(async (tx) => postponeLane(tx, await claimOne(), { delayMs }));
  }
  await site.db.transaction((tx) => hurryLane(tx, { ledgerId: site.ledgerId, kind: 'k', groupId: 'g', laneKey: 'a' }));
  assert.equal((await claimOne()).failures, 1);
});

test('a paused group stops, claimed lanes included, and continues when resumed', async () => {
  await add('waits');
  await add('works', 2);
  const lanes = await claim();
  await site.db.transaction((tx) => releaseLane(tx, lanes.find((lane) => lane.laneKey === 'waits') as Lane));
  await site.db.transaction((tx) => pauseLanes(tx, site.ledgerId, 'k', 'g'));
  const works = lanes.find((lane) => lane.laneKey === 'works') as Lane;
  assert.equal(await settle(works, 1), 1, 'a claimed lane may finish its item');
  await site.db.transaction((tx) => releaseLane(tx, works));
  await add('new', 1, 'g', true);
  const [{ paused } = { paused: 0 }] = await sql<{ paused: number }>(
    site.db,
    `select count(*)::int as paused from lanes where run_at = 'infinity' and lease_token is null`,
  );
  assert.equal(paused, 3);
  assert.deepEqual(await claim(), []);
  await site.db.transaction((tx) => resumeLanes(tx, site.ledgerId, 'k', 'g'));
  assert.deepEqual((await claim()).map((lane) => lane.laneKey).sort(), ['new', 'waits', 'works']);
});

test('a lane that is paused while claimed by a worker that dies is not claimed again', async () => {
  await add('a');
  await claimOne();
  await site.db.transaction((tx) => pauseLanes(tx, site.ledgerId, 'k', 'g'));
  await sql(site.db, 'update lanes set run_at = clock_timestamp()');
  assert.deepEqual(await claim(), []);
  await site.db.transaction((tx) => resumeLanes(tx, site.ledgerId, 'k', 'g'));
  assert.equal((await claim()).length, 1);
});

test('a dropped group is deleted, and workers lose their claims on it', async () => {
  await add('a');
  const lane = await claimOne();
  await site.db.transaction((tx) => dropLanes(tx, site.ledgerId, 'k', 'g'));
  assert.equal(await countLanes(), 0);
  await assert.rejects(settle(lane, 1), LeaseLostError);
});

test('a group never has more claimed lanes than its bound, and a slow group does not delay another', async () => {
  const slow = gate();
  let slowClaimed = 0;
  let slowHighest = 0;
  let quick = 0;
  for (let index = 0; index < 30; index++) await add(`slow${index}`, 1, 'slow');
  work({
    concurrencyMax: 6,
    groupConcurrency: (groupId) => (groupId === 'slow' ? 2 : 4),
    drain: async (lane) => {
      if (lane.groupId === 'slow') {
        slowHighest = Math.max(slowHighest, ++slowClaimed);
        await slow.opened;
        slowClaimed--;
      } else {
        quick++;
      }
      await settle(lane, 1);
    },
  });
  await until('the slow group has claimed lanes', () => slowClaimed === 2);
  for (let index = 0; index < 30; index++) await add(`quick${index}`, 1, `quick${index % 3}`);
  await until('the quick groups are done', () => quick === 30);
  assert.equal(slowClaimed, 2);
  slow.open();
  await until('the slow group is done too', async () => (await countLanes()) === 0);
  assert.equal(slowHighest, 2);
});

test('failed lanes have separate bounds and take no slot from the healthy lanes of their group', async () => {
  const claimed = new Set<string>();
  const mayEnd = gate();
  for (let index = 0; index < 10; index++) await add(`failed${index}`, 1, index < 6 ? 'g' : 'h');
  await sql(site.db, 'update lanes set failures = 2');
  work({
    groupConcurrency: () => 2,
    failed: { concurrencyMax: 4, groupConcurrency: () => 3 },
    drain: async (lane) => {
      claimed.add(lane.laneKey);
      if (lane.failures > 0) await mayEnd.opened;
      await settle(lane, 1);
    },
  });
  await until('as many failed lanes as may are claimed', () => claimed.size === 4);
  for (let index = 0; index < 6; index++) await add(`healthy${index}`);
  await until('the healthy lanes are done', () => [...claimed].filter((key) => key.startsWith('healthy')).length === 6);
  assert.equal([...claimed].filter((key) => key.startsWith('failed')).length, 4);
  assert.deepEqual(
    await sql(
      site.db,
      `select group_id, count(*)::int as claimed from lanes where failures > 0 and lease_token is not null group by 1 order by 1`,
    ),
    [
      { group_id: 'g', claimed: 2 },
      { group_id: 'h', claimed: 2 },
    ],
  );
  mayEnd.open();
  await until('all lanes are empty', async () => (await countLanes()) === 0);
});

test('groups take turns at the slots, however many lanes one of them has', async () => {
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
  await until('all lanes are empty', async () => (await countLanes()) === 0);
  assert.ok(order.lastIndexOf('small') < 20, `the last small lane was number ${order.lastIndexOf('small')}`);
});

test('a lane whose drain throws is retried after a delay, and one whose drain just returns is released', async () => {
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
    { settings: { retryMinMs: 50 } },
  );
  await until('the lane is empty', async () => (await countLanes()) === 0);
  assert.deepEqual(seen, [0, 1, 0]);
});

test("a killed worker's lane is due again after the lease, and a running drain keeps its claim", async () => {
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
    { settings: { leaseMs: 4_000 } },
  );
  await until("the dead worker's lane is done", async () => (await countLanes()) === 1);
  await until('the other drain runs', () => seen.includes('long'));
  await untilRenewed(site.db, 'lanes', 4_000);
  long.open();
  await until('all lanes are empty', async () => (await countLanes()) === 0);
  assert.deepEqual(seen.sort(), ['dead', 'long']);
});
