/** Data that a key may not see: no operation finds, lists or changes it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorCode } from '../../src/lib/errors/errors.ts';
import type { Reply } from '../support/harness.ts';
import { keyedRoutes, queryNames, type Route } from './document.ts';
import { watchEffects } from './effects.ts';
import { CHECKS, type Request } from './fixture.ts';
import { fixtureOf } from './fixtures.ts';
import { type Attempt, assertAll, makeRequests, refusedWith, send, tryAll } from './requests.ts';
import { useWorlds, type World } from './world.ts';

const worlds = await useWorlds();
const { home, neighbour, stranger, homeTenantKey, liveKey } = worlds;
const { key: readKey } = await home.must('POST', '/v1/api_keys', { name: 'Reader', permissions: 'read' });
const ofHome = await makeRequests(home, keyedRoutes);
const ofNeighbour = await makeRequests(neighbour, keyedRoutes);
const ofStranger = await makeRequests(stranger, keyedRoutes);
const assertNoEffect = await watchEffects(worlds);

/** Request fields whose name says that they name a resource. `from` and `to` of a text are known from fixtures only. */
const NAMES_RESOURCE = /_id$/;

/** Fields of the route that name a resource, as `path.tenant_id`. */
function placesOf(route: Route): string[] {
  const path = route.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `path.${name}`);
  const query = queryNames(route).filter((name) => NAMES_RESOURCE.test(name));
  const body = Object.keys(route.body?.properties ?? {}).filter((name) => NAMES_RESOURCE.test(name));
  return [...path, ...query.map((name) => `query.${name}`), ...body.map((name) => `body.${name}`)];
}

test('every resource that a request names is in its fixture', () => {
  const unknown = keyedRoutes.flatMap((route) => {
    const known = Object.keys(fixtureOf(route).refs ?? {});
    return placesOf(route).flatMap((place) => (known.includes(place) ? [] : [`${route.name}: ${place}`]));
  });
  assert.deepEqual(unknown, []);
});

/** The id for a field if the fixture's world has no such resource. */
const INVENTED = 'xyz_01jzzzzzzzzzzzzzzzzzzzzzzz';

/** The home world's request with one field changed. */
function withField(route: Route, place: string, value: unknown): Request {
  const own = ofHome(route);
  const [part, name] = place.split('.') as ['path' | 'query' | 'body', string];
  return { ...own, [part]: { ...own[part], [name]: value } };
}

/** The home world's request with one field taken from another request. */
function withForeign(route: Route, place: string, foreign: Request): Request {
  const [part, name] = place.split('.') as ['path' | 'query' | 'body', string];
  return withField(route, place, (foreign[part] as Record<string, unknown> | undefined)?.[name] ?? INVENTED);
}

function checkRefusal(route: Route, status: number, code: ErrorCode): Attempt['check'] {
  if (!CHECKS.has(route.name)) return refusedWith(status, code);
  return ({ status, body }) => assert.deepEqual([status, body.error?.code], [200, code], JSON.stringify(body));
}

/** Fields of the route that name a resource, with the code if the key's ledger does not have the resource. */
function refsOf(route: Route): (readonly [place: string, code: ErrorCode])[] {
  return Object.entries(fixtureOf(route).refs ?? {}).flatMap(([place, code]) => (code === null ? [] : [[place, code]]));
}

function withAnotherAccounts(route: Route): Attempt[] {
  return refsOf(route).map(([place, code]) => ({
    what: `${place} of another account`,
    request: withForeign(route, place, ofStranger(route)),
    check: checkRefusal(route, 404, code),
  }));
}

/** An impossible id is not found, like an unknown one. A body that contains NUL is refused as such. */
const IMPOSSIBLE = { path: ['x'.repeat(101), 'x'.repeat(1_000), 'a\0b'], body: ['x'.repeat(101)] };

function withImpossible(route: Route): Attempt[] {
  // The `to` of a simulated inbound text or call is a number in a certain form, so an id is invalid there.
  const places = refsOf(route).filter(([place]) => place !== 'body.to');
  return places.flatMap(([place, code]) =>
    (place.startsWith('body.') ? IMPOSSIBLE.body : IMPOSSIBLE.path).map((value) => ({
      what: `an impossible ${place} of ${value.length} characters`,
      request: withField(route, place, value),
      check: checkRefusal(route, 404, code),
    })),
  );
}

/** Every resource of the request is of the test mode. The refusal may be about any of them. */
function withLiveKey(route: Route): Attempt[] {
  const options = { key: liveKey };
  if (route.testOnly) {
    const check = refusedWith(403, 'test_mode_only');
    return [ofHome(route), {}].map((request) => ({ what: 'with a live key', request, options, check }));
  }
  const codes = refsOf(route).map(([, code]) => code);
  if (codes.length === 0) return [];
  const check = (reply: Reply) => {
    const { code } = reply.body.error ?? {};
    assert.ok(codes.includes(code), `${reply.status} ${code}`);
    checkRefusal(route, 404, code)(reply);
  };
  return [{ what: 'resources of the other mode', request: ofHome(route), options, check }];
}

// Fields that attach another resource: a resource of another tenant is not found, whatever the key.
const REFERENCE = /^body\.(routing_config_id|campaign_id|e911_address_id|brand_id|web_client_id)$/;

function withAnotherTenants(route: Route): Attempt[] {
  return refsOf(route).flatMap(([place, code]) => {
    const request = withForeign(route, place, ofNeighbour(route));
    const what = `${place} of another tenant`;
    const ofTenant = { what: `${what}, with a key of one tenant`, request, options: { key: homeTenantKey } };
    if (REFERENCE.test(place)) {
      const check = refusedWith(404, code);
      return [
        { what, request, check },
        { ...ofTenant, check },
      ];
    }
    if (route.accountOnly || place === 'path.external_number' || place === 'path.agent') return [];
    return [{ ...ofTenant, check: checkRefusal(route, 403, 'tenant_restricted_key') }];
  });
}

function withTenantKey(route: Route): Attempt[] {
  if (!route.accountOnly) return [];
  const check = refusedWith(403, 'key_not_permitted');
  return [{ what: 'with a key of one tenant', request: ofHome(route), options: { key: homeTenantKey }, check }];
}

/** Requests with a body that only read: they change nothing, or make a token that only reads. */
const ASKS = [
  'POST /v1/messages/check',
  'POST /v1/calls/check',
  'POST /v1/campaigns/check',
  'POST /v1/port_ins/check',
  'POST /v1/routing_configs/{routing_config_id}/evaluate',
  'POST /v1/realtime/tokens',
];

function withReadKey(route: Route): Attempt[] {
  const reads = route.method === 'GET' || ASKS.includes(route.name);
  const check = reads
    ? ({ status }: Reply) => assert.ok(status < 400, `${status}`)
    : refusedWith(403, 'key_not_permitted');
  return [{ what: 'with a key that may only read', request: ofHome(route), options: { key: readKey }, check }];
}

for (const route of keyedRoutes) {
  const attempts = [
    ...[withAnotherAccounts, withImpossible, withLiveKey, withAnotherTenants, withTenantKey, withReadKey],
  ].flatMap((attemptsOf) => attemptsOf(route));
  test(`${route.name} finds and changes nothing of another account, tenant or mode`, async () => {
    await tryAll(home, route, attempts);
    await assertNoEffect(route.name);
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

test("every other route serves a tenant's key within its tenant", () =>
  assertAll(
    keyedRoutes
      .filter(({ accountOnly }) => !accountOnly)
      .map((route) => ({
        what: route.name,
        run: async () => {
          const { status, body } = await send(home, route, ofHome(route), { key: homeTenantKey });
          assert.ok(status < 300, JSON.stringify(body));
        },
      })),
  ));

const lists = keyedRoutes.filter((route) => fixtureOf(route).row !== undefined);

for (const route of lists) {
  test(`${route.name} lists only rows that the key may see`, async () => {
    const row = fixtureOf(route).row as (world: World) => Promise<string>;
    const [inHome, inNeighbour] = [await row(home), await row(neighbour)];
    const limit: Request = queryNames(route).includes('limit') ? { query: { limit: '100' } } : {};
    const list = async (key: string) => {
      const text = JSON.stringify((await send(home, route, limit, { key })).body);
      return { home: text.includes(inHome), neighbour: text.includes(inNeighbour) };
    };
    const expected: (readonly [key: string, holds: { home: boolean; neighbour: boolean }])[] = [
      [home.key, { home: true, neighbour: true }],
      [stranger.key, { home: false, neighbour: false }],
      ...(route.testOnly ? [] : [[liveKey, { home: false, neighbour: false }] as const]),
      ...(route.accountOnly ? [] : [[homeTenantKey, { home: true, neighbour: false }] as const]),
    ];
    assert.deepEqual(
      await Promise.all(expected.map(([key]) => list(key))),
      expected.map(([, holds]) => holds),
      'rows of home and of neighbour in the lists of the account, of another one, in the other mode, and of a tenant',
    );
  });
}

test('every paged list is checked for foreign rows', () => {
  const paged = keyedRoutes.filter((route) => queryNames(route).includes('after'));
  // Lists without this check. The rows of most belong to one resource, which has its own check. Other lists are empty
  // in test mode (money, telephones). Separate tests check the usage of tenants, and telephones.
  const guarded = [
    'GET /v1/balance/entries',
    'GET /v1/usage',
    'GET /v1/sip_phones',
    'GET /v1/conversations/{conversation_id}/timeline',
    'GET /v1/conversations/{conversation_id}/notes',
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
