import { USAGE_KINDS, type UsageKind } from '../kinds.ts';
import type { UsageRange, UsageSum, UsageTimes } from './queries.ts';

const HOUR_MS = 3_600_000;

/**
 * Days for which single entries are kept once they are added up. Further back, an hour counts as a whole at its
 * beginning in a range that begins or ends within it. A repeated entry is recognized for the same time: far longer than
 * any delay of a retry, of a carrier's repeated report, or of the window of an Idempotency-Key.
 */
export const ARCHIVE_DAYS = 100;

/**
 * An end later than this after now counts as open. A nearer end is used as given: usage of the last moments may not be
 * counted yet.
 */
const OPEN_END_MS = 60_000;

/**
 * Returns the requested range, [start, end), with its defaults: `end` is now (null), `start` the beginning of the month
 * (UTC) that `end` closes. Undefined if the range would be empty.
 */
export function resolveRange(
  asked: { start: Date | null; end: Date | null },
  now: Date,
): { start: Date; end: Date | null } | undefined {
  const last = new Date((asked.end ?? now).getTime() - 1);
  const start = asked.start ?? new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), 1));
  return start < (asked.end ?? now) ? { start, end: asked.end } : undefined;
}

/** Splits a range into whole hours and the parts at its ends. Before `archivedFrom` there are only whole hours. */
export function splitRange(range: { start: Date; end: Date | null }, { now, archivedFrom }: UsageTimes): UsageRange {
  const known = (moment: Date) => (archivedFrom !== null && moment < archivedFrom ? ceilHour(moment) : moment);
  const start = known(range.start);
  if (range.end === null || range.end.getTime() > now.getTime() + OPEN_END_MS) {
    return { start, end: null, hoursFrom: ceilHour(start), hoursTo: null };
  }
  const end = known(range.end);
  const hoursFrom = ceilHour(start);
  const hoursTo = floorHour(end);
  // Both ends lie within one hour: a single part.
  return hoursFrom <= hoursTo ? { start, end, hoursFrom, hoursTo } : { start, end, hoursFrom: end, hoursTo: end };
}

function floorHour(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / HOUR_MS) * HOUR_MS);
}

function ceilHour(moment: Date): Date {
  return new Date(Math.ceil(moment.getTime() / HOUR_MS) * HOUR_MS);
}

const POSITION = new Map<UsageKind, number>(USAGE_KINDS.map((kind, position) => [kind, position]));

/** Sorts sums into the display order of their kinds. */
export function inOrder(sums: readonly UsageSum[]): UsageSum[] {
  return sums.toSorted((a, b) => (POSITION.get(a.kind) ?? 0) - (POSITION.get(b.kind) ?? 0));
}
