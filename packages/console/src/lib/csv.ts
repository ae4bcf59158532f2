export type CsvCell = string | number | null;

/** A text that a spreadsheet would take for a formula. Numbers, also negative ones, are none. */
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

/** Hands a text to the person as a file. */
export function downloadText(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it when click() returns; some read on for a moment.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
