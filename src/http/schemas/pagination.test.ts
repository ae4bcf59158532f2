import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRange } from './pagination.ts';

const startOf = (start: string) => readRange({ start }).start?.toISOString();

test('a space before an offset is read as a plus sign', () => {
  assert.equal(startOf('2026-11-01T00:00:00 00:00'), '2026-11-01T00:00:00.000Z');
  assert.equal(startOf('2026-11-01T00:00:00.5 05:30'), '2026-10-31T18:30:00.500Z');
  assert.equal(startOf('2026-11-01 00:00:00 02:00'), '2026-10-31T22:00:00.000Z');
  assert.equal(startOf('2026-11-01T00:00:00+02:00'), '2026-10-31T22:00:00.000Z');
  assert.equal(startOf('2026-11-01T00:00:00-02:00'), '2026-11-01T02:00:00.000Z');
  assert.deepEqual(readRange({ end: '2026-11-01T00:00:00 00:00' }).end, new Date('2026-11-01T00:00:00Z'));
});

test('a space elsewhere stays a space', () => {
  for (const start of [
    '2026-11-01 00:00',
    '2026-11-01 00:00:00',
    '2026-11-01T00:00:00  00:00',
    '2026-11-01T00:00:00 0',
  ]) {
    assert.throws(() => startOf(start), { code: 'invalid_start' }, start);
  }
});
