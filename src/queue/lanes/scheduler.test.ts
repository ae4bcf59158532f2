import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Lane } from './lane.ts';
import { createLaneScheduler, type DueGroup, type LaneBounds, type Share } from './scheduler.ts';

const FAILED_BOUNDS = { concurrencyMax: 4, groupConcurrency: () => 3 };

function schedulerOf(bounds: Partial<LaneBounds> = {}) {
  return createLaneScheduler({ concurrencyMax: 8, groupConcurrency: () => 4, ...bounds });
}

const healthy = (groupId: string): DueGroup => ({ groupId, failed: false });
const failed = (groupId: string): DueGroup => ({ groupId, failed: true });

function lanesOf({ groupId, failed: hasFailed }: DueGroup, count: number): Lane[] {
  return Array.from({ length: count }, (_, index) => ({
    ledgerId: 1,
    kind: 'k',
    groupId,
    laneKey: `${groupId}${index}`,
    failures: hasFailed ? 1 : 0,
    leaseToken: 'mine',
    leaseMs: 5_000,
  }));
}

const slotsOf = (shares: readonly Share[]) =>
  Object.fromEntries(shares.map((share) => [`${share.groupId}${share.failed ? ' failed' : ''}`, share.slots]));

/** Settles a claim that found all lanes that it asked for, or `count` in each group. */
function settle(scheduler: ReturnType<typeof schedulerOf>, shares: readonly Share[], count?: number): Lane[] {
  const lanes = shares.flatMap((share) => lanesOf(share, count ?? share.slots));
  const found = shares.map(({ groupId, failed: hasFailed, slots }) => {
    return { groupId, failed: hasFailed, count: count ?? slots, untilMs: 5 };
  });
  scheduler.settle(shares, { lanes, found });
  return lanes;
}

describe('bounds', () => {
  test('groups share the slots equally, each up to its own bound', () => {
    const scheduler = schedulerOf({ groupConcurrency: (groupId) => (groupId === 'slow' ? 1 : 100) });
    scheduler.setDue([healthy('big'), healthy('small'), healthy('slow')]);
    assert.deepEqual(slotsOf(scheduler.reserve()), { big: 4, small: 3, slow: 1 });
    assert.equal(scheduler.isFull(), true);
  });

  test('groups with precedence get the slots that they have room for, and the others the rest', () => {
    const scheduler = schedulerOf({
      groupConcurrency: () => 3,
      hasPrecedence: (groupId) => groupId.startsWith('urgent'),
    });
    const due = ['a', 'urgent 1', 'b', 'urgent 2'].map(healthy);
    scheduler.setDue(due);
    assert.deepEqual(slotsOf(scheduler.reserve()), { 'urgent 1': 3, 'urgent 2': 3, a: 1, b: 1 });
  });

  test('reserved slots and claimed lanes count until they are released', () => {
    const scheduler = schedulerOf();
    scheduler.setDue([healthy('g')]);
    const shares = scheduler.reserve();
    assert.deepEqual(scheduler.reserve(), [], 'a concurrent claim keeps within the bound');
    const [lane] = settle(scheduler, shares) as [Lane];
    assert.deepEqual(scheduler.reserve(), []);
    scheduler.release(lane);
    assert.deepEqual(slotsOf(scheduler.reserve()), { g: 1 });
  });

  test('a claim that fails frees its slots and keeps its groups', () => {
    const scheduler = schedulerOf();
    scheduler.setDue([healthy('g')]);
    scheduler.settle(scheduler.reserve(), undefined);
    assert.deepEqual(slotsOf(scheduler.reserve()), { g: 4 });
  });

  test('a group that was served last is served last in the next claim', () => {
    const scheduler = schedulerOf({ concurrencyMax: 1 });
    const groups = ['a', 'b', 'c'].map(healthy);
    const served = [1, 2, 3, 4].map(() => {
      scheduler.setDue(groups);
      const shares = scheduler.reserve();
      for (const lane of settle(scheduler, shares)) scheduler.release(lane);
      return shares[0]?.groupId;
    });
    assert.deepEqual(served, ['a', 'b', 'c', 'a']);
  });

  test('failed lanes take no slot from healthy ones, and no group takes more of theirs than it leaves', () => {
    const scheduler = schedulerOf({ groupConcurrency: () => 2, failed: FAILED_BOUNDS });
    scheduler.setDue([healthy('g'), failed('g')]);
    settle(scheduler, scheduler.reserve());
    scheduler.setDue([failed('g'), failed('h')]);
    const shares = scheduler.reserve();
    assert.deepEqual(slotsOf(shares), { 'h failed': 1 }, 'one of four is free: a group may have one');
  });

  test('each group may have one failed lane while any slot for them is free', () => {
    const scheduler = schedulerOf({ failed: { concurrencyMax: 3, groupConcurrency: () => 9 } });
    scheduler.setDue(['a', 'b', 'c', 'd'].map(failed));
    assert.deepEqual(slotsOf(scheduler.reserve()), { 'a failed': 1, 'b failed': 1, 'c failed': 1 });
  });

  test('without separate bounds, failed and healthy lanes of a group share one bound', () => {
    const scheduler = schedulerOf({ groupConcurrency: () => 1 });
    assert.deepEqual(slotsOf(scheduler.reserve([healthy('g'), failed('g')])), { g: 1 });
  });
});

describe('open groups', () => {
  test('a group that gave all it was asked for stays open behind that, and one that gave less is closed', () => {
    const scheduler = schedulerOf({ failed: FAILED_BOUNDS });
    scheduler.setDue([healthy('g'), failed('g')]);
    const shares = [
      { ...healthy('g'), slots: 2 },
      { ...failed('g'), slots: 2 },
    ];
    scheduler.settle(shares, { lanes: [], found: [{ ...healthy('g'), count: 2, untilMs: 5 }] });
    assert.deepEqual(scheduler.openGroups(), [{ groupId: 'g', failed: false, sinceMs: 5 }]);
    scheduler.settle(shares.slice(0, 1), { lanes: [], found: [{ ...healthy('g'), count: 1, untilMs: 6 }] });
    assert.deepEqual(scheduler.openGroups(), []);
  });

  test('a look forgets how far claims had come', () => {
    const scheduler = schedulerOf();
    scheduler.setDue([healthy('g')]);
    settle(scheduler, scheduler.reserve());
    assert.deepEqual(scheduler.openGroups(), [{ groupId: 'g', failed: false, sinceMs: 5 }]);
    scheduler.setDue([healthy('g')]);
    assert.deepEqual(scheduler.openGroups(), [{ groupId: 'g', failed: false }]);
  });

  test('where failed lanes have no separate bounds, they and healthy ones are one group', () => {
    const scheduler = schedulerOf();
    scheduler.setDue([healthy('g'), failed('g')]);
    assert.deepEqual(scheduler.openGroups(), [{ groupId: 'g', failed: false }]);
  });

  test('a claim in a group that is not known to be open does not open it', () => {
    const scheduler = schedulerOf();
    settle(scheduler, scheduler.reserve([healthy('g')]));
    assert.deepEqual(scheduler.openGroups(), []);
  });
});

describe('refill', () => {
  test('slots are filled at once when half of a group is free, and otherwise together', () => {
    const scheduler = schedulerOf();
    scheduler.setDue([healthy('g'), healthy('h')]);
    const lanes = settle(scheduler, scheduler.reserve()).filter(({ groupId }) => groupId === 'g');
    assert.deepEqual(lanes.slice(0, 2).map(scheduler.release), ['soon', 'now']);
  });

  test('the end of a lane is no reason to claim if the last look found no due group', () => {
    const scheduler = schedulerOf();
    const [lane] = settle(scheduler, scheduler.reserve([healthy('g')])) as [Lane];
    assert.equal(scheduler.release(lane), 'none');
  });
});
