import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorCode } from '../../src/lib/errors.ts';
import type { Reply } from '../support/harness.ts';
import { keyedRoutes, queryNames, type Route } from './document.ts';
import type { Request } from './fixture.ts';
import { fixtureOf } from './fixtures.ts';
import { assertRefused, effectsIn, send } from './requests.ts';
import { useWorlds, type World } from './world.ts';

const worlds = await useWorlds();

/** Request fields whose name says that they name a resource. `from` and `to` of a text are known from fixtures only. */
const NAMES_RESOURCE = /_id$/;

/** Fields of the route that name a resource, as `path.tenant_id`. */
function placesOf(route: Route): string[] {
  const path = route.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `path.${name}`);
  const query = queryNames(route).filter((name) => NAMES_RESOURCE.test(name));
  const body = Object.keys(route.body?.properties ?? {}).filter((name) => NAMES_RESOURCE.test(name));
  return [...path, ...query.map((name) => `query.${name}`), ...body.map((name) => `body.${name}`)];
}

/** An id for a field for which the fixture's world has no resource. */
const INVENTED = 'xyz_01jzzzzzzzzzzzzzzzzzzzzzzz';

/** The request with one field taken from another request. */
function withForeign(own: Request, foreign: Request, place: string): Request {
  const [part, name] = place.split('.') as ['path' | 'query' | 'body', string];
  const value = (foreign[part] as Record<string, unknown> | undefined)?.[name] ?? INVENTED;
  return { ...own, [part]: { ...own[part], [name]: value } };
}

/** It replies whether a send would be refused, so a refusal is a success here. */
const TELLS_IN_BODY = 'POST /v1/messages/check';

function refusalOf(route: Route, { status, body }: Reply): { code: string } {
  if (route.name === TELLS_IN_BODY) assert.equal(status, 200);
  return body.error ?? {};
}

function assertMissed(route: Route, reply: Reply, code: ErrorCode): void {
  if (route.name === TELLS_IN_BODY) assert.equal(refusalOf(route, reply).code, code);
  else assertRefused(reply, 404, code);
}

type Trespass = { route: Route; place: string; code: ErrorCode };

const trespasses: Trespass[] = keyedRoutes.flatMap((route) =>
  Object.entries(fixtureOf(route).refs ?? {}).flatMap(([place, code]) =>
    code === null ? [] : [{ route, place, code }],
  ),
);

async function tryForeign({ route, place }: Trespass, other: World) {
  const { make } = fixtureOf(route);
  return withForeign(await make(worlds.home), await make(other), place);
}

for (const route of keyedRoutes) {
  test(`every resource that ${route.name} names is in its fixture`, () => {
    const known = Object.keys(fixtureOf(route).refs ?? {});
    assert.deepEqual(
      placesOf(route).filter((place) => !known.includes(place)),
      [],
    );
  });
}

for (const trespass of trespasses) {
  const { route, place, code } = trespass;
  test(`${route.name} does not find another account's ${place}`, async () => {
    const request = await tryForeign(trespass, worlds.stranger);
    const before = [await effectsIn(worlds.home), await effectsIn(worlds.stranger)];
    assertMissed(route, await send(worlds.home, route, request), code);
    assert.deepEqual([await effectsIn(worlds.home), await effectsIn(worlds.stranger)], before);
  });
}

/** An impossible id is not found, like an unknown one. A body that contains NUL is refused as such. */
const IMPOSSIBLE = { path: ['x'.repeat(101), 'x'.repeat(1_000), 'a\0b'], body: ['x'.repeat(101)] };

// The `to` of a simulated inbound text or call is a number, which has a form.
for (const trespass of trespasses.filter(({ place }) => place !== 'body.to')) {
  const { route, place, code } = trespass;
  test(`${route.name} finds nothing by an impossible ${place}`, async () => {
    const [part, name] = place.split('.') as ['path' | 'query' | 'body', string];
    for (const value of part === 'body' ? IMPOSSIBLE.body : IMPOSSIBLE.path) {
      const own = await fixtureOf(route).make(worlds.home);
      const request = { ...own, [part]: { ...own[part], [name]: value } };
      const before = await effectsIn(worlds.home);
      assertMissed(route, await send(worlds.home, route, request), code);
      assert.deepEqual(await effectsIn(worlds.home), before);
    }
  });
}

for (const route of keyedRoutes.filter((each) => Object.values(fixtureOf(each).refs ?? {}).some((code) => code))) {
  test(`${route.name} does not find resources of the other mode`, async () => {
    const request = await fixtureOf(route).make(worlds.home);
    const before = await effectsIn(worlds.home);
    const reply = await send(worlds.home, route, request, { key: worlds.liveKey });
    if (route.testOnly) assertRefused(reply, 403, 'test_mode_only');
    else {
      // Every resource of the request is of the test mode; which one is missed first is not fixed.
      const { code } = refusalOf(route, reply);
      assertMissed(route, reply, code as ErrorCode);
      assert.ok(Object.values(fixtureOf(route).refs ?? {}).includes(code as ErrorCode), code);
    }
    assert.deepEqual(await effectsIn(worlds.home), before);
  });
}

for (const route of keyedRoutes.filter(({ testOnly }) => testOnly)) {
  test(`${route.name} refuses live keys`, async () => {
    assertRefused(await send(worlds.home, route, {}, { key: worlds.liveKey }), 403, 'test_mode_only');
  });
}

for (const route of keyedRoutes.filter(({ accountOnly }) => accountOnly)) {
  test(`${route.name} refuses a key of one tenant`, async () => {
    const request = await fixtureOf(route).make(worlds.home);
    const before = await effectsIn(worlds.home);
    const reply = await send(worlds.home, route, request, { key: worlds.homeTenantKey });
    assertRefused(reply, 403, 'key_not_permitted');
    assert.deepEqual(await effectsIn(worlds.home), before);
  });
}

test('the account-level routes are the listed ones', () => {
  const names = keyedRoutes.filter(({ accountOnly }) => accountOnly).map(({ name }) => name);
  for (const name of [
    'POST /v1/tenants',
    'PATCH /v1/tenants/{tenant_id}',
    'DELETE /v1/tenants/{tenant_id}',
    'GET /v1/audit_log',
    'POST /v1/test/reset',
    'POST /v1/test/clock',
    'POST /v1/test/faults',
  ]) {
    assert.ok(names.includes(name), name);
  }
  const endpoints = keyedRoutes.filter(({ path }) => path.startsWith('/v1/webhook_endpoints'));
  assert.deepEqual(
    endpoints.filter(({ accountOnly }) => !accountOnly),
    [],
  );
});

// Fields that attach another resource: a resource of another tenant is not found, whatever the key.
const REFERENCE = /^body\.(routing_config_id|campaign_id|e911_address_id|brand_id)$/;

for (const trespass of trespasses.filter(({ place }) => REFERENCE.test(place))) {
  const { route, place, code } = trespass;
  test(`${route.name} does not find another tenant's ${place}, with any key`, async () => {
    for (const key of [worlds.home.key, worlds.homeTenantKey]) {
      const request = await tryForeign(trespass, worlds.neighbour);
      const before = await effectsIn(worlds.home);
      assertRefused(await send(worlds.home, route, request, { key }), 404, code);
      assert.deepEqual(await effectsIn(worlds.home), before);
    }
  });
}

const open = trespasses.filter(({ route, place }) => !route.accountOnly && !REFERENCE.test(place));

for (const trespass of open.filter(({ place }) => place !== 'path.external_number')) {
  const { route, place } = trespass;
  test(`${route.name} refuses a tenant's key that names another tenant's ${place}`, async () => {
    const request = await tryForeign(trespass, worlds.neighbour);
    const before = await effectsIn(worlds.home);
    const reply = await send(worlds.home, route, request, { key: worlds.homeTenantKey });
    if (route.name === TELLS_IN_BODY) assert.equal(refusalOf(route, reply).code, 'tenant_restricted_key');
    else assertRefused(reply, 403, 'tenant_restricted_key');
    assert.deepEqual(await effectsIn(worlds.home), before);
  });
}

for (const route of keyedRoutes.filter(({ accountOnly }) => !accountOnly)) {
  test(`${route.name} serves a tenant's key within its tenant`, async () => {
    const reply = await send(worlds.home, route, await fixtureOf(route).make(worlds.home), {
      key: worlds.homeTenantKey,
    });
    assert.ok(reply.status < 300, JSON.stringify(reply.body));
  });
}

const lists = keyedRoutes.filter((route) => fixtureOf(route).row !== undefined);

for (const route of lists) {
  test(`${route.name} lists only rows that the key may see`, async () => {
    const row = fixtureOf(route).row as (world: World) => Promise<string>;
    const [home, neighbour] = [await row(worlds.home), await row(worlds.neighbour)];
    const limit: Request = queryNames(route).includes('limit') ? { query: { limit: '100' } } : {};
    const list = async (key: string) => JSON.stringify((await send(worlds.home, route, limit, { key })).body);
    const holds = (text: string) => ({ home: text.includes(home), neighbour: text.includes(neighbour) });

    assert.deepEqual(holds(await list(worlds.home.key)), { home: true, neighbour: true });
    assert.deepEqual(holds(await list(worlds.stranger.key)), { home: false, neighbour: false });
    if (!route.testOnly) assert.deepEqual(holds(await list(worlds.liveKey)), { home: false, neighbour: false });
    if (!route.accountOnly) assert.deepEqual(holds(await list(worlds.homeTenantKey)), { home: true, neighbour: false });
  });
}

test('every paged list is checked for foreign rows', () => {
  const paged = keyedRoutes.filter((route) => queryNames(route).includes('after'));
  // Their rows belong to one resource, which is checked itself, or do not exist in test mode (money). The usage of
  // tenants is checked by its own test.
  const guarded = [
    'GET /v1/balance/entries',
    'GET /v1/usage',
    'GET /v1/conversations/{conversation_id}/timeline',
    'GET /v1/opt_in_forms/{opt_in_form_id}/submissions',
    'GET /v1/webhook_endpoints/{endpoint_id}/deliveries',
    'GET /v1/webhook_endpoints/{endpoint_id}/replays',
  ];
  assert.deepEqual(
    paged
      .filter((route) => !lists.includes(route))
      .map(({ name }) => name)
      .filter((name) => !guarded.includes(name)),
    [],
  );
});
