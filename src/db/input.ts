/**
 * Parameters of statements by name. An input is a list of objects that a statement reads as rows, such as the sends of
 * a batch. Each column is declared once, with its SQL type and its reader.
 */

/** The values of a statement by name. The value of an input is the list of its items. */
export type Values = Readonly<Record<string, unknown>>;

type NumberType = 'int' | 'smallint' | 'bigint' | 'real' | 'float8' | 'boolean';
/**
 * `joined text` is cheaper than `text`. It is for ids and JSON: texts without U+001E that are neither null nor empty.
 */
type ColumnType = NumberType | 'text' | 'joined text' | 'json' | 'timestamptz' | 'bytea';

/** The columns of an input. Each has its SQL type, and a reader that returns its value in an item. */
export type Columns<Item> = Readonly<Record<string, Column<Item>>>;
export type Column<Item, Value = unknown> = readonly [type: ColumnType, read: (item: Item) => Value];

export type Input = {
  /**
   * Returns SQL of the rows for a `from` clause.
   * @param position a column that counts the rows from 1
   */
  rows(alias: string, position?: string): string;
};

/** Returns the values that columns read from an item, by the names of the columns. */
export function readColumns<Item, Read extends Columns<Item>>(columns: Read, item: Item) {
  const read = Object.entries(columns).map(([name, [, reader]]) => [name, reader(item)]);
  return Object.fromEntries(read) as { [Name in keyof Read]: ReturnType<Read[Name][1]> };
}

const inputs = new Map<string, Columns<never>>();

/** Declares an input. Names are unique in the process. */
export function inputOf<Item>(name: string, columns: Columns<Item>): Input {
  if (inputs.has(name)) throw new Error(`input ${name} is declared twice`);
  inputs.set(name, columns);
  const columnNames = Object.keys(columns);
  return {
    rows: (alias, position) => {
      const arrays = Object.entries(columns).map(([column, [type]]) => arraySql(`:${name}.${column}`, type));
      const ordinality = position === undefined ? '' : ' with ordinality';
      const shown = position === undefined ? columnNames : [...columnNames, position];
      return `unnest(${arrays.join(', ')})${ordinality} as ${alias} (${shown.join(', ')})`;
    },
  };
}

const SEPARATOR = '\x1e';

function arraySql(parameter: string, type: ColumnType): string {
  return type === 'joined text' ? `string_to_array(${parameter}::text, E'\\x1e')` : `${parameter}::${type}[]`;
}

/**
 * Returns the function that reads the value of a parameter. A parameter is a name such as `call_id`, or a column of an
 * input such as `sends.body`.
 */
export function readerOf(statement: string, parameter: string): (values: Values) => unknown {
  const [name, column] = parameter.split('.') as [string, string?];
  const given = (values: Values) => {
    const value = values[name];
    if (value === undefined) throw new Error(`statement ${statement} has no value for :${name}`);
    return value;
  };
  if (column === undefined) return given;
  const [type, read] = inputs.get(name)?.[column] ?? [];
  if (type === undefined || read === undefined) throw new Error(`statement ${statement}: no input ${parameter}`);
  const write = ARRAYS[type] ?? ((items: unknown[]) => items);
  return (values) => write((given(values) as never[]).map((item) => read(item)));
}

const literal = (items: unknown[]) => `{${items.map((item) => item ?? 'null').join()}}`;

// The driver needs several times as long to write arrays, and would write a JSON text without its quotes.
const ARRAYS: Partial<Record<ColumnType, (items: unknown[]) => unknown>> = {
  int: literal,
  smallint: literal,
  bigint: literal,
  real: literal,
  float8: literal,
  boolean: literal,
  'joined text': (items) => items.join(SEPARATOR),
  json: (items) => items.map((item) => (item === null ? null : JSON.stringify(item))),
};
