import type { CsvCell } from './csv.ts';

export type CsvTable = { readonly titles: readonly string[]; readonly rows: readonly (readonly CsvCell[])[] };

/** Returns things of the API as a table, with a column for each field that any of them has. */
export function csvTableOf(things: readonly object[]): CsvTable {
  const titles = [...new Set(things.flatMap((thing) => Object.keys(thing)))];
  const rows = things.map((thing) => titles.map((title) => cellOf(new Map(Object.entries(thing)).get(title))));
  return { titles, rows };
}

/** A list of plain values has a space between them; any other structure is JSON. */
function cellOf(value: unknown): CsvCell {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return String(value);
  const isPlain = Array.isArray(value) && value.every((each) => typeof each === 'string' || typeof each === 'number');
  return isPlain ? value.join(' ') : JSON.stringify(value);
}
