import { USAGE_KINDS, type UsageKind } from '../kinds.ts';
import type { DaySum, UsageRange, UsageSum, UsageTimes } from './queries.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Days to keep single entries after they are added up. If a range begins or ends within an hour whose entries are
 * deleted, the whole hour counts at its beginning. A repeated entry is recognized for the same number of days. That is
 * far longer than the delay of a retry, of a carrier's repeated report, or the window of an Idempotency-Key.
 */
export const ARCHIVE_DAYS = 100;

/** The most days (UTC) of a summary by day. Two years are that long if one is a leap year. */
export const SUMMARY_DAYS_MAX = 731;

/**
 * An end that is more than this after the present counts as open. A nearer end is used as given: usage of the last
 * moments may not be counted yet.
 */
const OPEN_END_MS = 60_000;

/**
 * Returns the requested range, [start, end), with its defaults: `end` is now (null), `start` the beginning of the month
 * (UTC) of the last moment before `end`. Undefined if the range would be empty.
 */
export function resolveRange(
  asked: { start: Date | null; end: Date | null },
  now: Date,
): { start: Date; end: Date | null } | undefined {
  const last = new Date((asked.end ?? now).getTime() - 1);
  const start = asked.start ?? new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), 1));
  return start < (asked.end ?? now) ? { start, end: asked.end } : undefined;
}

/** Returns true if a summary by day of the range would have more than {@link SUMMARY_DAYS_MAX} days. */
export function isTooLong({ start, end }: { start: Date; end: Date | null }, now: Date): boolean {
  const days = (ceil(end ?? now, DAY_MS).getTime() - floor(start, DAY_MS).getTime()) / DAY_MS;
  return days > SUMMARY_DAYS_MAX;
}

/** Splits a range. The parts before `archivedFrom` are whole hours. */
export function splitRange(range: { start: Date; end: Date | null }, { now, archivedFrom }: UsageTimes): UsageRange {
  const known = (moment: Date) => (archivedFrom !== null && moment < archivedFrom ? ceil(moment, HOUR_MS) : moment);
  const isOpen = range.end === null || range.end.getTime() > now.getTime() + OPEN_END_MS;
  const start = known(range.start);
  const end = isOpen || range.end === null ? null : known(range.end);
  const hours = wholeUnits({ from: start, to: end }, HOUR_MS);
  const days = wholeUnits(hours, DAY_MS);
  return { start, hoursFrom: hours.from, daysFrom: days.from, daysTo: days.to, hoursTo: hours.to, end };
}

type Span = { readonly from: Date; readonly to: Date | null };

/** Returns the whole hours or days of a span. If it has none, returns an empty span at its end. */
function wholeUnits({ from, to }: Span, unitMs: number): Span {
  const first = ceil(from, unitMs);
  if (to === null) return { from: first, to };
  const last = floor(to, unitMs);
  return first <= last ? { from: first, to: last } : { from: to, to };
}

function floor(moment: Date, unitMs: number): Date {
  return new Date(Math.floor(moment.getTime() / unitMs) * unitMs);
}

function ceil(moment: Date, unitMs: number): Date {
  return new Date(Math.ceil(moment.getTime() / unitMs) * unitMs);
}

const POSITION = new Map<UsageKind, number>(USAGE_KINDS.map((kind, position) => [kind, position]));

/** Sorts sums into the display order of their kinds. */
export function inOrder<T extends UsageSum>(sums: readonly T[]): T[] {
  return sums.toSorted((a, b) => (POSITION.get(a.kind) ?? 0) - (POSITION.get(b.kind) ?? 0));
}

/** Sorts sums by day. Sums of one day are in the display order of their kinds. */
export function inOrderOfDays(sums: readonly DaySum[]): DaySum[] {
  return inOrder(sums).sort((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day)));
}
