import type { RoutingConfig } from '@dialplane/sdk/resources';
import { texts } from '../../texts/routing.ts';

const t = texts.spans;

type Schedule = NonNullable<RoutingConfig['business_hours']>['schedule'];

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export const DAY_NAMES = [t.monday, t.tuesday, t.wednesday, t.thursday, t.friday, t.saturday, t.sunday] as const;

export const DAY_MIN = 1440;
/** A drag in the grid moves in steps of this many minutes; the fields accept any minute. */
export const STEP_MIN = 15;

/** Opening hours of one weekday, in minutes from its midnight. If the end is beyond 24:00, it is on the next day. */
export type Span = { readonly id: number; readonly day: number; readonly open: number; readonly close: number };

let lastId = 0;

export function newSpan(day: number, open: number, close: number): Span {
  lastId += 1;
  return { id: lastId, day, open, close };
}

/** Returns minutes as the API and a time field write them. 24:00 is written 00:00. */
export function timeOf(minutes: number): string {
  const rest = minutes % DAY_MIN;
  return `${String(Math.floor(rest / 60)).padStart(2, '0')}:${String(rest % 60).padStart(2, '0')}`;
}

export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Returns the end of a span. If the time is not after the opening time, it is on the next day. */
export function closeAfter(open: number, time: string): number {
  const close = minutesOf(time);
  return close > open ? close : close + DAY_MIN;
}

/** Returns the hours of each weekday. */
export function spansOf(schedule: Schedule): Span[] {
  return schedule
    .flatMap(({ days, open, close }) => {
      const from = minutesOf(open);
      return days.map((day) => newSpan(DAYS.indexOf(day), from, closeAfter(from, close)));
    })
    .sort(inOrder);
}

export const inOrder = (one: Span, other: Span) => one.day - other.day || one.open - other.open;

/** Joins the same hours of several days into one entry of the schedule. */
export function scheduleOf(spans: readonly Span[]): Schedule {
  const groups = Map.groupBy([...spans].sort(inOrder), ({ open, close }) => `${open} ${close}`);
  return [...groups.values()].map((same) => ({
    days: [...new Set(same.map(({ day }) => DAYS[day] as (typeof DAYS)[number]))],
    open: timeOf((same[0] as Span).open),
    close: timeOf((same[0] as Span).close),
  }));
}

/** Returns a span with its ends within the limits of the API: it opens on its day, and lasts at most 24 hours. */
export function fit(span: Span): Span {
  const open = Math.min(Math.max(0, span.open), DAY_MIN - 1);
  return { ...span, open, close: Math.min(Math.max(open + 1, span.close), open + DAY_MIN) };
}

/** Describes a span, such as "Monday, 08:00 to 12:00". */
export function sayOf({ day, open, close }: Span): string {
  return `${DAY_NAMES[day]}, ${timeOf(open)}–${timeOf(close)}${close > DAY_MIN ? t.nextDay : ''}`;
}

/** Describes a schedule in short, such as "Mon–Fri 08:00–18:00". */
export function shortHours(config: RoutingConfig): string {
  if (config.business_hours === null) return t.atAllHours;
  const { schedule } = config.business_hours;
  if (schedule.length === 0) return t.neverOpen;
  return schedule.map(({ days, open, close }) => `${shortDays(days)} ${open}–${close}`).join(', ');
}

function shortDays(days: readonly (typeof DAYS)[number][]): string {
  const numbers = days.map((day) => DAYS.indexOf(day)).sort((one, other) => one - other);
  const short = (index: number) => (DAY_NAMES[index] ?? '').slice(0, 3);
  const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
  const isRun = numbers.length > 2 && last - first === numbers.length - 1;
  return isRun ? `${short(first)}–${short(last)}` : numbers.map(short).join(', ');
}
