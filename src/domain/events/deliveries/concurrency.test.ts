import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../../test/support/jobs.ts';
import { createConcurrency, type Slot } from './concurrency.ts';

const succeed = (concurrency: ReturnType<typeof createConcurrency>, times: number, durationMs = 5) => {
  for (let n = 0; n < times; n++) concurrency.succeeded('whe_1', durationMs);
};

test('an endpoint begins with 4 and doubles per window of successes up to 64', () => {
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

test('each failure halves it down to 4, and to 1 once the endpoint has only failed 32 times in a row', () => {
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

test('lanes that failed before are many for an endpoint that answers and few for a dead one, and halve nothing', () => {
  const concurrency = createConcurrency();
  const { groupConcurrency } = concurrency.failedLanes;
  assert.equal(groupConcurrency('whe_1'), 32);
  succeed(concurrency, 1000);
  for (let n = 0; n < 31; n++) concurrency.failed('whe_1', { failedBefore: true });
  assert.deepEqual([groupConcurrency('whe_1'), concurrency.limitOf('whe_1')], [32, 64]);
  concurrency.failed('whe_1', { failedBefore: true });
  assert.equal(groupConcurrency('whe_1'), 4);
  succeed(concurrency, 1);
  assert.equal(groupConcurrency('whe_1'), 32);
});

test('a delivery that hangs leaves its slot to others, up to 32 of them', async () => {
  let rooms = 0;
  const concurrency = createConcurrency({ onRoom: () => rooms++ });
  const slots: Slot[] = [];
  const enter = async () => {
    const slot = await concurrency.enter('whe_1');
    if (slot !== undefined) slots.push(slot);
    return slot !== undefined;
  };
  await until('all have entered that may', async () => {
    while (await enter());
    return slots.length === 36;
  });
  assert.ok(rooms > 0, 'it tells that there is room');
  assert.equal(concurrency.lanesOf('whe_1'), 36);
  for (const slot of slots) slot.leave();
  assert.equal(concurrency.lanesOf('whe_1'), 4);
});

test('a delivery does not hang while it takes no longer than others of its endpoint', async () => {
  const concurrency = createConcurrency();
  succeed(concurrency, 1, 2_000);
  await concurrency.enter('whe_1');
  await concurrency.enter('whe_2');
  await until('the other one hangs', () => concurrency.lanesOf('whe_2') === 5);
  assert.equal(concurrency.lanesOf('whe_1'), 4);
});

test('who hangs in many endpoints at once leaves places to the next', async () => {
  const concurrency = createConcurrency();
  for (let n = 0; n < 12; n++) for (let m = 0; m < 40; m++) void concurrency.enter(`whe_${n}`);
  await until('they hang', () => concurrency.lanesOf('whe_0') > 4);
  await concurrency.enter('whe_new');
  await until('the new one hangs', () => concurrency.lanesOf('whe_new') === 5);
});

test('a slow endpoint grows to 16 only, and a quick one that turns slow keeps what it has', () => {
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
  assert.equal(concurrency.lanesOf('whe_1'), 4);
  succeed(concurrency, 1000);
  assert.equal(concurrency.lanesOf('whe_1'), 128);
  succeed(concurrency, 1, 500);
  assert.equal(concurrency.lanesOf('whe_1'), 64);
  succeed(concurrency, 1);
  fail(concurrency, 4);
  assert.equal(concurrency.lanesOf('whe_1'), 4);
});

test('no more send at a time than the bound; who comes later waits for the next to leave, in turn', async () => {
  const concurrency = createConcurrency();
  const slots = await Promise.all([1, 2, 3, 4].map(() => concurrency.enter('whe_1')));
  const admitted: string[] = [];
  const enter = async (name: string): Promise<Slot | undefined> => {
    const slot = await concurrency.enter('whe_1');
    admitted.push(name);
    return slot;
  };
  const [first, second] = [enter('first'), enter('second')];
  await Promise.resolve();
  assert.deepEqual(admitted, []);
  slots[0]?.leave();
  const slot = await first;
  assert.deepEqual(admitted, ['first']);
  slot?.leave();
  await second;
  assert.deepEqual(admitted, ['first', 'second']);
});

test('after a failure those who wait are turned away, and the halved bound holds for those who come', async () => {
  const concurrency = createConcurrency();
  succeed(concurrency, 4);
  const slots = await Promise.all(Array.from({ length: 8 }, () => concurrency.enter('whe_1')));
  let turnedAway = false;
  void concurrency.enter('whe_1').then((slot) => {
    turnedAway = slot === undefined;
  });
  concurrency.failed('whe_1');
  await Promise.resolve();
  assert.ok(turnedAway, 'at once');
  let admitted = 0;
  const later = concurrency.enter('whe_1').then((slot) => {
    admitted++;
    return slot;
  });
  for (const slot of slots.slice(0, 4)) slot?.leave();
  await Promise.resolve();
  assert.equal(admitted, 0, 'four are under way, and the bound is four');
  slots[4]?.leave();
  assert.ok(await later);
});

test('who waits for a slot in vain is turned away before what it read is old', async () => {
  const concurrency = createConcurrency();
  await Promise.all([1, 2, 3, 4].map(() => concurrency.enter('whe_1')));
  assert.equal(await concurrency.enter('whe_1'), undefined);
});
