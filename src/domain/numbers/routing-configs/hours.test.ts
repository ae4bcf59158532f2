import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../../test/support/property.ts';
import type { RingBehavior } from './behavior-schema.ts';
import { DEFAULT_VOICEMAIL } from './fill-defaults.ts';
import { decideBehavior, isOpenAt } from './hours.ts';
import { DAYS, type Day } from './rules.ts';
import type { BusinessHours } from './schema.ts';

const WEEKDAYS: Day[] = ['mon', 'tue', 'wed', 'thu', 'fri'];
const ALL = [...DAYS];

const on = (days: readonly Day[], open: string, close: string): BusinessHours => ({
  schedule: [{ days: [...days], open, close }],
  holidays: [],
});
const closedOn = (hours: BusinessHours, date: string): BusinessHours => ({
  ...hours,
  holidays: [...(hours.holidays ?? []), { date, closed: true }],
});
const openOn = (hours: BusinessHours, date: string, open: string, close: string): BusinessHours => ({
  ...hours,
  holidays: [...(hours.holidays ?? []), { date, open, close }],
});

/** Asserts for each moment, given with its offset, whether it is open. */
function assertOpen(hours: BusinessHours, timezone: string, expected: Readonly<Record<string, boolean>>): void {
  for (const [moment, open] of Object.entries(expected)) {
    assert.equal(isOpenAt(hours, timezone, new Date(moment)), open, `${moment} in ${timezone}`);
  }
}

test("hours last from the opening minute until the closing minute, in the tenant's time zone", () => {
  // 20 November 2026 is a Friday.
  assertOpen(on(WEEKDAYS, '08:00', '17:00'), 'America/Phoenix', {
    '2026-11-20T07:59:59.999-07:00': false,
    '2026-11-20T08:00:00-07:00': true,
    '2026-11-20T16:59:59.999-07:00': true,
    '2026-11-20T17:00:00-07:00': false,
    '2026-11-21T12:00:00-07:00': false,
    '2026-11-20T15:00:00Z': true,
    '2026-11-20T08:00:00Z': false,
  });
});

test('a day may have several ranges, with a break between them', () => {
  const hours = on(['fri'], '08:00', '12:00');
  hours.schedule.push({ days: ['fri'], open: '13:00', close: '17:00' });
  assertOpen(hours, 'America/Phoenix', {
    '2026-11-20T11:59:00-07:00': true,
    '2026-11-20T12:30:00-07:00': false,
    '2026-11-20T13:00:00-07:00': true,
  });
});

test('a range that closes at or before its opening time runs past midnight and belongs to the day on which it opens', () => {
  assertOpen(on(['fri'], '22:00', '06:00'), 'America/Phoenix', {
    '2026-11-20T05:00:00-07:00': false,
    '2026-11-20T21:59:00-07:00': false,
    '2026-11-20T22:00:00-07:00': true,
    '2026-11-21T05:59:00-07:00': true,
    '2026-11-21T06:00:00-07:00': false,
    '2026-11-21T22:30:00-07:00': false,
  });
  // Friday evening in Phoenix is Saturday in UTC, and the range began on Thursday.
  assertOpen(on(['thu'], '23:45', '23:30'), 'America/Phoenix', { '2026-11-20T23:00:00-07:00': true });
  assertOpen(on(['fri'], '09:00', '09:00'), 'America/Phoenix', {
    '2026-11-20T08:59:00-07:00': false,
    '2026-11-20T09:00:00-07:00': true,
    '2026-11-21T08:59:00-07:00': true,
    '2026-11-21T09:00:00-07:00': false,
  });
});

test('24:00 closes exactly at midnight', () => {
  assertOpen(on(['sun'], '12:00', '24:00'), 'America/Phoenix', {
    '2026-11-22T23:59:59.999-07:00': true,
    '2026-11-23T00:00:00-07:00': false,
  });
});

test('an empty schedule is never open', () => {
  assertOpen({ schedule: [], holidays: [] }, 'America/Phoenix', { '2026-11-20T12:00:00-07:00': false });
});

test('hours follow local time in summer and in winter', () => {
  assertOpen(on(ALL, '08:00', '17:00'), 'America/New_York', {
    '2026-03-07T12:59:00Z': false,
    '2026-03-07T13:00:00Z': true,
    '2026-03-08T12:00:00Z': true,
    '2026-11-01T12:00:00Z': false,
    '2026-11-01T13:00:00Z': true,
  });
});

test('a range that would open or close in a skipped hour does so when the clocks jump', () => {
  const zone = 'America/New_York';
  // On 8 March 2026 02:00 EST is 03:00 EDT.
  assertOpen(on(['sun'], '02:30', '05:00'), zone, {
    '2026-03-08T01:59:59.999-05:00': false,
    '2026-03-08T03:00:00-04:00': true,
    '2026-03-08T04:59:00-04:00': true,
  });
  assertOpen(on(['sat'], '20:00', '02:30'), zone, {
    '2026-03-08T01:59:59.999-05:00': true,
    '2026-03-08T03:00:00-04:00': false,
  });
  const within = on(['sun'], '02:15', '02:45');
  assertOpen(within, zone, {
    '2026-03-08T01:59:00-05:00': false,
    '2026-03-08T03:00:00-04:00': false,
    '2026-03-08T03:30:00-04:00': false,
    '2026-03-15T02:30:00-04:00': true,
  });
});

test('a time in a repeated hour opens or closes once, the first time it is shown', () => {
  const zone = 'America/New_York';
  // On 1 November 2026 02:00 EDT is 01:00 EST.
  assertOpen(on(['sun'], '01:30', '03:00'), zone, {
    '2026-11-01T01:29:00-04:00': false,
    '2026-11-01T01:30:00-04:00': true,
    '2026-11-01T01:00:00-05:00': true,
    '2026-11-01T02:59:00-05:00': true,
    '2026-11-01T03:00:00-05:00': false,
  });
  assertOpen(on(['sat'], '20:00', '01:30'), zone, {
    '2026-11-01T01:29:00-04:00': true,
    '2026-11-01T01:30:00-04:00': false,
    '2026-11-01T01:10:00-05:00': false,
  });
});

test('clocks that go back across midnight do not close an open range', () => {
  // On 7 November 2010 00:01 NDT was 23:01 NST of the day before.
  assertOpen(on(['sun'], '00:00', '06:00'), 'America/St_Johns', {
    '2010-11-06T23:59:00-02:30': false,
    '2010-11-07T00:00:30-02:30': true,
    '2010-11-06T23:30:00-03:30': true,
    '2010-11-07T05:59:00-03:30': true,
    '2010-11-07T06:00:00-03:30': false,
  });
});

test('a closed holiday opens no range, and the range of the evening before ends as usual', () => {
  const bar = closedOn(on(ALL, '18:00', '02:00'), '2026-12-25');
  assertOpen(bar, 'America/Phoenix', {
    '2026-12-24T23:00:00-07:00': true,
    '2026-12-25T01:59:00-07:00': true,
    '2026-12-25T02:00:00-07:00': false,
    '2026-12-25T20:00:00-07:00': false,
    '2026-12-26T01:00:00-07:00': false,
    '2026-12-26T18:00:00-07:00': true,
  });
});

test('a holiday with hours has only those, on any day of the week', () => {
  const office = on(WEEKDAYS, '08:00', '17:00');
  assertOpen(openOn(office, '2026-12-24', '09:00', '12:00'), 'America/Phoenix', {
    '2026-12-24T08:30:00-07:00': false,
    '2026-12-24T09:00:00-07:00': true,
    '2026-12-24T12:00:00-07:00': false,
    '2026-12-31T08:30:00-07:00': true,
  });
  // A Saturday, and past midnight.
  assertOpen(openOn(office, '2026-11-28', '20:00', '01:00'), 'America/Phoenix', {
    '2026-11-28T19:00:00-07:00': false,
    '2026-11-29T00:30:00-07:00': true,
    '2026-11-29T01:00:00-07:00': false,
  });
});

test("a holiday is a date in the tenant's time zone, not in UTC", () => {
  assertOpen(closedOn(on(ALL, '00:00', '24:00'), '2026-12-25'), 'America/Phoenix', {
    '2026-12-25T06:59:00Z': true,
    '2026-12-25T07:00:00Z': false,
    '2026-12-26T06:59:00Z': false,
    '2026-12-26T07:00:00Z': true,
  });
});

test('the open behavior applies within hours and without hours, the closed behavior outside hours', () => {
  const ring: RingBehavior = {
    type: 'ring',
    targets: ['+16025550143'],
    strategy: 'simultaneous',
    timeout_seconds: 25,
    no_answer: null,
  };
  const config = { open_behavior: ring, closed_behavior: DEFAULT_VOICEMAIL };
  const night = new Date('2026-11-20T03:00:00-07:00');
  const business_hours = on(ALL, '08:00', '17:00');
  const zone = 'America/Phoenix';
  const closed = decideBehavior({ ...config, business_hours }, zone, night);
  assert.deepEqual(closed, { open: false, behavior: DEFAULT_VOICEMAIL });
  const day = decideBehavior({ ...config, business_hours }, zone, new Date('2026-11-20T09:00:00-07:00'));
  assert.deepEqual(day, { open: true, behavior: ring });
  assert.deepEqual(decideBehavior({ ...config, business_hours: null }, zone, night), { open: true, behavior: ring });
});

// Clocks with both kinds of change, at different hours, by half an hour (Lord Howe), before midnight (Nuuk), at
// midnight (Beirut, Santiago), and with none.
const ZONES = [
  'America/New_York',
  'America/St_Johns',
  'America/Nuuk',
  'America/Santiago',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Europe/Dublin',
  'America/Phoenix',
];

const STEP_MS = 15 * 60_000;
const quarter = (count: number) =>
  `${String(Math.floor(count / 4)).padStart(2, '0')}:${String((count % 4) * 15).padStart(2, '0')}`;
const opening = fc.integer({ min: 0, max: 95 }).map(quarter);
const closing = fc.integer({ min: 0, max: 96 }).map(quarter);
const range = fc.record({ days: fc.subarray(ALL, { minLength: 1 }), open: opening, close: closing });

/** A moment on the grid of quarter hours: half of them within a day and a half of a change of the clocks. */
const moment = fc
  .tuple(
    fc.constantFrom(...ZONES),
    fc.integer({ min: Date.UTC(2024, 0) / STEP_MS, max: Date.UTC(2030, 0) / STEP_MS }),
    fc.option(fc.integer({ min: -150, max: 150 })),
  )
  .map(([zone, step, aside]) => {
    const at = Temporal.Instant.fromEpochMilliseconds(step * STEP_MS).toZonedDateTimeISO(zone);
    const change = aside === null ? null : at.getTimeZoneTransition('next');
    return { zone, atMs: change === null ? at.epochMilliseconds : change.epochMilliseconds + (aside ?? 0) * STEP_MS };
  });

/** Returns the local time in the zone as text that sorts by time. */
function reading(zone: string, atMs: number): string {
  return Temporal.Instant.fromEpochMilliseconds(atMs)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString()
    .slice(0, 16);
}

/** Makes the same decision by reading the local time every quarter of an hour, from three days before. */
function watchClocks({ schedule, holidays = [] }: BusinessHours, zone: string, atMs: number): boolean {
  const seen: string[] = [];
  for (let ms = atMs - 72 * 3_600_000; ms <= atMs; ms += STEP_MS) seen.push(reading(zone, ms));
  const hasShown = (wall: string) => seen.some((shown) => shown >= wall);
  const today = Temporal.PlainDate.from(reading(zone, atMs).slice(0, 10));
  return [-2, -1, 0, 1].some((days) => {
    const date = today.add({ days });
    const next = date.add({ days: 1 }).toString();
    const special = holidays.find((each) => each.date === date.toString());
    const weekday = date.toLocaleString('en-US', { weekday: 'short' }).toLowerCase() as Day;
    const ranges = special === undefined ? schedule.filter((each) => each.days.includes(weekday)) : [special];
    return ranges.some(({ open = null, close = null }: { open?: string | null; close?: string | null }) => {
      if (open === null || close === null) return false;
      const end = close === '24:00' ? `${next}T00:00` : `${close <= open ? next : date}T${close}`;
      return hasShown(`${date}T${open}`) && !hasShown(end);
    });
  });
}

test('for any hours, zone and moment the result equals that of watching the local time', () => {
  const special = fc.record({ days: fc.integer({ min: -2, max: 1 }), hours: fc.option(fc.tuple(opening, closing)) });
  const specials = fc.uniqueArray(special, { selector: ({ days }) => days, maxLength: 3 });
  const answers = { open: 0, closed: 0 };
  checkProperty(
    fc.property(moment, fc.array(range, { maxLength: 4 }), specials, ({ zone, atMs }, schedule, around) => {
      const today = Temporal.PlainDate.from(reading(zone, atMs).slice(0, 10));
      const holidays = around.map(({ days, hours }) => {
        const [open, close] = hours ?? [null, null];
        return { date: today.add({ days }).toString(), closed: hours === null, open, close };
      });
      const hours = { schedule, holidays };
      const expected = watchClocks(hours, zone, atMs);
      answers[expected ? 'open' : 'closed'] += 1;
      assert.equal(isOpenAt(hours, zone, new Date(atMs)), expected, `${reading(zone, atMs)} in ${zone}`);
    }),
    { runs: 500 },
  );
  assert.ok(answers.open > 50 && answers.closed > 50, JSON.stringify(answers));
});

test('a range opens and closes once a week, however the clocks change', () => {
  checkProperty(
    fc.property(moment, range, ({ zone, atMs }, { open, close }) => {
      const hours = on(['sun'], open, close);
      let changes = 0;
      let before = isOpenAt(hours, zone, new Date(atMs));
      // Two hours less than a week: next week's range does not begin in this time, even if the clocks change.
      for (let ms = atMs; ms < atMs + 166 * 3_600_000; ms += STEP_MS) {
        const now = isOpenAt(hours, zone, new Date(ms));
        if (now !== before) changes += 1;
        before = now;
      }
      assert.ok(changes <= 2, `${changes} changes of ${open} to ${close} in ${zone}`);
    }),
    { runs: 30 },
  );
});
