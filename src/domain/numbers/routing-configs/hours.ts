/**
 * Business hours. A range of hours is two times on the clocks of the tenant's zone. It begins the first moment that
 * those clocks show its opening time or later, and ends the first moment they show its closing time or later. This
 * settles both days on which the clocks change:
 *
 * - An hour that is skipped has no moments. What would open or close in it does so when the clocks jump, and a range
 *   that lies in it whole never opens.
 * - In an hour that comes twice, both times count when they are shown first, so that no range opens or closes twice.
 *
 * A range belongs to the day on which it opens, and runs on past midnight whatever the next day is. A holiday takes the
 * place of all ranges that would open on its date, and of no others: the night before a closed holiday ends as usual.
 */
import { DAYS, type Day } from './rules.ts';
import type { BusinessHours, CallBehavior, RoutingConfig } from './schema.ts';

/** Times of day as `HH:MM`; `close` may be `24:00`. */
type Range = { readonly open: string; readonly close: string };

export type Decision = {
  /** Whether the moment lies within business hours; always without them. */
  readonly open: boolean;
  readonly behavior: CallBehavior;
};

/** What a call that arrives at `at` meets. `timezone` is the tenant's, an IANA name. */
export function decideBehavior(
  config: Pick<RoutingConfig, 'business_hours' | 'open_behavior' | 'closed_behavior'>,
  timezone: string,
  at: Date,
): Decision {
  const open = config.business_hours === null || isOpenAt(config.business_hours, timezone, at);
  return { open, behavior: open ? config.open_behavior : config.closed_behavior };
}

/** Whether the moment lies within the hours. */
export function isOpenAt(hours: BusinessHours, timezone: string, at: Date): boolean {
  const moment = Temporal.Instant.fromEpochMilliseconds(at.getTime());
  const today = moment.toZonedDateTimeISO(timezone).toPlainDate();
  // Yesterday's may still run. Tomorrow's may have begun already, in zones whose clocks go back across midnight.
  return [-1, 0, 1].some((days) => {
    const date = today.add({ days });
    return rangesOn(hours, date).some((range) => contains(range, date, timezone, moment));
  });
}

/** The ranges that open on a date. */
function rangesOn({ schedule, holidays = [] }: BusinessHours, date: Temporal.PlainDate): Range[] {
  const holiday = holidays.find((each) => each.date === date.toString());
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

/** The first moment at which the clocks of the zone show this time of this date, or later. */
function firstShowing(date: Temporal.PlainDate, time: string, timezone: string): Temporal.Instant {
  const wall =
    time === '24:00' ? date.add({ days: 1 }).toPlainDateTime() : date.toPlainDateTime(Temporal.PlainTime.from(time));
  const shown = wall.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  if (shown.toPlainDateTime().equals(wall)) return shown.toInstant();
  // Never shown: Temporal then answers with a moment before the jump.
  return (shown.getTimeZoneTransition('next') as Temporal.ZonedDateTime).toInstant();
}
