import { crc32 } from 'node:zlib';
import { ApiError } from '../../lib/errors/errors.ts';
import { parseMoment } from '../../lib/time/moments.ts';

export type Page<Row> = { data: Row[]; has_more: boolean; next_cursor: string | null };

/** The start of a page: the key values of the last row before it. Null for the first page. */
export type Position = readonly string[] | null;

/**
 * Reads an opaque cursor. A cursor has the name of its list, so other lists refuse it. It also has the key values of
 * the last row, so that added rows neither repeat nor hide rows. Its checksum detects a damaged cursor. Error:
 * invalid_cursor.
 * @param keys the number of values in a position of this list
 */
export function readCursor(list: string, keys: number, cursor: string | undefined): Position {
  if (cursor === undefined) return null;
  const parts = parse(cursor);
  if (parts?.[0] !== list || parts.length !== keys + 1) throw notACursor();
  return parts.slice(1);
}

/** The refusal of a cursor that the list did not return. */
export function notACursor(): ApiError {
  return new ApiError('invalid_cursor', { param: 'after' });
}

/** Returns the parts of a cursor. Returns null if `writeCursor` does not return the same cursor for them. */
function parse(cursor: string): string[] | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8').slice(CHECKSUM_CHARS));
    return Array.isArray(value) && value.every(isPart) && writeCursor(value) === cursor ? value : null;
  } catch {
    return null;
  }
}

function isPart(part: unknown): part is string {
  return typeof part === 'string' && !part.includes('\0');
}

const CHECKSUM_CHARS = 8;

/** Writes a cursor with the name of its list and the key values of a row. */
export function writeCursor(parts: readonly string[]): string {
  const text = JSON.stringify(parts);
  return Buffer.from(crc32(text).toString(16).padStart(CHECKSUM_CHARS, '0') + text).toString('base64url');
}

// RFC 3339 in UTC with microseconds, as in cursors of lists that are ordered by a moment.
// The database has no year 0000.
const MOMENT = /^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3])(:[0-5]\d){2}\.\d{6}Z$/;

/** Reads a cursor of a list whose first key is a moment. */
export function readMomentCursor(list: string, keys: number, cursor: string | undefined): Position {
  const position = readCursor(list, keys, cursor);
  const moment = position?.[0] ?? '';
  if (position === null || (MOMENT.test(moment) && parseMoment(moment) !== undefined)) return position;
  throw notACursor();
}

/**
 * Makes a page from the rows of a query for `limit` + 1 rows.
 * @param keyOf returns the key values of a row, in the order of the list
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
  const next_cursor = has_more && last !== undefined ? writeCursor([list, ...keyOf(last)]) : null;
  return { data: shown, has_more, next_cursor };
}

/** Reads a cursor of a list that is ordered by id, newest first. */
export function idPosition(list: string, cursor: string | undefined): string | null {
  return readCursor(list, 1, cursor)?.[0] ?? null;
}

/** Makes a page of a list that is ordered by id. */
export function idPage<Row extends { id: string }>(list: string, rows: Row[], limit: number): Page<Row> {
  return toPage(list, rows, limit, (row) => [row.id]);
}

/** Makes a page of a list that is ordered by the words of its matches. */
export function wordPage<Row extends { readonly found_word: string }>(
  list: string,
  { found, next }: { found: Row[]; next: { readonly word: string; readonly id: string } | undefined },
): Page<Omit<Row, 'found_word'>> {
  const next_cursor = next === undefined ? null : writeCursor([list, next.word, next.id]);
  return { data: found.map(({ found_word: _, ...row }) => row), has_more: next !== undefined, next_cursor };
}

/** Makes a page of a list that is ordered by a moment, then by id. */
export function momentPage<Row extends { id: string; position: string }>(
  list: string,
  rows: Row[],
  limit: number,
): Page<Row> {
  return toPage(list, rows, limit, (row) => [row.position, row.id]);
}

/** A half-open range [start, end) of created_at. Null means unbounded. */
export type Range = { readonly start: Date | null; readonly end: Date | null };

/** Reads `start` and `end`. Errors: invalid_start, invalid_end, invalid_range. */
export function readRange(query: { start?: string; end?: string }): Range {
  const start = readMoment(query.start, 'invalid_start', 'start');
  const end = readMoment(query.end, 'invalid_end', 'end');
  if (start !== null && end !== null && start >= end) throw new ApiError('invalid_range', { param: 'start' });
  return { start, end };
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

function readMoment(text: string | undefined, code: 'invalid_start' | 'invalid_end', param: string): Date | null {
  if (text === undefined) return null;
  // A plus sign in a query means a space (WHATWG URL, 5.1). So a space before an offset is read as a plus sign.
  const meant = text.replace(/ (\d{2}:\d{2})$/, '+$1');
  const moment = parseMoment(DATE.test(meant) ? `${meant}T00:00:00Z` : meant);
  if (moment === undefined) throw new ApiError(code, { param });
  return moment;
}
