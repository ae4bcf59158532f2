import { type QuietHours, type QuietSpan, weekOf } from '../../tenants/index.ts';

const DAY_MINUTES = 1_440;
const WEEK_MINUTES = 7 * DAY_MINUTES;
/** The hours repeat after a week. If the zones do not agree within this, they never do. */
const SEARCHED_MS = 8 * DAY_MINUTES * 60_000;

/**
 * Returns when the quiet hours around a moment end; null if the moment is not quiet. A moment is quiet if it is quiet
 * in any of the zones, so at the end no zone is quiet. If some zone is quiet at every moment, only the zones that are
 * quiet at the given moment count. Then returns when the last of them stops being quiet.
 * @param zones IANA names; an area code or a country may have several
 */
export function endOfQuiet(at: Date, hours: QuietHours, zones: readonly string[]): Date | null {
  const week = weekOf(hours);
  const first = latestEnd(at, week, zones);
  for (let end = first; end !== null && end.getTime() - at.getTime() < SEARCHED_MS; ) {
    const next = latestEnd(end, week, zones);
    if (next === null) return end;
    end = next;
  }
  return first;
}

function latestEnd(at: Date, week: readonly QuietSpan[], zones: readonly string[]): Date | null {
  const ends = zones.flatMap((zone) => endInZone(at, week, zone) ?? []);
  return ends.length === 0 ? null : new Date(Math.max(...ends));
}

/**
 * Returns the end of the quiet time around a moment in one zone; undefined if the moment is not quiet there. A change
 * of clocks may skip the time of the end, and the end is then later by the change. A change may also repeat the time of
 * the end. Then the first repeat after the moment counts.
 */
function endInZone(at: Date, week: readonly QuietSpan[], zone: string): number | undefined {
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);
  const day = local.dayOfWeek - 1;
  const minute = day * DAY_MINUTES + local.hour * 60 + local.minute;
  for (const { from, to } of week) {
    // A span that began last week has its minutes after the end of that week, so a week is added to the minute.
    const now = minute < from ? minute + WEEK_MINUTES : minute;
    if (now >= to) continue;
    const monday = local.toPlainDate().subtract({ days: day + (now === minute ? 0 : 7) });
    const time = new Temporal.PlainTime(Math.floor((to % DAY_MINUTES) / 60), to % 60);
    const wall = monday.add({ days: Math.floor(to / DAY_MINUTES) }).toPlainDateTime(time);
    const compatible = wall.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds;
    if (compatible > at.getTime()) return compatible;
    return wall.toZonedDateTime(zone, { disambiguation: 'later' }).epochMilliseconds;
  }
  return undefined;
}
