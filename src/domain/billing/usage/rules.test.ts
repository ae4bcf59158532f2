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

test('a range that begins and ends on the hour is whole days and the hours before and after them', () => {
  const [start, end] = [at('2027-02-01T05:00:00Z'), at('2027-02-03T07:00:00Z')];
  const days = { daysFrom: at('2027-02-02T00:00:00Z'), daysTo: at('2027-02-03T00:00:00Z') };
  assert.deepEqual(splitRange({ start, end }, times), { start, hoursFrom: start, ...days, hoursTo: end, end });
});

test('a calendar month is whole days', () => {
  const [start, end] = [at('2027-02-01T00:00:00Z'), at('2027-03-01T00:00:00Z')];
  const parts = { start, hoursFrom: start, daysFrom: start, daysTo: end, hoursTo: end, end };
  assert.deepEqual(splitRange({ start, end }, times), parts);
});

test('a range within one day is hours', () => {
  const [start, end] = [at('2027-02-01T05:00:00Z'), at('2027-02-01T07:00:00Z')];
  const parts = { start, hoursFrom: start, daysFrom: end, daysTo: end, hoursTo: end, end };
  assert.deepEqual(splitRange({ start, end }, times), parts);
});

test('a range within one hour is a single part', () => {
  const [start, end] = [at('2027-02-01T00:10:00Z'), at('2027-02-01T00:20:00Z')];
  const parts = { start, hoursFrom: end, daysFrom: end, daysTo: end, hoursTo: end, end };
  assert.deepEqual(splitRange({ start, end }, times), parts);
});

test('a range up to now ends with whole days, the present day included', () => {
  const start = at('2027-02-01T00:10:00Z');
  const parts = { hoursFrom: at('2027-02-01T01:00:00Z'), daysFrom: at('2027-02-02T00:00:00Z') };
  const open = { daysTo: null, hoursTo: null, end: null };
  assert.deepEqual(splitRange({ start, end: null }, times), { start, ...parts, ...open });
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const beginning = (moment: Date, unitMs: number) => new Date(Math.floor(moment.getTime() / unitMs) * unitMs);

test('the parts of a range cover each of its moments once, and no others', () => {
  const moment = fc.date({ min: at('2027-02-25T00:00:00Z'), max: at('2027-03-01T10:00:00Z'), noInvalidDate: true });
  const within = (probe: Date, from: Date, to: Date | null) => probe >= from && (to === null || probe < to);
  checkProperty(
    fc.property(moment, fc.option(moment), moment, (a, b, probe) => {
      const [start, end] = b === null || a < b ? [a, b] : [b, a];
      const parts = splitRange({ start, end }, times);
      const hour = beginning(probe, HOUR_MS);
      const pieces = [
        within(probe, start, parts.hoursFrom),
        within(hour, parts.hoursFrom, parts.daysFrom),
        within(beginning(probe, DAY_MS), parts.daysFrom, parts.daysTo),
        parts.daysTo !== null && within(hour, parts.daysTo, parts.hoursTo),
        parts.hoursTo !== null && within(probe, parts.hoursTo, parts.end),
      ].filter(Boolean);
      assert.equal(pieces.length, within(probe, start, end) ? 1 : 0);
    }),
    { runs: 5_000 },
  );
});

test('a range of any length has hours for less than two days, and single entries for less than two hours', () => {
  const moment = fc.date({ min: at('2020-01-01T00:00:00Z'), max: at('2027-03-01T10:00:00Z'), noInvalidDate: true });
  const lengthMs = (from: Date, to: Date) => to.getTime() - from.getTime();
  checkProperty(
    fc.property(moment, moment, (a, b) => {
      const [start, end] = a < b ? [a, b] : [b, a];
      const parts = splitRange({ start, end }, times);
      const [daysTo, hoursTo] = [parts.daysTo as Date, parts.hoursTo as Date];
      assert.ok(lengthMs(parts.hoursFrom, parts.daysFrom) + lengthMs(daysTo, hoursTo) < 2 * DAY_MS);
      assert.ok(lengthMs(start, parts.hoursFrom) + lengthMs(hoursTo, end) < 2 * HOUR_MS);
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
