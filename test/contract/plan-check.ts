/** Plans of the statements that a product runs: each walks ranges of indexes, and reads few rows beyond its result. */
import assert from 'node:assert/strict';
import pg from 'pg';
import { type Bound, bind } from '../../src/db/statement.ts';
import type { Json } from '../support/events.ts';
import type { Harness } from '../support/harness.ts';

/** The most rows that a list may read: a page for each status of its rows, and a few rows that it drops. */
const ROWS_READ_MAX = 1_000;

/**
 * The most pages that one walk of a range reads: the levels of the index, the pages at the ends of the range, and the
 * pages that a condition looks up. In addition a row may have a page of the index and one of the table.
 */
const PAGES_OF_RANGE_MAX = 16;
const PAGES_OF_ROW_MAX = 1.5;

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((each) => JSON.stringify(`${each}`)).join()}}`);
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}

/** Returns all nodes of a plan. */
export function nodesOf(plan: Json): Json[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** Returns the nodes of a plan that read a table. */
export function scansOf(plan: Json): Json[] {
  return nodesOf(plan).filter((node) => node['Relation Name'] !== undefined);
}

export function rowsRead(scan: Json): number {
  const dropped = (scan['Rows Removed by Filter'] ?? 0) + (scan['Rows Removed by Index Recheck'] ?? 0);
  return (scan['Actual Rows'] + dropped) * scan['Actual Loops'];
}

/** Returns the pages that a node read itself, without the reads of the nodes below it. */
function pagesRead(scan: Json): number {
  return (scan.Plans ?? []).reduce((own: number, below: Json) => own - pagesOf(below), pagesOf(scan));
}

const pagesOf = (plan: Json): number => plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];

/** Fails if a plan reads a whole table, more than `rowsMax` rows, or many pages of entries that it skips. */
export function checkPlan(plan: Json, name: string, rowsMax = ROWS_READ_MAX): void {
  const fail = (what: string) => assert.fail(`${what}: ${name}\n${JSON.stringify(plan, null, 1)}`);
  const scans = scansOf(plan);
  if (scans.some((scan) => scan['Node Type'] === 'Seq Scan')) fail('a whole table is read');
  const read = scans.reduce((sum, scan) => sum + rowsRead(scan), 0);
  if (read > rowsMax) fail(`${read} rows are read`);
  for (const scan of scans) {
    const pagesMax = PAGES_OF_RANGE_MAX * scan['Actual Loops'] + PAGES_OF_ROW_MAX * rowsRead(scan);
    const pages = pagesRead(scan);
    if (pages > pagesMax) fail(`${pages} pages, more than ${pagesMax}, of ${scan['Index Name']} are read`);
  }
}

/** Records the statements that a product runs. @returns a function that returns the statements since its last call */
export function recordRuns({ db }: Harness['context']): () => Bound[] {
  const runs: Bound[] = [];
  const query = db.query;
  db.query = (statement, values) => {
    runs.push(bind(statement, values));
    return query(statement, values);
  };
  return () => runs.splice(0);
}

/** The statements that the tests have prepared, by connection. */
const prepared = new WeakMap<pg.Client, Set<string>>();

/** Runs a statement with the plan that PostgreSQL keeps for it, and returns the plan. */
export async function explain(client: pg.Client, { name, text, values }: Bound): Promise<Json> {
  const known = prepared.get(client) ?? new Set();
  prepared.set(client, known);
  if (!known.has(name)) await client.query(`prepare "${name}" as ${text}`);
  known.add(name);
  const list = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
  const { rows } = await client.query(`explain (analyze, buffers, timing off, format json) execute "${name}" ${list}`);
  return rows[0]['QUERY PLAN'][0].Plan;
}

/** Statements with a higher bound, which usage-plans.ts tests. */
const OTHER_BOUND = ['usage_by_tenant'];
const CHANGES = /\b(insert into|delete from|update \w+( \w+)? set|for (no key )?update)\b/;

/** Returns true for a statement that reads only, which may begin with `with` or a bracket. */
const isRead = (text: string): boolean => /^[\s(]*(select|with)\b/.test(text) && !CHANGES.test(text);

/**
 * Returns a function that checks the plans of a statement on each connection. A statement with the same values is
 * checked once, because all lists begin with the same statements.
 */
export function createChecker(clients: readonly pg.Client[]) {
  const checked = new Set<string>();
  return async (run: Bound, url: string): Promise<void> => {
    const { name, text } = run;
    const key = JSON.stringify([name, run.values]);
    if (checked.has(key) || !isRead(text) || OTHER_BOUND.includes(name)) return;
    checked.add(key);
    const plans = await Promise.all(clients.map((client) => explain(client, run)));
    for (const plan of plans) checkPlan(plan, `${url}: ${name}`);
  };
}
