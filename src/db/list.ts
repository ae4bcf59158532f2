/**
 * Statements of lists: newest first, in pages, narrowed by filters.
 *
 * A list has paths. A path is an index whose columns are the ledger, the path's keys and the order of the list. A read
 * walks ranges of that index, one for each arm: the values of the keys. A filter whose column is not a key of the path
 * is a condition on the rows of the range, and the caller chooses the path that leaves few such rows.
 *
 * The planner must not choose another index. Statistics would let it walk the ledger's newest rows and drop those of
 * other tenants or of another status, which reads everything when there are few or none. So the keys are compared as
 * one row and are part of the inner order: only the path's index has that order. The limit of an arm is a constant,
 * because for a parameter the planner assumes a tenth of the table and sorts.
 */
import type { Db } from './database.ts';
import { type Statement, statement } from './statement.ts';

/** SQL of a moment as text, UTC with microseconds: the form of moments in cursors. */
export function momentSql(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

export type ListTable = {
  /** Start of the names of the statements, such as `messages_list`. */
  readonly name: string;
  /** The table and its alias, such as `messages m`. */
  readonly from: readonly [table: string, alias: string];
  /** The columns of a row, over the alias. */
  readonly columns: string;
  /** The column of the time that orders the list. Without it the list is ordered by `ids`. */
  readonly at?: string;
  /** Columns that make the order total; by default the id. */
  readonly ids?: readonly string[];
  /** Filters on the rows of a range: each an SQL condition with `?` in place of the value. */
  readonly filters?: Readonly<Record<string, string>>;
};

/** A key of a path: a column, or an expression exactly as in the index. */
type Key = { readonly sql: string; readonly type?: 'text' | 'boolean' };

export type ListPath = {
  /** Last part of the names of the statements. */
  readonly name: string;
  readonly keys: readonly Key[];
  /** Condition of a partial index. */
  readonly where?: string;
  /** A select of the arms' values for `arms` with one value each, `$2` and on. Default: `arms` are the values. */
  readonly armsFrom?: string;
};

type Value = string | boolean;

/** What a page shows. */
export type ListPage = {
  /** The values of the path's keys, one tuple for each range. No arms: no rows. */
  readonly arms: readonly (readonly Value[])[];
  readonly range?: { readonly start: Date | null; readonly end: Date | null };
  /** The position after which the page begins: the moment, if the list has one, and the ids. */
  readonly before: readonly (string | null)[] | null;
  readonly rows: number;
  /** Values of `filters`; null and undefined filter nothing. */
  readonly filters?: Readonly<Record<string, Value | null | undefined>>;
};

/** A list's row has its position if the list is ordered by a time. */
export type Positioned<Row> = Row & { readonly position: string };

/** Returns true if the resource is the tenant's, or if no tenant is asked for. */
export function isOf(resource: { readonly tenant_id: string }, tenantId: string | null): boolean {
  return tenantId === null || resource.tenant_id === tenantId;
}

// Limits of an arm. A page of another size uses the next larger one.
const ARM_ROWS = [26, 101] as const;

/** Sorts after every id. */
const AFTER_ALL_IDS = '~';

/**
 * Returns a reader of one path of a list. Its statements are made when they are first used: one for each set of filters
 * on rows, and for small and for large pages.
 */
export function listReader<Row>(list: ListTable, path: ListPath) {
  const made = new Map<string, Statement>();
  const names = Object.keys(list.filters ?? {});
  return async (db: Db, ledgerId: number, page: ListPage): Promise<Row[]> => {
    if (path.keys.length > 0 && page.arms.length === 0) return [];
    const used = names.filter((name) => page.filters?.[name] != null);
    const armRows = ARM_ROWS.find((rows) => page.rows <= rows);
    if (armRows === undefined) throw new Error(`${list.name}: a page of ${page.rows} rows`);
    const name = [list.name, path.name, ...used.map((each) => names.indexOf(each)), armRows].join('_');
    const found = made.get(name) ?? statement(name, listSql(list, path, { used, armRows }));
    made.set(name, found);
    return await db.query<Row>(found, [
      ledgerId,
      ...armValues(path, page.arms),
      ...(list.at === undefined ? [] : [page.range?.start ?? '-infinity', page.range?.end ?? 'infinity']),
      ...positionValues(list, page.before),
      page.rows,
      ...used.map((each) => page.filters?.[each]),
    ]);
  };
}

function armValues({ keys, armsFrom }: ListPath, arms: ListPage['arms']): readonly unknown[] {
  if (armsFrom !== undefined) return arms[0] ?? [];
  return keys.map((_, index) => arms.map((arm) => arm[index]));
}

function positionValues({ at, ids = ['id'] }: ListTable, before: ListPage['before']): readonly (string | null)[] {
  return before ?? [...(at === undefined ? [] : ['infinity']), ...ids.map(() => AFTER_ALL_IDS)];
}

/** Returns the statement of a path. Parameters: ledger, arms, start and end, position, rows, filters. */
function listSql(list: ListTable, path: ListPath, { used, armRows }: { used: readonly string[]; armRows: number }) {
  const [table, alias] = list.from;
  const { at, ids = ['id'], filters = {} } = list;
  const armParameters = new Set((path.armsFrom ?? '').match(/\$\d+/g)).add('$1').size - 1;
  let parameters = 1 + (path.armsFrom === undefined ? path.keys.length : armParameters);
  const next = () => `$${++parameters}`;
  const order = [...(at === undefined ? [] : [at]), ...ids].map((column) => `${alias}.${column}`);
  const [start, end] = at === undefined ? [] : [`${next()}::timestamptz`, `${next()}::timestamptz`];
  const position = order.map((_, index) => `${next()}::${at !== undefined && index === 0 ? 'timestamptz' : 'text'}`);
  const rows = next();
  const keys = path.keys.map(({ sql }) => sql);
  const arm = keys.map((_, index) => `arm.k${index + 1}`);
  const upper = at === undefined ? position : [`least(${end}, ${position[0]})`];
  const conditions = [
    `${alias}.ledger_id = $1`,
    path.where,
    compare([...keys, ...(at === undefined ? [] : order.slice(0, 1))], '>=', [...arm, ...(start ? [start] : [])]),
    compare([...keys, ...order.slice(0, upper.length)], at === undefined ? '<' : '<=', [...arm, ...upper]),
    at === undefined ? undefined : `${order[0]} < ${end}`,
    at === undefined ? undefined : compare(order, '<', position),
    ...used.map((name) => filters[name]?.replaceAll('?', next())),
  ].filter((condition) => condition !== undefined);
  const newestFirst = (columns: readonly string[]) => columns.map((column) => `${column} desc`).join(', ');
  const ranges = `select ${alias}.* from ${table} ${alias} where ${conditions.join(' and ')}
     order by ${newestFirst([...keys, ...order])} limit ${armRows}`;
  const columns = at === undefined ? list.columns : `${list.columns}, ${momentSql(order[0] as string)} as position`;
  return `select ${columns} from ${armsSql(path)} (${ranges}) ${alias} order by ${newestFirst(order)} limit ${rows}`;
}

function armsSql({ keys, armsFrom }: ListPath): string {
  if (keys.length === 0) return '';
  const arrays = keys.map(({ type = 'text' }, index) => `$${index + 2}::${type}[]`);
  const arms = armsFrom === undefined ? `unnest(${arrays.join(', ')})` : `(${armsFrom})`;
  return `${arms} as arm (${keys.map((_, index) => `k${index + 1}`).join(', ')}) cross join lateral`;
}

function compare(left: readonly string[], operator: string, right: readonly string[]): string | undefined {
  if (left.length === 0) return undefined;
  return left.length === 1
    ? `${left[0]} ${operator} ${right[0]}`
    : `(${left.join(', ')}) ${operator} (${right.join(', ')})`;
}
