import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../../test/support/property.ts';
import { retryDelayMs, WEBHOOK_ATTEMPTS_MAX } from './retry-schedule.ts';

const HOUR_S = 3600;
const middle = () => 0.5;

function schedule(mode: 'live' | 'test'): (number | null)[] {
  return Array.from({ length: 11 }, (_, index) => {
    const delayMs = retryDelayMs({ mode, attempt: index + 1, random: middle });
    return delayMs === null ? null : delayMs / 1000;
  });
}

test('a live delivery is retried after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, then given up', () => {
  const later = [2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_S);
  assert.deepEqual(schedule('live'), [5, 300, 1800, ...later, null, null]);
});

test('a test delivery is first retried after 1, 5 and 30 s, then as a live one, with as many attempts', () => {
  const later = [2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_S);
  assert.deepEqual(schedule('test'), [1, 5, 30, ...later, null, null]);
  assert.equal(WEBHOOK_ATTEMPTS_MAX, 10);
});

test('jitter reaches 10 % either way and never beyond', () => {
  assert.equal(retryDelayMs({ mode: 'live', attempt: 1, random: () => 0 }), 4500);
  assert.equal(retryDelayMs({ mode: 'live', attempt: 1, random: () => 1 }), 5500);
  checkProperty(
    fc.property(
      fc.constantFrom('live' as const, 'test' as const),
      fc.integer({ min: 1, max: 9 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (mode, attempt, random) => {
        const delayMs = retryDelayMs({ mode, attempt, random: () => random }) as number;
        const plainMs = retryDelayMs({ mode, attempt, random: middle }) as number;
        assert.ok(Number.isInteger(delayMs) && Math.abs(delayMs - plainMs) <= plainMs * 0.1 + 0.5);
      },
    ),
  );
});

test('an impossible attempt number is refused, not read as the first', () => {
  for (const attempt of [0, -1, 1.5, Number.NaN]) {
    assert.throws(() => retryDelayMs({ mode: 'live', attempt, random: middle }), RangeError);
  }
});
