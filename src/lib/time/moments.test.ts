import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMoment } from './moments.ts';

test('a date-time of RFC 3339 is a moment', () => {
  for (const [text, moment] of [
    ['2026-11-20T09:00:00Z', '2026-11-20T09:00:00.000Z'],
    ['2026-11-20t09:00:00z', '2026-11-20T09:00:00.000Z'],
    ['2026-11-20 09:00:00-07:00', '2026-11-20T16:00:00.000Z'],
    ['2026-11-20T23:59:59.999999+00:00', '2026-11-20T23:59:59.999Z'],
    ['2026-11-20T00:00:00+23:59', '2026-11-19T00:01:00.000Z'],
  ] as const) {
    assert.equal(parseMoment(text)?.toISOString(), moment, text);
  }
});

test('a text that RFC 3339 does not allow is no moment', () => {
  for (const text of [
    '2026-11-20T24:00:00Z',
    '2026-11-20T24:00:00.000-07:00',
    '2026-11-20T25:00:00Z',
    '2026-11-20T09:60:00Z',
    '2026-11-20T09:00:61Z',
    '2026-11-20T09:00:00+24:00',
    '2026-11-20T09:00:00+07:60',
    '2026-11-20T09:00Z',
    '2026-11-20T09:00:00',
    '2026-02-30T09:00:00Z',
    '2026-11-20',
    '',
  ]) {
    assert.equal(parseMoment(text), undefined, text);
  }
});
