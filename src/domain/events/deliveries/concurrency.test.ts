import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../../test/support/jobs.ts';
import { monotonicMs } from '../../../lib/time/time.ts';
import { createConcurrency, type Slot } from './concurrency.ts';

const succeed = (concurrency: ReturnType<typeof createConcurrency>, times: number, durationMs = 5) => {
  for (let n = 0; n < times; n++) concurrency.succeeded('whe_1', durationMs);
};

test('an endpoint starts with 4 and doubles per window of successes up to 64', () => {
  const concurrency = createConcurrency();
  assert.equal(concurrency.limitOf('whe_1'), 4);
  const limits: number[] = [];
  for (const window of [4, 8, 16, 32, 64, 64]) {
    succeed(concurrency, window - 1);
    assert.ok(concurrency.limitOf('whe_1') <= window, 'not before the window is full');
    succeed(concurrency, 1);
    limits.push(concurrency.limitOf('whe_1'));
  }
  assert.deepEqual(limits, [8, 16, 32, 64, 64, 64]);
});

const fail = (concurrency: ReturnType<typeof createConcurrency>, times: number) => {
  for (let n = 0; n < times; n++) concurrency.failed('whe_1');
};

test('each failure halves the limit down to 4, and to 1 after 32 failures in a row', () => {
  const concurrency = createConcurrency();
  succeed(concurrency, 1000);
  const limits = [1, 1, 1, 1, 1, 26, 1, 1, 1].map((times) => {
    fail(concurrency, times);
    return concurrency.limitOf('whe_1');
  });
  assert.deepEqual(limits, [32, 16, 8, 4, 4, 4, 2, 1, 1]);
  succeed(concurrency, 1);
  assert.equal(concurrency.limitOf('whe_1'), 2);
});

test('an endpoint that answers may have 32 failed lanes, one that fails slowly 4, and their failures do not halve the limit', () => {
  const concurrency = createConcurrency();
  const { groupConcurrency } = concurrency.failedLanes;
  assert.equal(groupConcurrency('whe_1'), 32);
  succeed(concurrency, 1000);
  for (let n = 0; n < 31; n++) concurrency.failed('whe_1', { failedBefore: true, durationMs: 200 });
  assert.deepEqual([groupConcurrency('whe_1'), concurrency.limitOf('whe_1')], [32, 64]);
  concurrency.failed('whe_1', { failedBefore: true, durationMs: 200 });
  assert.equal(groupConcurrency('whe_1'), 4);
  succeed(concurrency, 1);
  assert.equal(groupConcurrency('whe_1'), 32);
});

test('a failing endpoint that fails quickly may have 32 failed lanes, until it fails slowly', () => {
  const { failed, failedLanes } = createConcurrency();
  for (let n = 0; n < 40; n++) failed('whe_1', { failedBefore: true, durationMs: 2 });
  assert.equal(failedLanes.groupConcurrency('whe_1'), 32);
  failed('whe_1', { failedBefore: true, durationMs: 15_000 });
  assert.equal(failedLanes.groupConcurrency('whe_1'), 4);
});

/** Takes slots of an endpoint that never answers, until it has `count`. */
async function takeSlots(concurrency: ReturnType<typeof createConcurrency>, count: number): Promise<Slot[]> {
  const slots: Slot[] = [];
  await until(`${count} deliveries have slots`, async () => {
    for (;;) {
      const slot = await concurrency.acquire('whe_1');
      if (slot === undefined) return slots.length >= count;
      slots.push(slot);
    }
  });
  return slots;
}

test('a stalled delivery gives its slot to another one, up to 256 times', async () => {
  let calls = 0;
  const concurrency = createConcurrency({ onCapacity: () => calls++ });
  const slots = await takeSlots(concurrency, 256 + 64);
  assert.equal(slots.length, 320);
  assert.ok(calls > 0, 'onCapacity is called');
  assert.equal(concurrency.healthyLanesMax('whe_1'), 320);
  for (const slot of slots) slot.release();
  assert.equal(concurrency.healthyLanesMax('whe_1'), 64);
});

test('as many stalled deliveries as the limit double it, until the endpoint turns out to be slow', async () => {
  const concurrency = createConcurrency();
  await takeSlots(concurrency, 4 + 8 + 16 + 32);
  assert.ok(concurrency.limitOf('whe_1') >= 32);
  succeed(concurrency, 1, 2_000);
  assert.equal(concurrency.limitOf('whe_1'), 16);
});

test('an endpoint with nothing but failures for a minute has at most 4 stalled deliveries, until it answers', async () => {
  let aheadMs = 0;
  const concurrency = createConcurrency({ now: () => monotonicMs() + aheadMs });
  const stalled = () => concurrency.healthyLanesMax('whe_1') - concurrency.limitOf('whe_1');
  fail(concurrency, 32);
  aheadMs = 60_000;
  await takeSlots(concurrency, 5);
  for (let waits = 0; waits < 3; ) if ((await concurrency.acquire('whe_1')) === undefined) waits++;
  assert.equal(stalled(), 4);
  succeed(concurrency, 1);
  await until('more deliveries are stalled', async () => {
    void concurrency.acquire('whe_1');
    return stalled() > 8;
  });
});

test('a stalled delivery that fails after a later success counts for nothing', async () => {
  const concurrency = createConcurrency();
  succeed(concurrency, 1000);
  for (let n = 0; n < 100; n++) concurrency.failed('whe_1', { durationMs: 15_000 });
  assert.equal(concurrency.limitOf('whe_1'), 64);
  concurrency.failed('whe_1', { durationMs: 20 });
  assert.equal(concurrency.limitOf('whe_1'), 32);
});

test('a delivery is not stalled while it takes no longer than usual for its endpoint', async () => {
  const concurrency = createConcurrency();
  succeed(concurrency, 1, 2_000);
  await concurrency.acquire('whe_1');
  await concurrency.acquire('whe_2');
  await until('the other delivery is stalled', () => concurrency.healthyLanesMax('whe_2') === 5);
  assert.equal(concurrency.healthyLanesMax('whe_1'), 4);
});

test('stalled deliveries of many endpoints leave room for those of the next', async () => {
  const concurrency = createConcurrency();
  const ids = Array.from({ length: 12 }, (_, n) => `whe_${n}`);
  const stalledOf = (id: string) => concurrency.healthyLanesMax(id) - concurrency.limitOf(id);
  await until('as many are stalled as may be', async () => {
    for (const id of ids) void concurrency.acquire(id);
    return ids.reduce((sum, id) => sum + stalledOf(id), 0) >= 450;
  });
  assert.ok(ids.every((id) => stalledOf(id) < 64));
  await concurrency.acquire('whe_new');
  await until('the new delivery is stalled', () => concurrency.healthyLanesMax('whe_new') === 5);
});

test('the limit of a slow endpoint grows to 16 only, and a quick one that turns slow keeps its limit', () => {
  const concurrency = createConcurrency();
  succeed(concurrency, 1000, 9_000);
  assert.equal(concurrency.limitOf('whe_1'), 16);
  succeed(concurrency, 1000);
  succeed(concurrency, 1000, 9_000);
  assert.equal(concurrency.limitOf('whe_1'), 64);
});

test('endpoints do not share their bounds', () => {
  const concurrency = createConcurrency();
  concurrency.failed('whe_1');
  assert.equal(concurrency.limitOf('whe_2'), 4);
});

test('lanes are read ahead for a quick endpoint only, until it fails or turns slow', () => {
  const concurrency = createConcurrency();
  assert.equal(concurrency.healthyLanesMax('whe_1'), 4);
  succeed(concurrency, 1000);
  assert.equal(concurrency.healthyLanesMax('whe_1'), 128);
  succeed(concurrency, 1, 500);
  assert.equal(concurrency.healthyLanesMax('whe_1'), 64);
  succeed(concurrency, 1);
  fail(concurrency, 4);
  assert.equal(concurrency.healthyLanesMax('whe_1'), 4);
});

test('no more deliveries are sent at a time than the limit; later ones wait for a slot in order', async () => {
  const concurrency = createConcurrency();
  const slots = await Promise.all([1, 2, 3, 4].map(() => concurrency.acquire('whe_1')));
  const admitted: string[] = [];
  const acquire = async (name: string): Promise<Slot | undefined> => {
    const slot = await concurrency.acquire('whe_1');
    admitted.push(name);
    return slot;
  };
  const [first, second] = [acquire('first'), acquire('second')];
  await Promise.resolve();
  assert.deepEqual(admitted, []);
  slots[0]?.release();
  const slot = await first;
  assert.deepEqual(admitted, ['first']);
  slot?.release();
  await second;
  assert.deepEqual(admitted, ['first', 'second']);
});

test('a failure ends the wait of all waiters, and the halved limit holds for later ones', async () => {
  const concurrency = createConcurrency();
  succeed(concurrency, 4);
  const slots = await Promise.all(Array.from({ length: 8 }, () => concurrency.acquire('whe_1')));
  let isRefused = false;
  void concurrency.acquire('whe_1').then((slot) => {
    isRefused = slot === undefined;
  });
  concurrency.failed('whe_1');
  await Promise.resolve();
  assert.ok(isRefused, 'at once');
  let admitted = 0;
  const later = concurrency.acquire('whe_1').then((slot) => {
    admitted++;
    return slot;
  });
  for (const slot of slots.slice(0, 4)) slot?.release();
  await Promise.resolve();
  assert.equal(admitted, 0, 'four are under way, and the limit is four');
  slots[4]?.release();
  assert.ok(await later);
});

test('a wait for a slot ends before the deliveries that were read are out of date', async () => {
  const concurrency = createConcurrency();
  // Its deliveries usually take two seconds, so none of them becomes stalled in this test.
  succeed(concurrency, 1, 2_000);
  await Promise.all([1, 2, 3, 4].map(() => concurrency.acquire('whe_1')));
  assert.equal(await concurrency.acquire('whe_1'), undefined);
});
