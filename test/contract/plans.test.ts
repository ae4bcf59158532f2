/**
 * The plans of lists on loaded databases. Every list is asked for with every set of its filters, as openapi.json has
 * them. Each statement must walk ranges of indexes, and read few rows that it does not return. The product runs on the
 * newest PostgreSQL. The newest and the oldest supported one explain the statements that it ran. A new filter needs a
 * value in `samplesOf` (an enum has its own), and fails here unless an index answers it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { PLANNING } from '../../src/db/connection-pool.ts';
import { now } from '../../src/lib/time/time.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import type { Json } from '../support/events.ts';
import { GROWTH_ENDPOINT, growthId, growthNumber, loadGrowth } from '../support/growth.ts';
import { keyedRoutes, queryNames, type Route } from './document.ts';
import { fixtureOf } from './fixtures.ts';
import { noOldest, useOldestDatabase } from './oldest-postgres.ts';
import { createChecker, recordRuns } from './plan-check.ts';
import { pathOf } from './requests.ts';
import { loadUsage, testUsagePlan } from './usage-plans.ts';
import { useWorlds } from './world.ts';

/** Fill factor of the indexes, in percent. It is low, so that skipped entries are on many pages. */
const FILLED = 20;
const PAGING = ['limit', 'after'];

/** Values of filters for a small tenant, where a wrong index reads everything, and for the largest. */
async function samplesOf(client: pg.Client, n: number): Promise<Query> {
  const { rows } = await client.query(
    'select id, external_number, tenant_id from conversations where tenant_id = $1 order by id limit 1',
    [growthId('tnt', n)],
  );
  const { id, external_number: person, tenant_id: tenant } = rows[0];
  const call = await client.query('select id from calls where tenant_id = $1 order by id limit 1', [tenant]);
  const contact = await client.query('select id from contacts where tenant_id = $1 order by id limit 1', [tenant]);
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
    assignee: n === 0 ? 'none' : 'user-1',
    tag: 'vip',
    reader: 'user-1',
    contact_id: contact.rows[0].id,
    phone_number: person,
    phone_numbers: `${person},+16025550199`,
    q: 'person mer',
    route: '/v1/messages/{message_id}',
    status: '4xx',
    error_code: 'message_not_found',
  };
}
type Query = Record<string, string>;

/** Returns the values for the test of a filter: all values of an enum, or the sample. */
function valuesOf(route: Route, name: string, samples: Record<string, string>): readonly string[] {
  const schema = route.parameters.find((parameter) => parameter.name === name)?.schema as Json;
  const values = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : [samples[name]]);
  assert.ok(values[0] !== undefined, `${route.name}: the filter ${name} needs a value in SAMPLES of this test`);
  return values;
}

/** Returns all sets of a list's filters, each with one value, then each value alone and with one other filter. */
function queriesOf(route: Route, small: Query, large: Query): Query[] {
  const names = queryNames(route).filter((name) => !PAGING.includes(name));
  const first = (name: string, samples: Query) => valuesOf(route, name, samples)[0] as string;
  let sets: Query[] = [{}];
  for (const name of names) sets = sets.concat(sets.map((set) => ({ ...set, [name]: first(name, small) })));
  const alone = names.flatMap((name) => valuesOf(route, name, large).map((value) => ({ [name]: value })));
  const pairs = alone.flatMap((one) => names.map((name) => ({ [name]: first(name, large), ...one })));
  const all = [...sets, ...alone, ...pairs].map((set) =>
    // The filter for unread conversations needs a reader.
    'unread' in set ? { reader: large['reader'] as string, ...set } : set,
  );
  // Several of these lists may contain the same set.
  return [...new Map(all.map((set) => [JSON.stringify(Object.entries(set).sort()), set])).values()];
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

/** Fills the home ledger of a database, and returns a connection that plans as on a table of millions of rows. */
async function load(databaseUrl: string, ledgerId: number): Promise<pg.Client> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  closeAfterTests(() => client.end());
  await loadGrowth(client, { ledgerId, tenants: 200, conversations: 5_000, messages: 20_000 });
  await loadUsage(client, ledgerId);
  await spreadIndexes(client);
  await client.query(PLANNING);
  return client;
}

const { home, harness } = await useWorlds();
const urls = [harness.databaseUrl, ...(noOldest === false ? [await useOldestDatabase()] : [])];
const clients = await Promise.all(urls.map((url) => load(url, home.ledgerId)));
const newest = clients[0] as pg.Client;
// A small tenant, for which a wrong index reads all rows, and the largest tenant.
const [small, large] = [await samplesOf(newest, 150), await samplesOf(newest, 0)];
const samplePaths: Query = { conversation_id: small['conversation_id'] as string, endpoint_id: GROWTH_ENDPOINT };
const takeRuns = recordRuns(harness.context);
const check = createChecker(clients);

const checkPage = async (url: string): Promise<Json> => {
  takeRuns();
  const reply = await harness.call('GET', url, { key: home.key });
  assert.equal(reply.status, 200, `${url}: ${JSON.stringify(reply.body)}`);
  for (const run of takeRuns()) await check(run, url);
  return reply.body;
};

test('the plans are those of PostgreSQL 15 too', { skip: noOldest }, async () => {
  const versions = clients.map((client) => client.query('show server_version'));
  assert.match((await Promise.all(versions)).at(-1)?.rows[0].server_version, /^15\./);
});

testUsagePlan({ clients, home, takeRuns });

test('GET /v1/search walks ranges of indexes, whatever is searched', async () => {
  const number = growthNumber(150);
  for (const q of ['person', 'person mer', growthId('tnt', 3), 'ref-7', number, number.slice(2, 8), '415', 'none']) {
    for (const more of [{}, { tenant_id: small['tenant_id'] as string }, { tenant_id: large['tenant_id'] as string }]) {
      await checkPage(`/v1/search?${new URLSearchParams({ q, ...more })}`);
    }
  }
});

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
