/** The quiet hours of a tenant: one span of every day, or a schedule of the week. */
import type { FieldError } from '../../../lib/errors/errors.ts';
import { fieldError, refuseFields } from '../../../lib/errors/field-errors.ts';
import { QUIET_DAYS, type QuietHours, type WantedQuietHours } from './schema.ts';

const DAY_MINUTES = 1_440;
const WEEK_MINUTES = 7 * DAY_MINUTES;

/** Quiet time in minutes since Monday 00:00 local time. It begins within the week; `to` may be in the next week. */
export type QuietSpan = { readonly from: number; readonly to: number };

/** Returns the quiet time of a week: spans that neither overlap nor touch. */
export function weekOf(hours: QuietHours): QuietSpan[] {
  const windows = 'schedule' in hours ? hours.schedule : [{ ...hours, days: QUIET_DAYS }];
  const spans = windows.flatMap(({ days, start, end }) =>
    days.map((day) => {
      const from = QUIET_DAYS.indexOf(day) * DAY_MINUTES + minutesOf(start);
      const length = minutesOf(end) - minutesOf(start);
      return { from, to: from + (length > 0 ? length : length + DAY_MINUTES) };
    }),
  );
  return joined(spans);
}

/** Joins spans that overlap or touch, also across the end of the week. */
function joined(spans: readonly QuietSpan[]): QuietSpan[] {
  const result: QuietSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last === undefined || span.from > last.to) result.push(span);
    else result[result.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
  }
  // A span that passes the end of the week may reach the first spans of the next week.
  for (let first = result[0]; first !== undefined && result.length > 1; first = result[0]) {
    const last = result.at(-1) as QuietSpan;
    if (last.to < first.from + WEEK_MINUTES) break;
    result.shift();
    result[result.length - 1] = { from: last.from, to: Math.max(last.to, first.to + WEEK_MINUTES) };
  }
  return result;
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

const isAlways = (spans: readonly QuietSpan[]) => spans.some(({ from, to }) => to - from >= WEEK_MINUTES);

/**
 * Returns the quiet hours if they have one of the two forms, each of their spans has a length, and they leave some time
 * of the week. Error: invalid_body, with the field.
 */
export function checkQuietHours(wanted: WantedQuietHours | null): QuietHours | null {
  if (wanted === null) return null;
  const { start, end, zone, schedule, applies_to = 'requested' } = wanted;
  if (schedule === undefined) {
    refuseFields([
      ...missing('start', start),
      ...missing('end', end),
      ...(start !== undefined && start === end
        ? [wrong('end', 'must differ from "start"; null is for no quiet hours')]
        : []),
      ...(wanted.applies_to === undefined ? [] : [wrong('applies_to', 'needs a "schedule"')]),
    ]);
    return { start, end, zone } as QuietHours;
  }
  refuseFields([
    ...(start === undefined ? [] : [wrong('start', 'cannot be given together with "schedule"')]),
    ...(end === undefined ? [] : [wrong('end', 'cannot be given together with "schedule"')]),
    ...schedule.flatMap((window, index) =>
      window.start === window.end ? [wrong(`schedule[${index}].end`, 'must differ from "start"')] : [],
    ),
  ]);
  const hours = { schedule, zone, applies_to };
  if (isAlways(weekOf(hours))) refuseFields([wrong('schedule', 'must leave some time of the week')]);
  return hours;
}

function missing(field: string, value: string | undefined): FieldError[] {
  return value === undefined ? [fieldError(`quiet_hours.${field}`, 'missing_fields')] : [];
}

function wrong(field: string, why: string): FieldError {
  const param = `quiet_hours.${field}`;
  return fieldError(param, 'invalid_body', `"${param}" ${why}.`);
}
