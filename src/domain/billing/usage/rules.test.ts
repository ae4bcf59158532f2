import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../../test/support/property.ts';
import { resolveRange, splitRange } from './rules.ts';

const at = (text: string) => new Date(text);
const now = at('2027-03-01T10:20:00Z');
const times = { now, archivedFrom: null };

test('without a start and an end the range is the month so far', () => {
  assert.deepEqual(resolveRange({ start: null, end: null }, now), { start: at('2027-03-01T00:00:00Z'), end: null });
});

test('an end alone ends a range over its month, and the first moment of a month ends one over the month before', () => {
  assert.deepEqual(
    resolveRange({ start: null, end: at('2027-02-11T00:00:00Z') }, now)?.start,
    at('2027-02-01T00:00:00Z'),
  );
  assert.deepEqual(
    resolveRange({ start: null, end: at('2027-03-01T00:00:00Z') }, now)?.start,
    at('2027-02-01T00:00:00Z'),
  );
  assert.deepEqual(
    resolveRange({ start: null, end: at('2028-01-01T00:00:00Z') }, now)?.start,
    at('2027-12-01T00:00:00Z'),
  );
});

test('a future start without an end is an empty range', () => {
  assert.equal(resolveRange({ start: at('2027-03-01T10:20:01Z'), end: null }, now), undefined);
});

test('a range that begins and ends on the hour is whole hours', () => {
  const range = { start: at('2027-02-01T00:00:00Z'), end: at('2027-03-01T00:00:00Z') };
  assert.deepEqual(splitRange(range, times), { ...range, hoursFrom: range.start, hoursTo: range.end });
});

test('a range within one hour is a single part', () => {
  const range = { start: at('2027-02-01T00:10:00Z'), end: at('2027-02-01T00:20:00Z') };
  assert.deepEqual(splitRange(range, times), { ...range, hoursFrom: range.end, hoursTo: range.end });
});

test('the parts of a range cover each of its moments once, and no others', () => {
  const moment = fc.date({ min: at('2027-02-27T00:00:00Z'), max: at('2027-03-01T10:00:00Z'), noInvalidDate: true });
  checkProperty(
    fc.property(moment, moment, moment, (a, b, probe) => {
      const [start, end] = a < b ? [a, b] : [b, a];
      const { hoursFrom, hoursTo } = splitRange({ start, end }, times);
      const hour = new Date(Math.floor(probe.getTime() / 3_600_000) * 3_600_000);
      const pieces = [
        hour >= hoursFrom && hour < (hoursTo as Date),
        probe >= start && probe < hoursFrom,
        probe >= (hoursTo as Date) && probe < end,
      ].filter(Boolean);
      assert.equal(pieces.length, probe >= start && probe < end ? 1 : 0);
    }),
    { runs: 5_000 },
  );
});

test('before the horizon an hour counts at its beginning, so that adjacent ranges still add up', () => {
  const archived = { now, archivedFrom: at('2027-02-20T00:00:00Z') };
  const cut = at('2027-02-01T00:30:00Z');
  const before = splitRange({ start: at('2027-02-01T00:00:00Z'), end: cut }, archived);
  const after = splitRange({ start: cut, end: at('2027-02-02T00:00:00Z') }, archived);
  assert.deepEqual([before.end, before.hoursTo], [at('2027-02-01T01:00:00Z'), at('2027-02-01T01:00:00Z')]);
  assert.deepEqual([after.start, after.hoursFrom], [at('2027-02-01T01:00:00Z'), at('2027-02-01T01:00:00Z')]);
});
