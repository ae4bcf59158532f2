import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseRetryAfter, RETRY_AFTER_MAX_MS, retryDelayMs, WEBHOOK_ATTEMPTS_MAX } from './backoff.ts';

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
  fc.assert(
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

test('an attempt number that cannot be is refused, not read as the first', () => {
  for (const attempt of [0, -1, 1.5, Number.NaN]) {
    assert.throws(() => retryDelayMs({ mode: 'live', attempt, random: middle }), RangeError);
  }
});

const NOW_MS = Date.UTC(2026, 10, 20, 12, 0, 0);

test('Retry-After in seconds is read as such', () => {
  assert.equal(parseRetryAfter('0', NOW_MS), 0);
  assert.equal(parseRetryAfter('120', NOW_MS), 120_000);
  assert.equal(parseRetryAfter(' 7 ', NOW_MS), 7_000);
  assert.equal(parseRetryAfter(['30', '60'], NOW_MS), 30_000);
});

test('Retry-After is read in all three HTTP date forms', () => {
  assert.equal(parseRetryAfter('Fri, 20 Nov 2026 12:00:45 GMT', NOW_MS), 45_000);
  assert.equal(parseRetryAfter('Friday, 20-Nov-26 12:00:45 GMT', NOW_MS), 45_000);
  assert.equal(parseRetryAfter('Fri Nov 20 12:00:45 2026', NOW_MS), 45_000);
  assert.equal(parseRetryAfter('Sun Nov  1 12:00:45 2026', NOW_MS), 0);
});

test('a date gone by asks for no wait', () => {
  assert.equal(parseRetryAfter('Fri, 20 Nov 2026 11:00:00 GMT', NOW_MS), 0);
});

test('no receiver can ask for more than 24 hours', () => {
  assert.equal(RETRY_AFTER_MAX_MS, 24 * HOUR_S * 1000);
  assert.equal(parseRetryAfter('86401', NOW_MS), RETRY_AFTER_MAX_MS);
  assert.equal(parseRetryAfter('9'.repeat(400), NOW_MS), RETRY_AFTER_MAX_MS);
  assert.equal(parseRetryAfter('Sat, 20 Nov 2027 12:00:45 GMT', NOW_MS), RETRY_AFTER_MAX_MS);
});

test('an unreadable Retry-After is as good as none', () => {
  for (const header of [
    undefined,
    null,
    '',
    ' ',
    'soon',
    '-5',
    '1.5',
    '1e3',
    '0x10',
    '2026-11-20',
    'Nov 21',
    [],
    '5, 6',
  ]) {
    assert.equal(parseRetryAfter(header, NOW_MS), null, JSON.stringify(header));
  }
  assert.equal(parseRetryAfter('Fri, 20 Nov 2026 99:00:45 GMT', NOW_MS), null);
});
