import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../../test/support/property.ts';
import { type QuietHours, weekOf } from '../../tenants/index.ts';
import { endOfQuiet } from './quiet-hours.ts';

const MINUTE_MS = 60_000;
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
/** Zones whose clocks never change, change by an hour, by half an hour, and by a whole day. */
const ZONES = Intl.supportedValuesOf('timeZone');

const time = fc.integer({ min: 0, max: 1_439 }).map(written);
const window = fc
  .record({
    days: fc.uniqueArray(fc.constantFrom(...DAYS), { minLength: 1 }),
    start: time,
    end: fc.oneof(time, fc.constant('24:00')),
  })
  .filter(({ start, end }) => start !== end);
const weekly = fc
  .array(window, { minLength: 1, maxLength: 4 })
  .map((schedule): QuietHours => ({ schedule, zone: 'recipient', applies_to: 'all' }))
  .filter((hours) => weekOf(hours).every(({ from, to }) => to - from < 10_080));
const daily = fc
  .record({ start: time, end: time, zone: fc.constant('recipient' as const) })
  .filter(({ start, end }) => start !== end);
const hours = fc.oneof(weekly, daily);
/** Any minute, and the minutes around clock changes in the northern and the southern hemisphere. */
const minute = fc
  .oneof(
    fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2028-01-01') }),
    ...['2026-03-08', '2026-11-01', '2026-04-05', '2026-10-04'].map((day) =>
      fc.integer({ min: Date.parse(day) - 86_400_000, max: Date.parse(day) + 2 * 86_400_000 }),
    ),
  )
  .map((ms) => new Date(Math.floor(ms / MINUTE_MS) * MINUTE_MS));

function written(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

/** True if the clocks of a zone show a quiet time: the definition, a window at a time. */
function isQuiet(at: Date, quiet: QuietHours, zone: string): boolean {
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);
  const now = written(local.hour * 60 + local.minute);
  const today = DAYS[local.dayOfWeek - 1] as (typeof DAYS)[number];
  const yesterday = DAYS[(local.dayOfWeek + 5) % 7] as (typeof DAYS)[number];
  const windows = 'schedule' in quiet ? quiet.schedule : [{ ...quiet, days: [...DAYS] }];
  return windows.some(({ days, start, end }) =>
    start < end
      ? days.includes(today) && start <= now && now < end
      : (days.includes(today) && start <= now) || (days.includes(yesterday) && now < end),
  );
}

/** True if the clocks of a zone are put forward in the hours before a moment. */
function isAfterGap(at: Date, zone: string): boolean {
  const offset = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).offsetNanoseconds;
  return offset(at.getTime()) > offset(at.getTime() - 26 * 60 * MINUTE_MS);
}

test('a moment has an end of quiet hours in any zone exactly if its clocks show a quiet time, and that end is not quiet', () => {
  checkProperty(
    fc.property(minute, hours, fc.constantFrom(...ZONES), (at, quiet, zone) => {
      const end = endOfQuiet(at, quiet, [zone]);
      assert.equal(end !== null, isQuiet(at, quiet, zone));
      if (end === null) return;
      assert.ok(end > at && !isQuiet(end, quiet, zone), `${end.toISOString()} of ${at.toISOString()} in ${zone}`);
      // No time outside the quiet hours is skipped, except times that the clocks skip.
      for (let ms = at.getTime(); ms < end.getTime(); ms += MINUTE_MS * 7) {
        const passed = new Date(ms);
        assert.ok(isQuiet(passed, quiet, zone) || isAfterGap(passed, zone), `${passed.toISOString()} in ${zone}`);
      }
    }),
  );
});

test('with several zones it is quiet while it is quiet in any, and the end is quiet in none if they ever agree', () => {
  checkProperty(
    fc.property(
      minute,
      hours,
      fc.uniqueArray(fc.constantFrom(...ZONES), { minLength: 2, maxLength: 4 }),
      (at, quiet, zones) => {
        const isQuietAt = (moment: Date) => zones.some((zone) => isQuiet(moment, quiet, zone));
        const end = endOfQuiet(at, quiet, zones);
        assert.equal(end !== null, isQuietAt(at));
        if (end === null || !isQuietAt(end)) return;
        for (let ms = at.getTime(); ms < at.getTime() + 7 * 86_400_000; ms += MINUTE_MS) {
          assert.ok(
            isQuietAt(new Date(ms)) || zones.some((zone) => isAfterGap(new Date(ms), zone)),
            new Date(ms).toISOString(),
          );
        }
      },
    ),
    { runs: 40 },
  );
});
