import { ApiError } from '../../lib/errors.ts';

export type Page<Row> = { data: Row[]; has_more: boolean; next_cursor: string | null };

/** Where a page begins: the key values of the last row before it, or null for the first page. */
export type Position = readonly (string | null)[] | null;

/**
 * Reads an opaque cursor. Cursors name their list, so that one of another list is refused, and hold the last row's
 * key values, so that rows added meanwhile neither repeat nor hide any.
 * @param keys how many values make a position in this list
 */
export function readCursor(list: string, keys: number, cursor: string | undefined): Position {
  if (cursor === undefined) return null;
  const parts = parse(cursor);
  if (parts?.[0] !== list || parts.length !== keys + 1) {
    throw new ApiError('invalid_body', { param: 'after', message: '"after" is not a cursor of this list.' });
  }
  return parts.slice(1) as string[];
}

function parse(cursor: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(value) && value.every(isPart) ? value : null;
  } catch {
    return null;
  }
}

function isPart(part: unknown): boolean {
  return part === null || (typeof part === 'string' && !part.includes('\0'));
}

// RFC 3339 in UTC with microseconds, as lists ordered by a moment write it.
const MOMENT = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3])(:[0-5]\d){2}\.\d{6}Z$/;

/** Reads a cursor of a list whose first key is a moment. */
export function readMomentCursor(list: string, keys: number, cursor: string | undefined): Position {
  const position = readCursor(list, keys, cursor);
  const moment = position?.[0] ?? '';
  if (position === null || (MOMENT.test(moment) && isRealDay(moment.slice(0, 10)))) return position;
  throw new ApiError('invalid_body', { param: 'after', message: '"after" is not a cursor of this list.' });
}

/**
 * Makes a page of rows of which one more than `limit` were asked for.
 * @param keyOf the key values of a row, in the order of the list
 */
export function toPage<Row>(
  list: string,
  rows: Row[],
  limit: number,
  keyOf: (row: Row) => readonly string[],
): Page<Row> {
  const has_more = rows.length > limit;
  const shown = has_more ? rows.slice(0, limit) : rows;
  const last = shown.at(-1);
  const next_cursor = has_more && last !== undefined ? encode([list, ...keyOf(last)]) : null;
  return { data: shown, has_more, next_cursor };
}

function encode(parts: readonly string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** The most common list: ordered by id, newest first. */
export function idPosition(list: string, cursor: string | undefined): string | null {
  return readCursor(list, 1, cursor)?.[0] ?? null;
}

/** A page of a list that is ordered by id. */
export function idPage<Row extends { id: string }>(list: string, rows: Row[], limit: number): Page<Row> {
  return toPage(list, rows, limit, (row) => [row.id]);
}

/** A half-open range [start, end) over created_at; null means unbounded. */
export type Range = { readonly start: Date | null; readonly end: Date | null };

/** Reads `start` and `end`. Errors: invalid_start, invalid_end, invalid_range. */
export function readRange(query: { start?: string; end?: string }): Range {
  const start = readMoment(query.start, 'invalid_start', 'start');
  const end = readMoment(query.end, 'invalid_end', 'end');
  if (start !== null && end !== null && start >= end) throw new ApiError('invalid_range', { param: 'start' });
  return { start, end };
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
// RFC 3339, 5.6: the offset is required.
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

function readMoment(text: string | undefined, code: 'invalid_start' | 'invalid_end', param: string): Date | null {
  if (text === undefined) return null;
  // A plus sign of a query means a space (WHATWG URL, 5.1): before an offset it was meant as itself.
  const meant = text.replace(/ (\d{2}:\d{2})$/, '+$1');
  const day = DATE.test(meant) ? meant : DATE_TIME.exec(meant)?.[1];
  const moment = new Date(day === meant ? `${meant}T00:00:00Z` : meant);
  if (day === undefined || Number.isNaN(moment.getTime()) || !isRealDay(day)) throw new ApiError(code, { param });
  return moment;
}

/** Date rolls 30 February over into March; a caller who wrote it made a mistake. */
function isRealDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
