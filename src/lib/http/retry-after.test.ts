import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRetryAfter, RETRY_AFTER_MAX_MS } from './retry-after.ts';

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

test('a past date asks for no wait', () => {
  assert.equal(parseRetryAfter('Fri, 20 Nov 2026 11:00:00 GMT', NOW_MS), 0);
});

test('no receiver can ask for more than 24 hours', () => {
  assert.equal(RETRY_AFTER_MAX_MS, 24 * 3_600_000);
  assert.equal(parseRetryAfter('86401', NOW_MS), RETRY_AFTER_MAX_MS);
  assert.equal(parseRetryAfter('9'.repeat(400), NOW_MS), RETRY_AFTER_MAX_MS);
  assert.equal(parseRetryAfter('Sat, 20 Nov 2027 12:00:45 GMT', NOW_MS), RETRY_AFTER_MAX_MS);
});

test('an unreadable Retry-After counts as absent', () => {
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
