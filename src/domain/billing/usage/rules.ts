import { USAGE_KINDS, type UsageKind } from '../kinds.ts';
import type { UsageRange, UsageSum, UsageTimes } from './queries.ts';

const HOUR_MS = 3_600_000;

/**
 * How long single facts are kept once they are added up. A range that begins or ends within an hour further back counts
 * such an hour where it begins. A repeat of what was counted is known as one for as long: far longer than any retry, a
 * carrier's repeated report or the window of an Idempotency-Key can be late.
 */
export const ARCHIVE_DAYS = 100;

/** An end this close to now is taken as it is given: what was used a moment ago may still be on its way. */
const OPEN_END_MS = 60_000;

/**
 * The range that is asked for, [start, end), with its defaults: `end` now (null), `start` the beginning of the month
 * (UTC) that `end` closes. Undefined if it would be empty.
 */
export function resolveRange(
  asked: { start: Date | null; end: Date | null },
  now: Date,
): { start: Date; end: Date | null } | undefined {
  const last = new Date((asked.end ?? now).getTime() - 1);
  const start = asked.start ?? new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), 1));
  return start < (asked.end ?? now) ? { start, end: asked.end } : undefined;
}

/** Takes a range apart into whole hours and the pieces at its ends. Behind `archivedFrom` there are only hours. */
export function splitRange(range: { start: Date; end: Date | null }, { now, archivedFrom }: UsageTimes): UsageRange {
  const known = (moment: Date) => (archivedFrom !== null && moment < archivedFrom ? ceilHour(moment) : moment);
  const start = known(range.start);
  if (range.end === null || range.end.getTime() > now.getTime() + OPEN_END_MS) {
    return { start, end: null, hoursFrom: ceilHour(start), hoursTo: null };
  }
  const end = known(range.end);
  const hoursFrom = ceilHour(start);
  const hoursTo = floorHour(end);
  // Both ends within one hour: a single piece.
  return hoursFrom <= hoursTo ? { start, end, hoursFrom, hoursTo } : { start, end, hoursFrom: end, hoursTo: end };
}

function floorHour(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / HOUR_MS) * HOUR_MS);
}

function ceilHour(moment: Date): Date {
  return new Date(Math.ceil(moment.getTime() / HOUR_MS) * HOUR_MS);
}

const PLACE = new Map<UsageKind, number>(USAGE_KINDS.map((kind, place) => [kind, place]));

/** Sums in the order in which kinds are shown. */
export function inOrder(sums: readonly UsageSum[]): UsageSum[] {
  return sums.toSorted((a, b) => (PLACE.get(a.kind) ?? 0) - (PLACE.get(b.kind) ?? 0));
}
