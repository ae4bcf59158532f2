/**
 * The plans of lists on a loaded database. Every list is asked for with every set of its filters, as openapi.json has
 * them. Each statement that it runs must walk ranges of indexes, and read few rows beyond those that it returns. A new
 * filter needs a value in `samplesOf` (an enum has its own), and fails here unless an index answers it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import type { Statement } from '../../src/db/statement.ts';
import { now } from '../../src/lib/time/time.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import type { Json } from '../support/events.ts';
import { GROWTH_ENDPOINT, growthId, growthNumber, loadGrowth } from '../support/growth.ts';
import type { Harness } from '../support/harness.ts';
import { keyedRoutes, queryNames, type Route } from './document.ts';
import { fixtureOf } from './fixtures.ts';
import { pathOf } from './requests.ts';
import { useWorlds } from './world.ts';

/** The most rows that a list may read: a page for each status of its rows, and few that it drops. */
const ROWS_READ_MAX = 1_000;

/**
 * The most pages that one walk of a range reads: the levels of the index, the pages beside the ends of the range, and
 * what a condition looks up. In addition a row may have a page of the index and one of the table.
 */
const PAGES_OF_RANGE_MAX = 16;
const PAGES_OF_ROW_MAX = 1.5;
/** Percent of a page that an index fills, so that entries which a walk skips are many pages. */
const FILLED = 20;
const PAGING = ['limit', 'after'];

/** Values of filters for a tenant: a small one, for whom a wrong index reads everything, and the largest. */
async function samplesOf(client: pg.Client, n: number): Promise<Query> {
  const { rows } = await client.query(
    'select id, external_number, tenant_id from conversations where tenant_id = $1 order by id limit 1',
    [growthId('tnt', n)],
  );
  const { id, external_number: person, tenant_id: tenant } = rows[0];
  const call = await client.query('select id from calls where tenant_id = $1 order by id limit 1', [tenant]);
  const event = await client.query('select id, resource_id from events where tenant_id = $1 limit 1', [tenant]);
  return {
    tenant_id: tenant,
    phone_number_id: growthId('num', n),
    conversation_id: id,
    external_number: person,
    from: growthNumber(n),
    to: person,
    start: new Date(now() - 86_400_000).toISOString(),
    end: '2099-01-01',
    call_id: call.rows[0].id,
    event_id: event.rows[0].id,
    resource_id: event.rows[0].resource_id,
    type: 'voicemail.created',
    external_ref: `ref-${n}`,
    phone_number: person,
    route: '/v1/messages/{message_id}',
    status: '4xx',
    error_code: 'message_not_found',
  };
}
type Query = Record<string, string>;
type Run = { readonly statement: Statement; readonly values: readonly unknown[] };

/** Returns the values that a filter is tried with: each of an enum's, or the sample. */
function valuesOf(route: Route, name: string, samples: Record<string, string>): readonly string[] {
  const schema = route.parameters.find((parameter) => parameter.name === name)?.schema as Json;
  const values = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : [samples[name]]);
  assert.ok(values[0] !== undefined, `${route.name}: the filter ${name} needs a value in SAMPLES of this test`);
  return values;
}

/** Returns all sets of a list's filters, each with one value, then each value alone and beside one other filter. */
function queriesOf(route: Route, small: Query, large: Query): Query[] {
  const names = queryNames(route).filter((name) => !PAGING.includes(name));
  const first = (name: string, samples: Query) => valuesOf(route, name, samples)[0] as string;
  let sets: Query[] = [{}];
  for (const name of names) sets = sets.concat(sets.map((set) => ({ ...set, [name]: first(name, small) })));
  const alone = names.flatMap((name) => valuesOf(route, name, large).map((value) => ({ [name]: value })));
  const pairs = alone.flatMap((one) => names.map((name) => ({ [name]: first(name, large), ...one })));
  return [...sets, ...alone, ...pairs];
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((each) => JSON.stringify(`${each}`)).join()}}`);
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}

/** Returns the nodes of a plan that read a table. */
function scansOf(plan: Json): Json[] {
  const below = (plan.Plans ?? []).flatMap(scansOf);
  return plan['Relation Name'] === undefined ? below : [plan, ...below];
}

function rowsRead(scan: Json): number {
  const dropped = (scan['Rows Removed by Filter'] ?? 0) + (scan['Rows Removed by Index Recheck'] ?? 0);
  return (scan['Actual Rows'] + dropped) * scan['Actual Loops'];
}

/** Returns the pages that a node read without those that its own nodes read. */
function pagesRead(scan: Json): number {
  return (scan.Plans ?? []).reduce((own: number, below: Json) => own - pagesOf(below), pagesOf(scan));
}

const pagesOf = (plan: Json): number => plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];

/** Fails if a plan reads a table, many rows, or pages of entries that it skips. */
function checkPlan(plan: Json, about: string): void {
  const scans = scansOf(plan);
  assert.ok(
    scans.every((scan) => scan['Node Type'] !== 'Seq Scan'),
    `a whole table is read: ${about}`,
  );
  const read = scans.reduce((sum, scan) => sum + rowsRead(scan), 0);
  assert.ok(read <= ROWS_READ_MAX, `${read} rows are read: ${about}`);
  for (const scan of scans) {
    const pagesMax = PAGES_OF_RANGE_MAX * scan['Actual Loops'] + PAGES_OF_ROW_MAX * rowsRead(scan);
    const pages = pagesRead(scan);
    assert.ok(pages <= pagesMax, `${pages} pages, more than ${pagesMax}, of ${scan['Index Name']} are read: ${about}`);
  }
}

/** Spreads the entries of all indexes of lists over more pages. */
async function spreadIndexes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index join pg_class c on c.oid = indrelid
     where c.relnamespace = 'public'::regnamespace and c.reltuples > 1000`,
  );
  for (const { name } of rows)
    await client.query(`alter index ${name} set (fillfactor = ${FILLED}); reindex index ${name}`);
}

/** Records the statements that a product runs. @returns a function that takes those since the last call */
function recordRuns({ db }: Harness['context']): () => Run[] {
  const runs: Run[] = [];
  const query = db.query;
  db.query = (statement, values) => {
    runs.push({ statement, values });
    return query(statement, values);
  };
  return () => runs.splice(0);
}

/** Returns a function that checks the plan of a statement, once for each set of values: lists begin with the same. */
function createChecker(client: pg.Client) {
  const prepared = new Set<string>();
  const checked = new Set<string>();
  return async ({ statement: { name, text }, values }: Run, url: string): Promise<void> => {
    const run = JSON.stringify([name, values]);
    if (checked.has(run) || !/^\s*select/.test(text)) return;
    checked.add(run);
    if (!prepared.has(name)) await client.query(`prepare "${name}" as ${text}`);
    prepared.add(name);
    const list = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
    const { rows } = await client.query(
      `explain (analyze, buffers, timing off, format json) execute "${name}" ${list}`,
    );
    const plan = rows[0]['QUERY PLAN'][0].Plan;
    checkPlan(plan, `${url}: ${name}\n${JSON.stringify(plan, null, 1)}`);
  };
}

/** Tests the plans of all lists, on the database at `databaseUrl` or a new one. */
export async function testListPlans(databaseUrl?: string): Promise<void> {
  const { home, harness } = await useWorlds(databaseUrl === undefined ? {} : { databaseUrl });
  const client = new pg.Client(harness.databaseUrl);
  await client.connect();
  closeAfterTests(() => client.end());
  await loadGrowth(client, { ledgerId: home.ledgerId, tenants: 200, conversations: 5_000, messages: 20_000 });
  await spreadIndexes(client);
  await client.query('set enable_seqscan = off; set random_page_cost = 1; set plan_cache_mode = force_generic_plan');
  // A small tenant, for whom a wrong index reads everything, and the largest.
  const [small, large] = [await samplesOf(client, 150), await samplesOf(client, 0)];
  const samplePaths: Query = { conversation_id: small['conversation_id'] as string, endpoint_id: GROWTH_ENDPOINT };
  const takeRuns = recordRuns(harness.context);
  const check = createChecker(client);
  const checkPage = async (url: string): Promise<Json> => {
    takeRuns();
    const reply = await harness.call('GET', url, { key: home.key });
    assert.equal(reply.status, 200, `${url}: ${JSON.stringify(reply.body)}`);
    for (const run of takeRuns()) await check(run, url);
    return reply.body;
  };

  for (const route of keyedRoutes.filter((each) => each.method === 'GET' && queryNames(each).includes('after'))) {
    test(`${route.name} walks ranges of indexes with every set of its filters`, async () => {
      const { path = {} } = await fixtureOf(route).make(home);
      const ids = Object.keys(path).map((name) => [name, samplePaths[name] ?? path[name]]);
      const url = pathOf(route, { path: Object.fromEntries(ids) });
      for (const filters of queriesOf(route, small, large)) {
        const page = await checkPage(`${url}?${new URLSearchParams(filters)}`);
        if (typeof page.next_cursor !== 'string') continue;
        await checkPage(`${url}?${new URLSearchParams({ ...filters, after: page.next_cursor })}`);
      }
    });
  }
}
