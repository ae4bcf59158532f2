import type { QuietHours } from '../../tenants/index.ts';

/** Zones of one country agree after two passes, unless the hours are so long that they never agree. */
const PASSES_MAX = 4;

/**
 * Returns when the quiet hours that hold a moment end; null if it is outside of them. They hold a moment that they hold
 * in any of the zones, so the end is outside of them in all zones.
 * @param zones IANA names; an area code or a country may have several
 */
export function endOfQuiet(at: Date, hours: QuietHours, zones: readonly string[]): Date | null {
  let end: Date | null = null;
  // Each pass leaves the quiet hours of at least one zone. Zones far apart with long hours might never agree.
  for (let pass = 0; pass <= Math.min(zones.length, PASSES_MAX); pass++) {
    const now: Date = end ?? at;
    const ends = zones.map((zone) => endInZone(now, hours, zone)).filter((each) => each !== null);
    if (ends.length === 0) return end;
    end = new Date(Math.max(...ends.map((each) => each.getTime())));
  }
  return end;
}

/**
 * Returns the end of the quiet hours that hold a moment in one zone, or null. Hours whose end is before their start
 * cross midnight. Where clocks are put forward over the end, it is as much later; where they are put back over it, the
 * end that follows the moment counts.
 */
function endInZone(at: Date, { start, end }: QuietHours, zone: string): Date | null {
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);
  const [from, to] = [Temporal.PlainTime.from(start), Temporal.PlainTime.from(end)];
  const time = local.toPlainTime();
  const isAfterStart = Temporal.PlainTime.compare(time, from) >= 0;
  const isBeforeEnd = Temporal.PlainTime.compare(time, to) < 0;
  const crossesMidnight = Temporal.PlainTime.compare(to, from) < 0;
  if (crossesMidnight ? !isAfterStart && !isBeforeEnd : !isAfterStart || !isBeforeEnd) return null;
  const day = isBeforeEnd ? local.toPlainDate() : local.toPlainDate().add({ days: 1 });
  const wall = day.toPlainDateTime(to);
  const first = wall.toZonedDateTime(zone, { disambiguation: 'compatible' });
  const next = first.epochMilliseconds > at.getTime() ? first : wall.toZonedDateTime(zone, { disambiguation: 'later' });
  return new Date(next.epochMilliseconds);
}
