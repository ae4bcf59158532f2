/**
 * Statements of lists: pages of rows in the order of the list, narrowed by filters.
 *
 * A list has paths. A path is an index whose columns are the ledger, the path's keys and the order of the list. A read
 * walks ranges of that index, one for each arm. An arm is a tuple of values of the keys. A filter whose column is not a
 * key of the path is a condition on the rows of the range, and the caller chooses the path that leaves few such rows.
 *
 * The planner must not choose another index. Because of statistics it might walk the ledger's newest rows and drop rows
 * of other tenants or of another status. With few matching rows or none, that reads the whole ledger. So statements
 * have this form:
 *
 * - The keys and the order's column are compared as one row, and the inner order is by all of them. Only the path's
 *   index has that order. With equalities, the planner could take any index with that order.
 * - The keys of a path are joined to one (`a || '/' || b`), and its index has that expression. Before PostgreSQL 18 a
 *   comparison of rows ends a scan only by its first column: with keys apart, a range reads all rows of its first key.
 * - For the same reason the far end of a range of moments is no condition of the index. Rows beyond it count for the
 *   limit of the arm, which ends the scan, and are left out afterwards.
 * - No two indexes of a table begin with the same column after the ledger. Otherwise the planner expects too few rows
 *   from the other index.
 * - The ids are not in the index. An arm returns all rows that share its last moment, and the outer order sorts them.
 * - All other conditions are one expression that matches no index and counts as true for every second row.
 * - The limit of an arm is a constant. For a parameter the planner assumes a tenth of the table, and reads and sorts
 *   that.
 */
import type { Db } from './database.ts';
import type { Values } from './input.ts';
import { type Statement, statement } from './statement.ts';

/** SQL of a moment as text, UTC with microseconds: the form of moments in cursors. */
export function momentSql(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** The column that orders a list before its ids. */
export type ListOrder = {
  readonly column: string;
  readonly type: 'timestamptz' | 'xid8';
  /** A lowest and a highest value: one sorts before all values, one after. */
  readonly extremes: readonly [lowest: string, highest: string];
  /** SQL of the column's value in a cursor. */
  readonly position: string;
  /** SQL of the bounds of the column for the moments `start` (included) and `end` (excluded). */
  readonly bounds: (start: string, end: string) => readonly [from: string, to: string];
  /** The column that is in the range of moments. */
  readonly moment: string;
};

/** The order by a moment. */
export function byMoment(column: string): ListOrder {
  const position = momentSql(column);
  const extremes = ['-infinity', 'infinity'] as const;
  return { column, type: 'timestamptz', extremes, position, bounds: (start, end) => [start, end], moment: column };
}

export type ListTable = {
  /** Start of the names of the statements, such as `messages_list`. */
  readonly name: string;
  /** The table and its alias, such as `messages m`. */
  readonly from: readonly [table: string, alias: string];
  /** The columns of a row, over the alias. */
  readonly columns: string;
  /** A join of the rows of a page with another table, for columns of that table. */
  readonly join?: string;
  /** Absent: the list is ordered by `ids` alone. */
  readonly order?: ListOrder;
  /** Columns that make the order total; by default the id. */
  readonly ids?: readonly string[];
  /** True for a list whose first row is the oldest. */
  readonly ascending?: boolean;
  /** The condition of the list's indexes, if they are partial. */
  readonly where?: string;
  /** A condition that holds for every row of the list. It may use `:ledger_id`. */
  readonly shown?: string;
  /** Filters on the rows of a range: each an SQL condition with `?` in place of the value. */
  readonly filters?: Readonly<Record<string, string>>;
};

/** A key of a path: a column, or an expression exactly as in the index. */
type Key = { readonly sql: string; readonly type?: 'text' | 'boolean' };

export type ListPath = {
  /** Last part of the names of the statements. */
  readonly name: string;
  readonly keys: readonly Key[];
  /** True if the index has the keys as columns, because the rows of each first key are few. */
  readonly keysApart?: boolean;
  /** Condition of a partial index. */
  readonly where?: string;
  /**
   * A select that computes the values of the arms. Its parameters `:key1`, `:key2`, … are the only tuple of `arms`. By
   * default, `arms` has the values.
   */
  readonly armsFrom?: string;
};

type Value = string | boolean;

/** The part of a list that a page shows. */
export type ListPage = {
  /** The values of the path's keys, one tuple for each range. No arms: no rows. Absent for a path without keys. */
  readonly arms?: readonly (readonly Value[])[];
  readonly range?: { readonly start: Date | null; readonly end: Date | null };
  /** The page begins after this position: the value of the order's column, if there is one, and the ids. */
  readonly before: readonly string[] | string | null;
  readonly rows: number;
  /** Values of `filters`; null and undefined filter nothing. */
  readonly filters?: Readonly<Record<string, Value | null | undefined>>;
};

/** A row of a list with an order has its position. */
export type Positioned<Row> = Row & { readonly position: string };

/** Joins SQL of keys to one expression, as in the index. */
export function joinKeys(...keys: readonly string[]): string {
  return `(${keys.join(` || '/' || `)})`;
}

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
  const made = new Map<string, Statement<Values, Row>>();
  const names = Object.keys(list.filters ?? {});
  return async (db: Db, ledgerId: number, page: ListPage): Promise<Row[]> => {
    const { arms = [] } = page;
    if (path.keys.length > 0 && arms.length === 0) return [];
    const used = names.filter((name) => page.filters?.[name] != null);
    const armRows = ARM_ROWS.find((rows) => page.rows <= rows);
    if (armRows === undefined) throw new Error(`${list.name}: a page of ${page.rows} rows`);
    const name = [list.name, path.name, ...used.map((column) => names.indexOf(column)), armRows].join('_');
    const found = made.get(name) ?? statement<Values, Row>(name, listSql(list, path, { used, armRows }));
    made.set(name, found);
    return await db.query(found, {
      ledger_id: ledgerId,
      range_start: page.range?.start ?? '-infinity',
      range_end: page.range?.end ?? 'infinity',
      rows: page.rows,
      ...page.filters,
      ...numberedValues('key', armValues(path, arms)),
      ...numberedValues('position', positionValues(list, page.before)),
    });
  };
}

/**
 * Returns a reader of a list, of the whole ledger or of one tenant. The two paths have the same keys, but the tenant's
 * path begins with the tenant's id. The arms are values of these keys.
 */
export function tenantReader<Row>(
  list: ListTable,
  keys: readonly Key[] = [],
  { keysApart = false }: Pick<ListPath, 'keysApart'> = {},
) {
  const tenantKeys = [{ sql: `${list.from[1]}.tenant_id` }, ...keys];
  const readLedger = listReader<Row>(list, { name: 'ledger', keys, keysApart });
  const readTenant = listReader<Row>(list, { name: 'tenant', keys: tenantKeys, keysApart });
  return (db: Db, ledgerId: number, { tenantId, ...page }: ListPage & { tenantId: string | null }): Promise<Row[]> => {
    if (tenantId === null) return readLedger(db, ledgerId, page);
    const arms = keys.length === 0 ? [[tenantId]] : page.arms?.map((arm) => [tenantId, ...arm]);
    return readTenant(db, ledgerId, { ...page, arms: arms ?? [] });
  };
}

/** Returns the values of `:key1`, `:key2`, … */
function numberedValues(name: string, values: readonly unknown[]): Values {
  return Object.fromEntries(values.map((value, index) => [`${name}${index + 1}`, value]));
}

function armValues({ keys, armsFrom }: ListPath, arms: readonly (readonly Value[])[]): readonly unknown[] {
  if (armsFrom !== undefined) return arms[0] ?? [];
  return keys.map((_, index) => arms.map((arm) => arm[index]));
}

function positionValues({ order, ids = ['id'], ascending = false }: ListTable, before: ListPage['before']) {
  if (before !== null) return typeof before === 'string' ? [before] : before;
  const extreme = order?.extremes[ascending ? 0 : 1];
  return [...(extreme === undefined ? [] : [extreme]), ...ids.map(() => (ascending ? '' : AFTER_ALL_IDS))];
}

/** Returns the statement of a path. */
function listSql(list: ListTable, path: ListPath, { used, armRows }: { used: readonly string[]; armRows: number }) {
  const [table, alias] = list.from;
  const { order, ids = ['id'], filters = {} } = list;
  const keys = compared(path, ({ sql }) => sql);
  const arm = compared(path, (_, index) => `arm.k${index + 1}`);
  const columns = [...(order === undefined ? [] : [order.column]), ...ids.map((id) => `${alias}.${id}`)];
  const conditionsOf = order === undefined ? idConditions : orderConditions;
  const within = conditionsOf(list, { keys, arm }, columns);
  const checks = [...within.checks, list.shown, ...used.map((name) => filters[name]?.replaceAll('?', `:${name}`))];
  const check = checks.filter((part) => part !== undefined).join(' and ');
  const { beyond } = within;
  const conditions = [
    `${alias}.ledger_id = :ledger_id`,
    list.where,
    path.where,
    ...within.range,
    check === '' ? undefined : `coalesce(${beyond === undefined ? check : `${beyond} or (${check})`}, false)`,
  ].filter((condition) => condition !== undefined);
  const sorted = (by: readonly string[]) => by.map((column) => `${column}${list.ascending ? '' : ' desc'}`).join(', ');
  const inner = sorted([...keys, ...(order === undefined ? columns : [order.column])]);
  const ranges = `select ${alias}.* from ${table} ${alias} where ${conditions.join(' and ')}
     order by ${inner} fetch first ${armRows} rows with ties`;
  const shown = order === undefined ? list.columns : `${list.columns}, ${order.position} as position`;
  const paged = `${armsSql(path)} (${ranges}) ${alias} ${list.join ?? ''}`;
  return `select ${shown} from ${paged} ${beyond === undefined ? '' : `where not (${beyond})`}
     order by ${sorted(columns)} limit :rows`;
}

/**
 * Returns the expressions that the index of a path compares before the order: one for each key, or one for all keys.
 */
function compared({ keys, keysApart = false }: ListPath, sqlOf: (key: Key, index: number) => string): string[] {
  if (keysApart || keys.length < 2) return keys.map(sqlOf);
  const texts = keys.map((key, index) => `${sqlOf(key, index)}${key.type === 'boolean' ? '::text' : ''}`);
  return [joinKeys(...texts)];
}

/**
 * The conditions of a page. The index answers `range`; `checks` are tested on each row. `beyond` is true for rows after
 * the range, in the order of the list.
 */
type Within = { readonly range: readonly string[]; readonly checks: readonly string[]; readonly beyond?: string };
type Compared = { readonly keys: readonly string[]; readonly arm: readonly string[] };
type Conditions = (list: ListTable, compared: Compared, columns: readonly string[]) => Within;

/** Conditions of a page that is ordered by ids, the last id first: the range of an arm up to the position. */
const idConditions: Conditions = (_, { keys, arm }, columns) => {
  const position = columns.map((_, index) => `:position${index + 1}::text`);
  const before = compare([...keys, ...columns], '<', [...arm, ...position]);
  return { range: keys.length === 0 ? [before] : [compare(keys, '>=', arm), before], checks: [] };
};

/**
 * Conditions of a page with an order: the range of an arm between the bounds and the position, and then the exact
 * limits.
 */
const orderConditions: Conditions = ({ order, ascending = false }, { keys, arm }, columns) => {
  const { column, type, bounds, moment } = order as ListOrder;
  const [start, end] = [':range_start::timestamptz', ':range_end::timestamptz'] as const;
  const position = columns.map((_, index) => `:position${index + 1}::${index === 0 ? type : 'text'}`);
  const [from, to] = bounds(start, end);
  const [near, far] = ascending ? [`greatest(${from}, ${position[0]})`, to] : [`least(${to}, ${position[0]})`, from];
  const [after, before] = ascending ? (['>', '<'] as const) : (['<', '>'] as const);
  const begins = compare([...keys, column], `${after}=`, [...arm, near]);
  const checks = [`${moment} >= ${start} and ${moment} < ${end}`, compare(columns, after, position)];
  if (keys.length === 0) return { range: [begins, compare([column], `${before}=`, [far])], checks };
  return { range: [begins, compare(keys, `${before}=`, arm)], checks, beyond: `${column} ${after} ${far}` };
};

function armsSql({ keys, armsFrom }: ListPath): string {
  if (keys.length === 0) return '';
  const arrays = keys.map(({ type = 'text' }, index) => `:key${index + 1}::${type}[]`);
  const arms = armsFrom === undefined ? `unnest(${arrays.join(', ')})` : `(${armsFrom})`;
  return `${arms} as arm (${keys.map((_, index) => `k${index + 1}`).join(', ')}) cross join lateral`;
}

function compare(left: readonly string[], operator: string, right: readonly string[]): string {
  return left.length === 1
    ? `${left[0]} ${operator} ${right[0]}`
    : `(${left.join(', ')}) ${operator} (${right.join(', ')})`;
}
