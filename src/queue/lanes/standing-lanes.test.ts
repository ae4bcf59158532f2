import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gate, sql, until, useJobsDatabase } from '../../../test/support/jobs.ts';
import { claimLanesOf } from '../../../test/support/lanes.ts';
import type { Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Lane } from './lane.ts';
import { releaseLostLanes, renewLanes } from './lane-claims.ts';
import { activateLanesCtes, endStandingLane, fenceLane } from './standing-lanes.ts';

const KIND = 'standing';
const site = await useJobsDatabase();

const ACTIVATE = statement(
  'test_activate_lanes',
  `with ${activateLanesCtes(KIND, 'select $1::int, $2::text')} select (select count(*) from activated)::int as activated`,
);

/** Adds an item to the group's lane; true if the lane is new. */
async function add(tx: Tx, group: string): Promise<boolean> {
  const [row] = await tx.query<{ activated: number }>(ACTIVATE, [site.ledgerId, group]);
  return row?.activated === 1;
}

async function claim(group: string): Promise<Lane> {
  const claimed = { kind: KIND, groupId: group, leaseMs: 30_000, leaseToken: `mine ${group}` };
  const [lane] = await claimLanesOf(site.db, claimed);
  return lane as Lane;
}

const exists = async (group: string) =>
  (await sql(site.db, 'select 1 from lanes where group_id = $1', [group])).length === 1;

const end = (lane: Lane, isEmpty: () => Promise<boolean>) =>
  site.db.transaction((tx) => endStandingLane(tx, lane, { isEmpty, lookAgainMs: 10 }));

test('a lane ends when its holder finds it empty, and the next item makes another', async () => {
  assert.equal(await site.db.transaction((tx) => add(tx, 'a')), true);
  assert.equal(await site.db.transaction((tx) => add(tx, 'a')), false);
  const lane = await claim('a');
  await end(lane, async () => true);
  assert.equal(await exists('a'), false);
  assert.equal(await site.db.transaction((tx) => add(tx, 'a')), true);
});

test('a lane to which a transaction adds an item does not end, and concurrent additions do not wait for each other', async () => {
  await site.db.transaction((tx) => add(tx, 'b'));
  const lane = await claim('b');
  const commit = gate();
  const added = gate();
  const other = site.openOther();
  const adding = other.transaction(async (tx) => {
    await add(tx, 'b');
    added.open();
    await commit.opened;
  });
  try {
    await added.opened;
    await site.db.transaction((tx) => add(tx, 'b'));
    await site.db.transaction((tx) => fenceLane(tx, lane));
    await end(lane, () => assert.fail('the holder looks only when no transaction adds'));
    assert.equal(await exists('b'), true);
  } finally {
    commit.open();
    await adding;
  }
});

test('a lane is claimed, and its claim renewed and released, while a transaction adds an item to it', async () => {
  await site.db.transaction((tx) => add(tx, 'f'));
  const [commit, added] = [gate(), gate()];
  const adding = site.openOther().transaction(async (tx) => {
    await add(tx, 'f');
    added.open();
    await commit.opened;
  });
  const inLease = `select 1 from lanes where group_id = 'f' and run_at > clock_timestamp() + interval '50 s'`;
  try {
    await added.opened;
    const lane = await claim('f');
    assert.equal(lane?.groupId, 'f');
    await renewLanes(site.db, [lane], 60_000);
    assert.equal((await sql(site.db, inLease)).length, 1);
    const { leaseToken } = lane;
    await releaseLostLanes(site.db, KIND, {
      shares: [{ groupId: 'f', failed: false, slots: 1 }],
      leaseMs: 60_000,
      leaseToken,
    });
    assert.equal((await claim('f'))?.groupId, 'f');
  } finally {
    commit.open();
    await adding;
  }
});

test('a lane in which the holder finds an item is kept', async () => {
  await site.db.transaction((tx) => add(tx, 'c'));
  await end(await claim('c'), async () => false);
  assert.equal(await exists('c'), true);
});

test('an item that is added while its lane ends gets a new lane', async () => {
  await site.db.transaction((tx) => add(tx, 'd'));
  const lane = await claim('d');
  const other = site.openOther();
  let adding: Promise<boolean> | undefined;
  await site.db.transaction(async (tx) => {
    await endStandingLane(tx, lane, { isEmpty: async () => true, lookAgainMs: 10 });
    adding = other.transaction((theirs) => add(theirs, 'd'));
    await until('the item waits for the lane', async () => {
      const waiting = await sql(site.db, `select 1 from pg_stat_activity where wait_event_type = 'Lock'`);
      return waiting.length > 0;
    });
  });
  assert.equal(await adding, true);
  assert.equal(await exists('d'), true);
});

test('a worker that has lost its claim can neither continue nor end the lane', async () => {
  await site.db.transaction((tx) => add(tx, 'e'));
  const lane = { ...(await claim('e')), leaseToken: 'another' };
  await assert.rejects(
    site.db.transaction((tx) => fenceLane(tx, lane)),
    { name: 'LeaseLostError' },
  );
  await assert.rejects(
    end(lane, async () => true),
    { name: 'LeaseLostError' },
  );
  assert.equal(await exists('e'), true);
});
