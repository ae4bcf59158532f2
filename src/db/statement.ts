import { readerOf, type Values } from './input.ts';

/** SQL with a name; each connection prepares it once under that name. `Given` and `Row` exist only as types. */
export type Statement<Given = readonly unknown[], Row = never> = {
  readonly name: string;
  /** The text with `$1`, `$2`, …, as PostgreSQL takes it. */
  readonly text: string;
  /** How long to wait for the answer; 15 s by default. */
  readonly timeoutMs?: number;
  /** Returns the values of `$1`, `$2`, …. Absent if the text has `$1`, `$2` in place of names. */
  readonly read?: (values: Values) => unknown[];
  readonly types?: { readonly given: Given; readonly row: Row };
};

const names = new Set<string>();

/**
 * Declares a named statement. An unnamed statement is parsed and planned at every call, which takes most of a short
 * query's time. Names are unique in the process, have at most 63 bytes (PostgreSQL's identifier length), and read
 * `entity_operation_qualifier`.
 *
 * `:call_id` in the text is the value `call_id` of the object that `query` takes. `inputOf` declares an input of many
 * rows. A statement of few values may be written with `$1` and `$2`, and then takes an array.
 */
export function statement<Given = readonly unknown[], Row = never>(
  name: string,
  text: string,
  options: { timeoutMs?: number } = {},
): Statement<Given, Row> {
  if (names.has(name)) throw new Error(`statement ${name} is declared twice`);
  if (name.length > 63) throw new Error(`statement name ${name} is longer than 63 bytes`);
  names.add(name);
  return { name, ...numbered(name, text), ...options };
}

/** A statement as PostgreSQL takes it. */
export type Bound = Pick<Statement, 'name' | 'text'> & { readonly values: unknown[] };

/** Returns a statement with its values, each at its position. */
export function bind<Given>({ name, text, read }: Statement<Given, unknown>, values: Given): Bound {
  return { name, text, values: read === undefined ? (values as unknown[]) : read(values as Values) };
}

// Text in quotes is no parameter, and a cast is none either.
const PARAMETER = /'[^']*'|"[^"]*"|::|:([a-z]\w*(?:\.\w+)?)/g;

/** Gives each parameter its position, once when the statement is declared: the text stays the same in every run. */
function numbered(name: string, text: string): Pick<Statement, 'text' | 'read'> {
  const parameters: string[] = [];
  const positional = text.replaceAll(PARAMETER, (found, parameter?: string) => {
    if (parameter === undefined) return found;
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `$${parameters.indexOf(parameter) + 1}`;
  });
  if (parameters.length === 0) return { text };
  if (/\$\d/.test(text)) throw new Error(`statement ${name} has both names and positions`);
  const readers = parameters.map((parameter) => readerOf(name, parameter));
  return { text: positional, read: (values) => readers.map((reader) => reader(values)) };
}

/** Writes of one module that a statement of another module carries out together with its own writes, or not at all. */
export type JoinedWrite = {
  /** Part of the statement's name. */
  readonly name: string;
  /** The writes. They run only `where exists (select 1 from locked)`; `locked` is a CTE of the other statement. */
  readonly ctes: string;
  /** SQL that is true if these writes are carried out. Only then does the other statement write, too. */
  readonly condition: string;
  /** A column for the result. */
  readonly result: string;
  readonly values: Values;
};

/** Returns a function that makes statements for a joined write, once for each. */
export function perJoinedWrite<Made>(make: (joined: JoinedWrite) => Made): (joined: JoinedWrite) => Made {
  const made = new Map<string, Made>();
  return (joined) => {
    const found = made.get(joined.name) ?? make(joined);
    made.set(joined.name, found);
    return found;
  };
}

/** One resource by its id, or all of a tenant. */
export type Which = { readonly id: string } | { readonly tenantId: string };

/**
 * Declares a statement in two forms: for one resource, and for all of a tenant. Each form has an index. `textOf` takes
 * the condition, whose value is `$2`. Returns a function that picks the form and its value.
 */
export function whichStatement(name: string, textOf: (condition: string) => string) {
  const byId = statement(`${name}_one`, textOf('id = $2'));
  const ofTenant = statement(`${name}_of_tenant`, textOf('tenant_id = $2'));
  return (which: Which): readonly [Statement, string] =>
    'id' in which ? [byId, which.id] : [ofTenant, which.tenantId];
}
