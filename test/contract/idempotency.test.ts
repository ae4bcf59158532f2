/** Every POST with an Idempotency-Key. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Reply } from '../support/harness.ts';
import { sql } from '../support/jobs.ts';
import { posts, type Route } from './document.ts';
import { addedBetween, assertUnchanged, effectsIn } from './effects.ts';
import { CHECKS, type Request } from './fixture.ts';
import { EMPTIES_LEDGER, fixtureOf } from './fixtures.ts';
import { assertRefused, send, succeed } from './requests.ts';
import { createWorld, externalNumber, useWorlds, type World } from './world.ts';

const worlds = await useWorlds();

function named(name: string): Route {
  return posts.find((route) => route.name === name) ?? assert.fail(name);
}

// The first of these requests adds a row, which later ones replace.
for (const name of ['POST /v1/test/reviews', 'POST /v1/test/faults']) await succeed(worlds.home, named(name));

/** Routes that act on a whole ledger: one deletes its rows, the other runs everything that is due in it. */
const TOUCH_ALL = [EMPTIES_LEDGER, 'POST /v1/test/clock'];

/** Returns the home world; for a route of TOUCH_ALL a new world. */
async function worldFor(route: Route): Promise<World> {
  if (!TOUCH_ALL.includes(route.name)) return worlds.home;
  return createWorld(worlds.harness, worlds.receiver, await worlds.harness.secondAccount());
}

const once = (key: string) => ({ headers: { 'idempotency-key': key } });

/** The parts of a reply that a repeat must return too. */
function essence({ status, body, headers }: Reply) {
  return { status, body, type: headers.get('content-type') };
}

function assertReplay(reply: Reply, first: Reply): void {
  assert.equal(reply.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(essence(reply), essence(first));
  assert.notEqual(reply.headers.get('request-id'), first.headers.get('request-id'));
}

/** More requests than one ledger runs at a time, and few enough that none waits long. */
const CONCURRENT = 6;

/** The longest key, a new one. */
const longestKey = () => randomUUID().padEnd(255, 'k');

for (const route of posts) {
  test(`${CONCURRENT} concurrent ${route.name} with one Idempotency-Key, and repeats of them, have one effect`, async () => {
    const world = await worldFor(route);
    const { make } = fixtureOf(route);
    const [request, single] = [await make(world), await make(world)];
    const key = longestKey();
    await assertRefusalsKeepNoKey(world, route, request, key);
    await assertReuseRefused(world, route, request);
    const effect = route.name === EMPTIES_LEDGER ? undefined : await effectOf(world, route, single);

    const before = await effectsIn(world);
    const replies = await sendAtOnce(CONCURRENT, () => send(world, route, request, once(key)));
    const firsts = replies.filter((reply) => reply.headers.get('idempotent-replayed') === null);
    assert.equal(firsts.length, 1, JSON.stringify(firsts.map(({ status, body }) => [status, body]).slice(0, 3)));
    const [first = assert.fail()] = firsts;
    assert.ok(first.status < 300, JSON.stringify(first.body));
    for (const reply of replies) assert.deepEqual(essence(reply), essence(first));
    const after = await effectsIn(world);
    if (effect !== undefined) assert.deepEqual(addedBetween(before, after), effect, 'the rows of one request');

    const body = anotherBody(route, single);
    if (body !== undefined) {
      assertRefused(await send(world, route, { ...request, body }, once(key)), 422, 'idempotency_key_reuse');
    }
    // Repeats are compared without their query, unless it describes an uploaded file.
    for (const repeat of route.takesFile ? [request] : [request, { ...request, query: {} }]) {
      assertReplay(await send(world, route, repeat, once(key)), first);
    }
    assertUnchanged('a repeat', after, await effectsIn(world));
  });
}

function sendAtOnce(count: number, sendOne: () => Promise<Reply>): Promise<Reply[]> {
  return Promise.all(Array.from({ length: count }, sendOne));
}

/** Fails unless the key of a request that names an unknown resource stays free. */
async function assertRefusalsKeepNoKey(world: World, route: Route, request: Request, key: string): Promise<void> {
  const place = Object.entries(fixtureOf(route).refs ?? {}).find(([, code]) => code !== null)?.[0];
  if (place === undefined || CHECKS.has(route.name)) return;
  const [part, name] = place.split('.') as ['path' | 'query' | 'body', string];
  const value = name === 'to' ? externalNumber() : 'none';
  const unknown = { ...request, [part]: { ...request[part], [name]: value } };
  for (let times = 0; times < 2; times++) {
    const refused = await send(world, route, unknown, once(key));
    assert.equal(refused.status, 404, JSON.stringify(refused.body));
    assert.equal(refused.headers.get('idempotent-replayed'), null);
  }
}

const TOKENS = '/v1/realtime/tokens';

/** Fails unless the key of a request to another route is refused. */
async function assertReuseRefused(world: World, route: Route, request: Request): Promise<void> {
  if (route.path === TOKENS) return;
  const key = randomUUID();
  assert.equal((await world.harness.call('POST', TOKENS, { key: world.key, ...once(key) })).status, 201);
  const reused = await send(world, route, request, once(key));
  assertRefused(reused, 422, 'idempotency_key_reuse', 'Idempotency-Key');
}

/** Another valid body; undefined for a route without a body. */
function anotherBody(route: Route, { body }: Request): Request['body'] | undefined {
  if (body === undefined) return undefined;
  if (route.path === TOKENS) return {};
  if ('advance_seconds' in body) return { advance_seconds: 2 };
  if ('kind' in body) return { kind: 'duplicate', times: 0 };
  if ('code' in body) return { code: '654321' };
  if ('result' in body) return { ...body, reason: 'Another' };
  if ('mode' in body) return { mode: 'manual' };
  if ('status_detail' in body) return { ...body, status_detail: 'Another reason.' };
  if ('only_missed' in body) return { ...body, only_missed: false };
  if ('carrier_name' in body) return { ...body, carrier_name: 'Another' };
  if ('status' in body) return { status: 'delivered' };
  return 'event_type' in body ? { event_type: 'message.failed' } : body;
}

/** Sends the request and returns the number of rows that it adds, by table. */
async function effectOf(world: World, route: Route, request: Request): Promise<Record<string, number>> {
  const before = await effectsIn(world);
  const reply = await send(world, route, request);
  assert.ok(reply.status < 300, JSON.stringify(reply.body));
  return addedBetween(before, await effectsIn(world));
}

test('24 concurrent requests with one Idempotency-Key, more than there are connections, have one effect', async () => {
  const route = named('POST /v1/opt_outs');
  const request = await fixtureOf(route).make(worlds.home);
  const before = await effectsIn(worlds);
  const key = randomUUID();
  const replies = await sendAtOnce(24, () => send(worlds.home, route, request, once(key)));
  const [first = assert.fail(), ...others] = replies.filter(({ headers }) => !headers.has('idempotent-replayed'));
  assert.equal(first.status, 201, JSON.stringify(first.body));
  // A machine that stands still for five seconds lets repeats wait too long.
  for (const { body } of others) assert.match(body.error?.code, /^(rate_limited|idempotency_in_progress)$/);
  assert.equal(addedBetween(before, await effectsIn(worlds))['opt_outs'], 1);
  assertReplay(await send(worlds.home, route, request, once(key)), first);
});

test('an Idempotency-Key belongs to the scope of the API key that sent it', async () => {
  const { home, stranger, homeTenantKey } = worlds;
  const key = randomUUID();
  const route = named('POST /v1/opt_outs');
  const request = await fixtureOf(route).make(home);
  assert.equal((await send(home, route, request, once(key))).headers.get('idempotent-replayed'), null);
  // The same Idempotency-Key is new for another account, for a key of one tenant, and in the live ledger.
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
