/**
 * The plans of lists on a loaded database. Every list is asked for with every set of its filters, as openapi.json has
 * them. Each statement that it runs must walk ranges of indexes, and read few rows beyond those that it returns. A new
 * filter needs a value in `SAMPLES` (an enum has its own), and fails here unless an index answers it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import type { Statement } from '../../src/db/statement.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import type { Json } from '../support/events.ts';
import { GROWTH_ENDPOINT, growthId, growthNumber, loadGrowth } from '../support/growth.ts';
import { keyedRoutes, queryNames, type Route } from './document.ts';
import { fixtureOf } from './fixtures.ts';
import { pathOf } from './requests.ts';
import { useWorlds } from './world.ts';

const { home, harness } = await useWorlds();
const client = new pg.Client(harness.databaseUrl);
await client.connect();
closeAfterTests(() => client.end());
await loadGrowth(client, { ledgerId: home.ledgerId, tenants: 200, conversations: 5_000, messages: 20_000 });
await client.query('set enable_seqscan = off; set random_page_cost = 1; set plan_cache_mode = force_generic_plan');

/** The most rows that a list may read: a page for each status of its rows, and few that it drops. */
const ROWS_READ_MAX = 1_000;
const PAGING = ['limit', 'after'];

/** Values of filters for a tenant: a small one, for whom a wrong index reads everything, and the largest. */
async function samplesOf(n: number): Promise<Record<string, string>> {
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
    start: '2026-01-01',
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
const SMALL = await samplesOf(150);
const LARGE = await samplesOf(0);

type Run = { statement: Statement; values: readonly unknown[] };
const runs: Run[] = [];
const { db } = harness.context;
const query = db.query;
db.query = (statement, values) => {
  runs.push({ statement, values });
  return query(statement, values);
};

/** Returns the values that a filter is tried with: each of an enum's, or the sample. */
function valuesOf(route: Route, name: string, samples: Record<string, string>): readonly string[] {
  const schema = route.parameters.find((parameter) => parameter.name === name)?.schema as Json;
  const values = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : [samples[name]]);
  assert.ok(values[0] !== undefined, `${route.name}: the filter ${name} needs a value in SAMPLES of this test`);
  return values;
}

type Query = Record<string, string>;

/** Returns all sets of a list's filters, each with one value, then each value alone and beside one other filter. */
function queriesOf(route: Route): Query[] {
  const names = queryNames(route).filter((name) => !PAGING.includes(name));
  const first = (name: string, samples: Query) => valuesOf(route, name, samples)[0] as string;
  let sets: Query[] = [{}];
  for (const name of names) sets = sets.concat(sets.map((set) => ({ ...set, [name]: first(name, SMALL) })));
  const alone = names.flatMap((name) => valuesOf(route, name, LARGE).map((value) => ({ [name]: value })));
  const pairs = alone.flatMap((one) => names.map((name) => ({ [name]: first(name, LARGE), ...one })));
  return [...sets, ...alone, ...pairs];
}

const prepared = new Set<string>();

/** Returns the plan of a statement, as run with these values. */
async function planOf({ statement: { name, text }, values }: Run): Promise<Json> {
  if (!prepared.has(name)) await client.query(`prepare "${name}" as ${text}`);
  prepared.add(name);
  const list = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
  const { rows } = await client.query(`explain (analyze, timing off, format json) execute "${name}" ${list}`);
  return rows[0]['QUERY PLAN'][0].Plan;
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

/** The statements that were checked, with their values. Lists begin with the same lookups. */
const checked = new Set<string>();

function isNew({ statement: { name }, values }: Run): boolean {
  const run = JSON.stringify([name, values]);
  if (checked.has(run)) return false;
  checked.add(run);
  return true;
}

async function checkPlans(url: string): Promise<Json> {
  runs.length = 0;
  const reply = await harness.call('GET', url, { key: home.key });
  assert.equal(reply.status, 200, `${url}: ${JSON.stringify(reply.body)}`);
  const selects = runs.splice(0).filter(({ statement }) => /^\s*select/.test(statement.text));
  for (const run of selects.filter(isNew)) {
    const plan = await planOf(run);
    const scans = scansOf(plan);
    const about = `${url}: ${run.statement.name}\n${JSON.stringify(plan, null, 1)}`;
    assert.ok(
      scans.every((scan) => scan['Node Type'] !== 'Seq Scan'),
      `a whole table is read: ${about}`,
    );
    const read = scans.reduce((sum, scan) => sum + rowsRead(scan), 0);
    assert.ok(read <= ROWS_READ_MAX, `${read} rows are read: ${about}`);
  }
  return reply.body;
}

const SAMPLE_PATHS: Query = { conversation_id: SMALL['conversation_id'] as string, endpoint_id: GROWTH_ENDPOINT };

for (const route of keyedRoutes.filter((each) => each.method === 'GET' && queryNames(each).includes('after'))) {
  test(`${route.name} walks ranges of indexes with every set of its filters`, async () => {
    const { path = {} } = await fixtureOf(route).make(home);
    const ids = Object.keys(path).map((name) => [name, SAMPLE_PATHS[name] ?? path[name]]);
    const url = pathOf(route, { path: Object.fromEntries(ids) });
    for (const filters of queriesOf(route)) {
      const page = await checkPlans(`${url}?${new URLSearchParams(filters)}`);
      if (typeof page.next_cursor !== 'string') continue;
      await checkPlans(`${url}?${new URLSearchParams({ ...filters, after: page.next_cursor })}`);
    }
  });
}
