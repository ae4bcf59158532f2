import type { Filters } from '../../app/filters.ts';

/** A range of days in UTC. `end` is the day after the last day. */
export type Period = { readonly start: string; readonly end: string };

export const PERIODS = ['month', 'last-month', '7d', '30d', 'custom'] as const;
export type PeriodName = (typeof PERIODS)[number];

const DAY_MS = 86_400_000;
const DAYS_MAX = 731;
const BARS_MAX = 31;
const STEPS_DAYS = [1, 7, 30];

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const plus = (day: string, days: number): string => dayOf(Date.parse(day) + days * DAY_MS);
const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

export function periodName({ period }: Filters): PeriodName {
  return PERIODS.find((name) => name === period) ?? 'month';
}

/** Returns the period in the page's address; by default the month to date. */
export function periodOf(filters: Filters, now: Date): Period {
  const today = dayOf(now.getTime());
  const tomorrow = plus(today, 1);
  const month = (back: number) => dayOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1));
  switch (periodName(filters)) {
    case 'month':
      return { start: month(0), end: tomorrow };
    case 'last-month':
      return { start: month(1), end: month(0) };
    case '7d':
      return { start: plus(today, -6), end: tomorrow };
    case '30d':
      return { start: plus(today, -29), end: tomorrow };
    case 'custom':
      return customPeriod(filters, today);
  }
}

/** Returns the days in the address, in order and at most two years. The last day is included. */
function customPeriod(filters: Filters, today: string): Period {
  const to = isDay(filters['end']) ? filters['end'] : today;
  const from = isDay(filters['start']) ? filters['start'] : `${to.slice(0, 7)}-01`;
  const [first, last] = [from, to].sort() as [string, string];
  const earliest = plus(last, 1 - DAYS_MAX);
  const [, start] = [first, earliest].sort() as [string, string];
  return { start, end: plus(last, 1) };
}

/** Returns the last day of a period. */
export const lastDay = ({ end }: Period): string => plus(end, -1);

/** Cuts a period into days, or into longer parts if it has many. */
export function partsOf({ start, end }: Period): Period[] {
  const days = Math.round((Date.parse(end) - Date.parse(start)) / DAY_MS);
  const step = STEPS_DAYS.find((each) => days / each <= BARS_MAX) ?? (STEPS_DAYS.at(-1) as number);
  return Array.from({ length: Math.ceil(days / step) }, (_, index) => {
    const first = plus(start, index * step);
    const next = plus(first, step);
    return { start: first, end: next < end ? next : end };
  });
}
