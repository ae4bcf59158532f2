import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConcurrency } from './concurrency.ts';

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
