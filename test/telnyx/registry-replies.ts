/** The replies of the registry: bodies without `data` around them, and errors of a different form. */
import { Refusal, type Reply } from './replies.ts';

/** A request that the registry refuses. `loc` leads to the mistake: `body` or `query`, then the names of fields. */
export class RegistryRefusal extends Refusal {
  override readonly reply: Reply;

  constructor(loc: readonly string[], msg: string, type = 'value_error') {
    super('10015', msg);
    this.reply = { status: 422, body: { detail: [{ loc, msg, type }] } };
  }
}

const RECORDS = { usual: 10, max: 500 };
const PAGES = ['page', 'recordsPerPage', 'sort'];

export const flat = (body: unknown): Reply => ({ status: 200, body });

/** Refuses a query with a parameter that the operation does not know. */
export function checkParameters(query: URLSearchParams, known: readonly string[]): void {
  for (const parameter of query.keys()) {
    if (!known.includes(parameter)) throw new RegistryRefusal(['query', parameter], 'extra fields not permitted');
  }
}

/** Reads a whole number above 0 from a query. */
function positive(query: URLSearchParams, parameter: string, usual: number): number {
  const text = query.get(parameter);
  if (text === null) return usual;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new RegistryRefusal(['query', parameter], 'value is not a whole number above 0', 'type_error.integer');
}

/** Returns the items that a query names by these parameters; refuses unknown parameters. */
export function filtered<Item extends object>(
  items: Iterable<Item>,
  query: URLSearchParams,
  fields: Readonly<Record<string, keyof Item>>,
): Item[] {
  checkParameters(query, [...Object.keys(fields), ...PAGES]);
  return [...items].filter((item) =>
    Object.entries(fields).every(([name, field]) => !query.has(name) || item[field] === query.get(name)),
  );
}

/** Answers one page of a list, newest first unless the query sorts it otherwise. */
export function records(items: readonly object[], query: URLSearchParams): Reply {
  const page = positive(query, 'page', 1);
  const size = Math.min(positive(query, 'recordsPerPage', RECORDS.usual), RECORDS.max);
  const sort = query.get('sort') ?? '-createdAt';
  const field = sort.replace('-', '');
  const textOf = (item: object) => `${new Map(Object.entries(item)).get(field) ?? ''}`;
  // Items stay in the order of their creation.
  const sorted = field === 'createdAt' ? [...items] : items.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  if (sort.startsWith('-')) sorted.reverse();
  return flat({ records: sorted.slice((page - 1) * size, page * size), page, totalRecords: items.length });
}
