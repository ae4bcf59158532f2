/** SQL with the name under which each connection prepares it once. */
export type Statement = {
  readonly name: string;
  readonly text: string;
  /** How long to wait for the answer; 15 s by default. */
  readonly timeoutMs?: number;
};

const names = new Set<string>();

/**
 * Declares a named statement. An unnamed statement is parsed and planned at every call, which takes most of a short
 * query's time. Names are unique in the process, have at most 63 bytes (PostgreSQL's identifier length), and read
 * `entity_operation_qualifier`.
 */
export function statement(name: string, text: string, options: { timeoutMs?: number } = {}): Statement {
  if (names.has(name)) throw new Error(`statement ${name} is declared twice`);
  if (name.length > 63) throw new Error(`statement name ${name} is longer than 63 bytes`);
  names.add(name);
  return { name, text, ...options };
}

/** Returns SQL whose parameters follow `by` others: `$1` becomes `$(by + 1)`. */
export function shiftParameters(sql: string, by: number): string {
  return sql.replaceAll(/\$(\d+)/g, (_, number) => `$${Number(number) + by}`);
}

/**
 * Writes of one module that the statement of another carries out with its own, or not at all. `ctes` has a CTE `mine`
 * that is empty if they cannot be carried out; its condition is `exists (select 1 from locked)`, which is false if the
 * other writes cannot.
 */
export type Rider = {
  /** Part of the statement's name. */
  readonly name: string;
  readonly ctes: string;
  /** A column for the result. */
  readonly result: string;
  readonly values: readonly unknown[];
};

/** One resource by its id, or all of a tenant. */
export type Which = { readonly id: string } | { readonly tenantId: string };

/**
 * Declares a statement for one resource and for all of a tenant, each by its index. `textOf` takes the condition, whose
 * value is `$2`. Returns a function that picks the statement and its value.
 */
export function whichStatement(name: string, textOf: (condition: string) => string) {
  const one = statement(`${name}_one`, textOf('id = $2'));
  const ofTenant = statement(`${name}_of_tenant`, textOf('tenant_id = $2'));
  return (which: Which): readonly [Statement, string] => ('id' in which ? [one, which.id] : [ofTenant, which.tenantId]);
}
