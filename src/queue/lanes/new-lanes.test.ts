import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askedTimes, gate, sql, until } from '../../../test/support/jobs.ts';
import { useLanes } from '../../../test/support/lanes.ts';
import type { ClaimOffer } from '../../db/claim-offers.ts';
import type { Database } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { monotonicMs } from '../../lib/time/time.ts';
import { addToLanesSql } from './lane-sql.ts';
import { drainNewLane, laneOfOffer } from './new-lanes.ts';

const lanes = useLanes();

const ADD = statement(
  'test_add_claimed',
  `${addToLanesSql({
    ledgerId: '$1::int',
    kind: `'k'`,
    groupId: `'g'`,
    laneKey: '$2::text',
    items: '1',
    from: '',
    claim: { token: '$3::text', leaseMs: '$4::float8' },
  })} returning lease_token`,
);

/** Adds an item to a lane, with a claim if the lane is new. Returns true if the lane has the claim. */
async function add(db: Database, laneKey: string, offer: ClaimOffer | undefined): Promise<boolean> {
  const values = [lanes.ledgerId, laneKey, offer?.leaseToken ?? null, offer?.leaseMs ?? null];
  const [row] = await db.query<{ lease_token: string | null }>(ADD, values);
  return offer !== undefined && row?.lease_token === offer.leaseToken;
}

const laneOf = (laneKey: string, offer: ClaimOffer) =>
  laneOfOffer({ ledgerId: lanes.ledgerId, kind: 'k', groupId: 'g', laneKey }, offer);

/** Starts workers that look for lanes once a minute. */
const work = (handler: Parameters<typeof lanes.work>[0]) =>
  lanes.work({ claimsNew: true, ...handler }, { settings: { pollMs: 60_000 } });

test('a lane that is claimed as it is made is drained at once with the items that were stored', async () => {
  const drained: unknown[] = [];
  work({
    drain: async (lane, items) => {
      drained.push([lane.laneKey, items]);
      await lanes.settle(lane, 1);
    },
  });
  const { db } = lanes;
  const offer = db.offers.get('k', 'g') as ClaimOffer;
  assert.equal(await add(db, 'a', offer), true);
  drainNewLane(db, { lane: laneOf('a', offer), items: ['first'] });
  await until('it is drained', async () => (await lanes.countLanes()) === 0);
  assert.deepEqual(drained, [['a', ['first']]]);
});

test('a claimed new lane whose process died is drained by another after its lease', async () => {
  const offer = { leaseToken: 'dead', leaseMs: 300, offeredAt: monotonicMs() };
  assert.equal(await add(lanes.db, 'a', offer), true);
  const claims: (string | undefined)[] = [];
  lanes.work(
    {
      claimsNew: true,
      drain: async (lane, items) => {
        claims.push(lane.leaseToken, items as undefined);
        await lanes.settle(lane, 1);
      },
    },
    { settings: { pollMs: 50 } },
  );
  await until('it is drained', async () => (await lanes.countLanes()) === 0);
  assert.equal(claims.length, 2);
  assert.notEqual(claims[0], 'dead');
  assert.equal(claims[1], undefined);
  assert.ok(monotonicMs() - offer.offeredAt >= 300);
});

test('a lane that exists is not claimed by a statement that adds to it', async () => {
  const offer = { leaseToken: 'mine', leaseMs: 5_000, offeredAt: monotonicMs() };
  assert.equal(await add(lanes.db, 'a', { ...offer, leaseToken: 'first' }), true);
  assert.equal(await add(lanes.db, 'a', offer), false);
  const rows = await sql(lanes.db, 'select pending, lease_token from lanes');
  assert.deepEqual(rows, [{ pending: 2, lease_token: 'first' }]);
});

test('a paused installation claims no lane as it is made', async () => {
  const offer = { leaseToken: 'mine', leaseMs: 5_000, offeredAt: monotonicMs() };
  await sql(lanes.db, `insert into installation (sealed, paused_at) values ('', now())`);
  try {
    assert.equal(await add(lanes.db, 'a', offer), false);
  } finally {
    await sql(lanes.db, 'delete from installation');
  }
  const rows = await sql(lanes.db, 'select lease_token, run_at <= now() as is_due from lanes');
  assert.deepEqual(rows, [{ lease_token: null, is_due: true }]);
});

test('a process offers claims while its workers run and have room, and none for other kinds', async () => {
  const { db } = lanes;
  const mayEnd = gate();
  const workers = work({
    concurrencyMax: 2,
    groupConcurrency: (groupId) => (groupId === 'g' ? 1 : 2),
    drain: async (lane) => {
      await mayEnd.opened;
      await lanes.settle(lane, 1);
    },
  });
  const offer = db.offers.get('k', 'g') as ClaimOffer;
  assert.equal(db.offers.get('other', 'g'), undefined);
  await add(db, 'a', offer);
  drainNewLane(db, { lane: laneOf('a', offer), items: undefined });
  assert.equal(db.offers.get('k', 'g'), undefined, 'the group is full');
  assert.notEqual(db.offers.get('k', 'of_another'), undefined);
  mayEnd.open();
  await until('there is room again', () => db.offers.get('k', 'g') !== undefined);
  await workers.stop();
  assert.equal(db.offers.get('k', 'g'), undefined, 'the workers have stopped');
});

test('a lane that is announced while new lanes have all slots is drained when one ends', async () => {
  const { db } = lanes;
  const mayEnd = gate();
  const drained: string[] = [];
  const looked = askedTimes(db, 'lanes_due_groups', 1);
  work({
    concurrencyMax: 1,
    drain: async (lane) => {
      if (lane.laneKey === 'a') await mayEnd.opened;
      drained.push(lane.laneKey);
      await lanes.settle(lane, 1);
    },
  });
  await looked;
  const offer = db.offers.get('k', 'g') as ClaimOffer;
  await add(db, 'a', offer);
  drainNewLane(db, { lane: laneOf('a', offer), items: undefined });
  await lanes.add('b');
  mayEnd.open();
  await until('both are drained', async () => (await lanes.countLanes()) === 0);
  assert.deepEqual(drained, ['a', 'b']);
});

test('a lane that is claimed as it is made, while the workers stop, is released for another process', async () => {
  const { db } = lanes;
  const drained: string[] = [];
  const workers = work({ drain: async (lane) => void drained.push(lane.laneKey) });
  const offer = db.offers.get('k', 'g') as ClaimOffer;
  await add(db, 'a', offer);
  await workers.stop();
  drainNewLane(db, { lane: laneOf('a', offer), items: undefined });
  await until('it is due', async () => (await lanes.claim(1, 'other')).length === 1);
  assert.deepEqual(drained, []);
});
