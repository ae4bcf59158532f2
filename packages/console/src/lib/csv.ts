export type CsvCell = string | number | null;

/** A text that a spreadsheet would read as a formula. Numbers are not formulas, not even negative ones. */
const FORMULA = /^[\s]*[=+\-@]|^[\t\r\n]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** Writes rows as CSV (RFC 4180). A text that a spreadsheet would execute gets an apostrophe before it. */
export function csvOf(titles: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [titles, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(cell: CsvCell): string {
  if (cell === null) return '';
  const text = String(cell);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
