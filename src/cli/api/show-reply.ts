/** Shows replies of the API to people: lists as tables, a resource as one line for each field. */
import { show, type Terminal } from '../command.ts';
import type { ApiErrorBody } from './send-request.ts';

type Row = Readonly<Record<string, unknown>>;

/** The fields that a table shows, in this order, if the items have them. */
const COLUMNS = [
  'id',
  'type',
  'name',
  'legal_name',
  'status',
  'direction',
  'from',
  'to',
  'phone_number',
  'external_number',
  'url',
  'action',
  'amount_usd',
  'body',
  'created_at',
];
/** A table with fewer of the columns above also gets the first fields of its items. */
const COLUMNS_MIN = 3;
const COLUMNS_MAX = 7;
const CELL_CHARS_MAX = 40;

/** Prints a page of a list. With --json it is printed as the API sent it, otherwise as a table. */
export function showPage(terminal: Terminal, page: { data: readonly Row[]; next_cursor: string | null }): void {
  if (terminal.json) {
    terminal.out(JSON.stringify(page));
    return;
  }
  if (page.data.length === 0) terminal.out('The list is empty.');
  else showTable(terminal, page.data);
  if (page.next_cursor !== null) terminal.err(`There is more: --after ${page.next_cursor}, or --all.`);
}

/** Prints the reply of an operation. Prints `done` if there is no reply. */
export function showResource(terminal: Terminal, reply: unknown, done: string): void {
  if (terminal.json) {
    terminal.out(JSON.stringify(reply ?? null));
    return;
  }
  const { data } = (reply ?? {}) as { data?: unknown };
  if (Array.isArray(data) && data.length > 0 && data.every(isObject)) showTable(terminal, data);
  else if (isObject(reply)) showFields(terminal, reply);
  else terminal.out(reply === undefined ? done : JSON.stringify(reply));
}

/** Prints an error of the API to standard error. With --json also prints it to standard output, as the API sent it. */
export function showRefusal(terminal: Terminal, error: ApiErrorBody): void {
  const { code, message, param, fields = [], request_id: requestId, docs_url: docsUrl } = error;
  if (terminal.json) terminal.out(JSON.stringify({ error }));
  const wrong = fields.length > 1 ? fields.map((field) => [field.param, field.message] as const) : [];
  const lines = [
    ...(wrong.length === 0 && param !== undefined ? [['field', param] as const] : wrong),
    ...(requestId === undefined ? [] : [['request', requestId] as const]),
    ...(docsUrl === undefined ? [] : [['see', docsUrl] as const]),
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  terminal.err(
    [`${code}: ${message}`, ...lines.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)]
      .map(printable)
      .join('\n'),
  );
}

function showTable(terminal: Terminal, rows: readonly Row[]): void {
  const isSimple = (name: string) => rows.every((row) => !isObject(row[name]) && !Array.isArray(row[name]));
  const names = Object.keys(rows[0] ?? {}).filter((name) => name !== 'object' && isSimple(name));
  const known = COLUMNS.filter((name) => names.includes(name));
  const columns = known.length >= COLUMNS_MIN ? known : [...new Set([...known, ...names])];
  const shown = columns.slice(0, COLUMNS_MAX);
  show(
    terminal,
    rows.map((row) => Object.fromEntries(shown.map((name) => [name, cellOf(row[name])]))),
    shown,
  );
}

function cellOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = printable(value.replaceAll(/\s+/g, ' '));
  return text.length > CELL_CHARS_MAX ? `${text.slice(0, CELL_CHARS_MAX - 1)}…` : text;
}

function showFields(terminal: Terminal, resource: Row): void {
  const lines = linesOf(resource, '');
  const width = Math.max(...lines.map(([name]) => name.length));
  for (const [name, value] of lines) {
    terminal.out(`${terminal.style('bold', name)}${' '.repeat(width - name.length)}  ${value}`);
  }
}

/** Returns each field with its text. A field of an inner object has the object's name before its own. */
function linesOf(resource: Row, above: string): (readonly [string, string])[] {
  return Object.entries(resource).flatMap(([name, value]) => {
    if (above === '' && name === 'object') return [];
    const isInside = isObject(value) && Object.keys(value).length > 0;
    return isInside ? linesOf(value, `${above}${name}.`) : [[`${above}${name}`, textOf(value)] as const];
  });
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'string') return printable(value);
  const isTexts = Array.isArray(value) && value.length > 0 && value.every((item) => typeof item !== 'object');
  return printable(isTexts ? value.join(', ') : JSON.stringify(value));
}

/** Replaces control characters. Texts come from strangers and must not control the terminal. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it finds the characters to replace; a line break stays.
  return text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '\ufffd');
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
