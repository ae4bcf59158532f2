/** Every POST with an Idempotency-Key. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Reply } from '../support/harness.ts';
import { sql } from '../support/jobs.ts';
import { posts, type Route } from './document.ts';
import type { Request } from './fixture.ts';
import { EMPTIES_LEDGER, fixtureOf } from './fixtures.ts';
import { assertRefused, effectsIn, send } from './requests.ts';
import { createWorld, useWorlds, type World } from './world.ts';

const worlds = await useWorlds();

/** Routes that act on a whole ledger: one deletes its rows, the other runs everything that is due in it. */
const TOUCH_ALL = [EMPTIES_LEDGER, 'POST /v1/test/clock'];

/** The home world, or a world of its own for such a route. */
async function worldFor(route: Route): Promise<World> {
  if (!TOUCH_ALL.includes(route.name)) return worlds.home;
  return createWorld(worlds.harness, worlds.receiver, await worlds.harness.secondAccount());
}

const once = (key: string) => ({ headers: { 'idempotency-key': key } });

/** The parts of a reply that a repeat must have too. */
function essence({ status, body, headers }: Reply) {
  return { status, body, type: headers.get('content-type') };
}

function assertReplay(reply: Reply, first: Reply): void {
  assert.equal(reply.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(essence(reply), essence(first));
  assert.notEqual(reply.headers.get('request-id'), first.headers.get('request-id'));
}

for (const route of posts) {
  test(`${route.name} has one effect for one Idempotency-Key`, async () => {
    const world = await worldFor(route);
    const request = await fixtureOf(route).make(world);
    const key = randomUUID();
    const first = await send(world, route, request, once(key));
    assert.ok(first.status < 300, JSON.stringify(first.body));
    assert.equal(first.headers.get('idempotent-replayed'), null);
    const effects = await effectsIn(world);
    // A query is no part of a request that a repeat is compared by, unless it says what an uploaded file is.
    for (const repeat of route.takesFile ? [request] : [request, { ...request, query: {} }]) {
      assertReplay(await send(world, route, repeat, once(key)), first);
    }
    assert.deepEqual(await effectsIn(world), effects);
  });

  test(`${route.name} refuses an Idempotency-Key of another request`, async () => {
    const world = await worldFor(route);
    const key = randomUUID();
    await world.harness.call('POST', '/v1/realtime/tokens', { key: world.key, ...once(key) });
    const [request, other] = [await fixtureOf(route).make(world), await anotherBody(route, world)];
    const used = route.path === '/v1/realtime/tokens' ? undefined : await send(world, route, request, once(key));
    if (used !== undefined) assertRefused(used, 422, 'idempotency_key_reuse', 'Idempotency-Key');
    if (other === undefined) return;
    const second = randomUUID();
    const first = await send(world, route, request, once(second));
    assert.ok(first.status < 300, JSON.stringify(first.body));
    const effects = await effectsIn(world);
    assertRefused(await send(world, route, { ...request, body: other }, once(second)), 422, 'idempotency_key_reuse');
    assert.deepEqual(await effectsIn(world), effects);
    assertReplay(await send(world, route, request, once(second)), first);
  });
}

/** Another valid body; undefined for a route without a body or with only one possible body. */
async function anotherBody(route: Route, world: World): Promise<Request['body'] | undefined> {
  const { body } = await fixtureOf(route).make(world);
  if (body === undefined) return undefined;
  if (route.path === '/v1/realtime/tokens') return {};
  if ('advance_seconds' in body) return { advance_seconds: 2 };
  if ('kind' in body) return { kind: 'duplicate', times: 0 };
  if ('result' in body) return { ...body, reason: 'Another' };
  if ('mode' in body) return { mode: 'manual' };
  if ('status_detail' in body) return { ...body, status_detail: 'Another reason.' };
  if ('only_missed' in body) return { ...body, only_missed: false };
  if ('status' in body) return { status: 'delivered' };
  return 'event_type' in body ? { event_type: 'message.failed' } : body;
}

for (const route of posts) {
  test(`24 concurrent ${route.name} with one Idempotency-Key have one effect`, async () => {
    const world = await worldFor(route);
    const request = await fixtureOf(route).make(world);
    const single = await effectOf(world, route);
    const before = await effectsIn(world);
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: 24 }, () => send(world, route, request, once(key))));
    const firsts = replies.filter((reply) => reply.headers.get('idempotent-replayed') === null);
    assert.equal(firsts.length, 1, JSON.stringify(firsts.map(({ status, body }) => [status, body]).slice(0, 3)));
    for (const reply of replies) assert.deepEqual(essence(reply), essence(firsts[0] as Reply));
    if (route.name !== EMPTIES_LEDGER) assert.deepEqual(difference(await effectsIn(world), before), single);
  });
}

/** The rows that one success of the route adds, without the rows of its fixture. */
async function effectOf(world: World, route: Route): Promise<Record<string, number>> {
  if (route.name === EMPTIES_LEDGER) return {};
  const request = await fixtureOf(route).make(world);
  const before = await effectsIn(world);
  assert.ok((await send(world, route, request)).status < 300);
  return difference(await effectsIn(world), before);
}

function difference(now: Record<string, number>, before: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(now).map(([table, count]) => [table, count - (before[table] ?? 0)]));
}

const named = (name: string) => posts.find((route) => route.name === name) as Route;

test('an Idempotency-Key belongs to the scope of the API key that sent it', async () => {
  const { home, stranger, homeTenantKey } = worlds;
  const key = randomUUID();
  const route = named('POST /v1/opt_outs');
  const request = await fixtureOf(route).make(home);
  assert.equal((await send(home, route, request, once(key))).headers.get('idempotent-replayed'), null);
  // Another account, a key of one tenant, and the live ledger each have their own.
  const elsewhere = await send(stranger, route, await fixtureOf(route).make(stranger), once(key));
  assert.equal(elsewhere.status, 201);
  assert.equal(elsewhere.headers.get('idempotent-replayed'), null);
  const ofTenant = await send(home, route, await fixtureOf(route).make(home), { key: homeTenantKey, ...once(key) });
  assert.equal(ofTenant.status, 201);
  assert.equal(ofTenant.headers.get('idempotent-replayed'), null);
  const live = await send(home, named('POST /v1/realtime/tokens'), {}, { key: worlds.liveKey, ...once(key) });
  assert.equal(live.status, 201);
  assert.equal(live.headers.get('idempotent-replayed'), null);
});

test('two API keys of the same scope share an Idempotency-Key', async () => {
  const { home, harness } = worlds;
  const key = randomUUID();
  const route = named('POST /v1/opt_outs');
  const request = await fixtureOf(route).make(home);
  const [one, two] = [await harness.tenantKey(home.tenantId), await harness.tenantKey(home.tenantId)];
  const first = await send(home, route, request, { key: one, ...once(key) });
  assertReplay(await send(home, route, request, { key: two, ...once(key) }), first);
});

for (const route of posts.filter((each) => Object.values(fixtureOf(each).refs ?? {}).some((code) => code !== null))) {
  test(`a refused ${route.name} leaves its Idempotency-Key free`, async () => {
    const { home, stranger } = worlds;
    const key = randomUUID();
    const foreign = await fixtureOf(route).make(stranger);
    const refused = await send(home, route, foreign, once(key));
    if (route.path === '/v1/messages/check') return;
    assert.equal(refused.status, 404, JSON.stringify(refused.body));
    assert.equal((await send(home, route, foreign, once(key))).headers.get('idempotent-replayed'), null);
    const corrected = await send(home, route, await fixtureOf(route).make(home), once(key));
    assert.ok(corrected.status < 300, JSON.stringify(corrected.body));
    assert.equal(corrected.headers.get('idempotent-replayed'), null);
  });
}

test('a key is free again after 24 hours of ledger time', async () => {
  const world = await createWorld(worlds.harness, worlds.receiver, await worlds.harness.secondAccount());
  const route = named('POST /v1/tenants');
  const request = { body: { name: 'Once a day' } };
  const key = randomUUID();
  const first = await send(world, route, request, once(key));
  await world.harness.advance(24 * 3600 - 60, world.key);
  assertReplay(await send(world, route, request, once(key)), first);
  await world.harness.advance(120, world.key);
  const again = await send(world, route, request, once(key));
  assert.equal(again.status, 201);
  assert.equal(again.headers.get('idempotent-replayed'), null);
  assert.notEqual(again.body.id, first.body.id);
});

test('stored replies are not readable in the database', async () => {
  const route = named('POST /v1/webhook_endpoints');
  const key = randomUUID();
  const { body } = await send(worlds.home, route, await fixtureOf(route).make(worlds.home), once(key));
  const [row] = await sql<{ response: Buffer }>(
    worlds.harness.context.db,
    'select response from idempotency_keys where key = $1',
    [key],
  );
  assert.ok(row !== undefined && row.response.length > 0);
  assert.ok(!row.response.includes(body.secret) && !row.response.includes(body.id));
});
