/**
 * Business hours. A range of hours is two local times in the tenant's time zone. It begins at the first moment when the
 * local time is its opening time or later, and ends at the first moment when the local time is its closing time or
 * later. This decides both days when the clocks change:
 *
 * - A skipped hour has no moments. A range that would open or close in it does so when the clocks jump. A range that
 *   lies completely in it never opens.
 * - In a repeated hour, an opening or closing time counts the first time it is shown, so that no range opens or closes
 *   twice.
 *
 * A range belongs to the day when it opens and continues past midnight, whatever the next day is. A holiday
 * replaces all ranges that would open on its date, and no others: the range of the evening before a closed holiday
 * ends as usual.
 */
import type { CallBehavior } from './behavior-schema.ts';
import { DAYS, type Day } from './rules.ts';
import type { BusinessHours, RoutingConfig } from './schema.ts';

/** Times of day as `HH:MM`; `close` may be `24:00`. */
type Range = { readonly open: string; readonly close: string };

export type Decision = {
  /** True if the moment lies within business hours, or if the config has none. */
  readonly open: boolean;
  readonly behavior: CallBehavior;
};

/** Decides how a call that arrives at `at` is routed. `timezone` is the tenant's, an IANA name. */
export function decideBehavior(
  config: Pick<RoutingConfig, 'business_hours' | 'open_behavior' | 'closed_behavior'>,
  timezone: string,
  at: Date,
): Decision {
  const open = config.business_hours === null || isOpenAt(config.business_hours, timezone, at);
  return { open, behavior: open ? config.open_behavior : config.closed_behavior };
}

/** Returns true if the moment lies within the hours. */
export function isOpenAt(hours: BusinessHours, timezone: string, at: Date): boolean {
  const moment = Temporal.Instant.fromEpochMilliseconds(at.getTime());
  const today = moment.toZonedDateTimeISO(timezone).toPlainDate();
  // Yesterday's range may still run. Tomorrow's may already have begun in zones whose clocks go back across midnight.
  return [-1, 0, 1].some((days) => {
    const date = today.add({ days });
    return rangesOn(hours, date).some((range) => contains(range, date, timezone, moment));
  });
}

/** Returns the ranges that open on a date. */
function rangesOn({ schedule, holidays = [] }: BusinessHours, date: Temporal.PlainDate): Range[] {
  const holiday = holidays.find((candidate) => candidate.date === date.toString());
  if (holiday !== undefined) {
    const { open = null, close = null } = holiday;
    return open === null || close === null ? [] : [{ open, close }];
  }
  const day = DAYS[date.dayOfWeek - 1] as Day;
  return schedule.filter(({ days }) => days.includes(day));
}

function contains({ open, close }: Range, date: Temporal.PlainDate, timezone: string, at: Temporal.Instant): boolean {
  const begin = firstShowing(date, open, timezone);
  if (Temporal.Instant.compare(at, begin) < 0) return false;
  const end = firstShowing(close <= open ? date.add({ days: 1 }) : date, close, timezone);
  return Temporal.Instant.compare(at, end) < 0;
}

/** Returns the first moment when the local time in the zone is this time of this date, or later. */
function firstShowing(date: Temporal.PlainDate, time: string, timezone: string): Temporal.Instant {
  const wall =
    time === '24:00' ? date.add({ days: 1 }).toPlainDateTime() : date.toPlainDateTime(Temporal.PlainTime.from(time));
  const shown = wall.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  if (shown.toPlainDateTime().equals(wall)) return shown.toInstant();
  // The local time is skipped: Temporal then returns a moment before the jump.
  return (shown.getTimeZoneTransition('next') as Temporal.ZonedDateTime).toInstant();
}
