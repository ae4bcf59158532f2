import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('each failure halves it, but one is always allowed', () => {
  const concurrency = createConcurrency();
  const limits = [1, 2, 3, 4].map(() => {
    concurrency.failed('whe_1');
    return concurrency.limitOf('whe_1');
  });
  assert.deepEqual(limits, [2, 1, 1, 1]);
  succeed(concurrency, 1);
  assert.equal(concurrency.limitOf('whe_1'), 2);
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
  for (let n = 0; n < 6; n++) concurrency.failed('whe_1');
  assert.equal(concurrency.lanesOf('whe_1'), 1);
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
  const slots = await Promise.all([1, 2, 3, 4].map(() => concurrency.enter('whe_1')));
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
  for (const slot of slots.slice(0, 2)) slot?.leave();
  await Promise.resolve();
  assert.equal(admitted, 0, 'two are under way, and the bound is two');
  slots[2]?.leave();
  assert.ok(await later);
});

test('who waits for a slot in vain is turned away before what it read is old', async () => {
  const concurrency = createConcurrency();
  await Promise.all([1, 2, 3, 4].map(() => concurrency.enter('whe_1')));
  assert.equal(await concurrency.enter('whe_1'), undefined);
});
