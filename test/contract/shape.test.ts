/** What a request must look like: bodies, parameters, headers, methods, paths. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { OPERATIONS } from '../../src/http/edge/abilities.ts';
import type { JsonSchema } from '../../src/http/openapi/types.ts';
import { writeCursor } from '../../src/http/schemas/pagination.ts';
import { ERRORS, type ErrorCode } from '../../src/lib/errors.ts';
import type { Json } from '../support/events.ts';
import type { Reply } from '../support/harness.ts';
import { document, keyedRoutes, queryNames, type Route, routes } from './document.ts';
import type { Request } from './fixture.ts';
import { fixtureOf } from './fixtures.ts';
import { assertEnvelope, assertRefused, pathOf, send, watchEffects } from './requests.ts';
import { useWorlds } from './world.ts';

const { home: world } = await useWorlds();

type Refusal = { status: number; code: ErrorCode; param?: string };

/** Returns a check that fails unless the route refuses a request with this code, without an effect since this call. */
async function watchRefusals(route: Route) {
  const assertNoEffect = await watchEffects(world);
  return async (request: Request, expected: Refusal, body?: unknown): Promise<void> => {
    const reply = await send(world, route, request, body === undefined ? {} : { body });
    assertRefused(reply, expected.status, expected.code, expected.param);
    await assertNoEffect();
  };
}

const invalid = (param: string) => ({ status: 400, code: 'invalid_body', param }) as const;

for (const route of keyedRoutes) {
  test(`${route.name} refuses an unknown query parameter`, async () => {
    const request = await fixtureOf(route).make(world);
    const refuses = await watchRefusals(route);
    await refuses({ ...request, query: { ...request.query, tenant: 'x' } }, invalid('tenant'));
  });
}

for (const route of keyedRoutes.filter((route) => queryNames(route).includes('limit'))) {
  test(`${route.name} takes a limit of 1 to 100`, async () => {
    const request = await fixtureOf(route).make(world);
    const refuses = await watchRefusals(route);
    const withLimit = (limit: string) => ({ ...request, query: { ...request.query, limit } });
    for (const limit of ['0', '101', '-1', '1.5', '5.0', '0x10', '1e1', ' 5', '+5', 'abc', ''])
      await refuses(withLimit(limit), invalid('limit'));
    for (const limit of ['1', '100']) assert.equal((await send(world, route, withLimit(limit))).status, 200);
  });
}

const FOREIGN_CURSORS = ['abc', 'null', writeCursor(['elsewhere', 'x']), '%00', 'W10', 'x'.repeat(501)];
const NOT_A_CURSOR = { status: 400, code: 'invalid_cursor', param: 'after' } as const;

for (const route of keyedRoutes.filter((route) => queryNames(route).includes('after'))) {
  test(`${route.name} refuses a text that is not a cursor of its list`, async () => {
    const request = await fixtureOf(route).make(world);
    const refuses = await watchRefusals(route);
    for (const after of [...FOREIGN_CURSORS, '']) {
      await refuses({ ...request, query: { ...request.query, after } }, NOT_A_CURSOR);
    }
  });
}

for (const route of keyedRoutes.filter((route) => queryNames(route).includes('start'))) {
  test(`${route.name} refuses invalid ranges`, async () => {
    const { query: _, ...request } = await fixtureOf(route).make(world);
    const refuses = await watchRefusals(route);
    const range = (query: Record<string, string>) => ({ ...request, query });
    for (const moment of ['yesterday', '2026-02-30', '2026-01-01T00:00:00', '']) {
      await refuses(range({ start: moment }), { status: 400, code: 'invalid_start', param: 'start' });
      await refuses(range({ end: moment }), { status: 400, code: 'invalid_end', param: 'end' });
    }
    const long = `2026-01-01T00:00:00.${'0'.repeat(40)}Z`;
    await refuses(range({ start: long }), { status: 400, code: 'invalid_start', param: 'start' });
    await refuses(range({ end: long }), { status: 400, code: 'invalid_end', param: 'end' });
    await refuses(range({ end: 'a\0b' }), { status: 400, code: 'invalid_end', param: 'end' });
    const twice = await world.harness.call('GET', `${pathOf(route, request)}?start=2026-01-01&start=2026-01-02`);
    assertRefused(twice, 400, 'invalid_start', 'start');
    const reversed = { start: '2026-01-02', end: '2026-01-01' };
    await refuses(range(reversed), { status: 400, code: 'invalid_range', param: 'start' });
    assert.equal((await send(world, route, range({ start: '2026-01-01', end: '2026-01-01T00:00:01Z' }))).status, 200);
  });
}

const withBody = keyedRoutes.filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method));

for (const route of withBody.filter(({ takesFile }) => !takesFile)) {
  test(`${route.name} refuses an unknown field`, async () => {
    const request = await fixtureOf(route).make(world);
    const refuses = await watchRefusals(route);
    await refuses({ ...request, body: { ...request.body, typo: 1 } }, invalid('typo'));
  });

  test(`${route.name} refuses a body that is no JSON object`, async () => {
    const request = await fixtureOf(route).make(world);
    const refuses = await watchRefusals(route);
    for (const body of ['[]', '"text"', '1', 'true', 'null']) {
      await refuses(request, { status: 400, code: 'invalid_body' }, body);
    }
    for (const body of ['{', '{"a":}', 'name=x', '{"a":1}}', '\u0000']) {
      await refuses(request, { status: 400, code: 'invalid_json' }, body);
    }
  });

  test(`${route.name} refuses a field named __proto__ as an unknown field`, async () => {
    const request = await fixtureOf(route).make(world);
    const refuses = await watchRefusals(route);
    const fields = Object.entries(request.body ?? {}).map(([name, value]) => `"${name}":${JSON.stringify(value)}`);
    for (const value of ['1', '{"a":1}']) {
      const body = `{${[`"__proto__":${value}`, ...fields].join()}}`;
      await refuses(request, invalid('__proto__'), body);
    }
  });
}

for (const route of withBody) {
  test(`${route.name} refuses an Idempotency-Key that is too long or empty`, async () => {
    if (route.method !== 'POST') return;
    const request = await fixtureOf(route).make(world);
    for (const key of ['k'.repeat(256), ' ']) {
      const reply = await send(world, route, request, { headers: { 'idempotency-key': key } });
      assertRefused(reply, 400, 'invalid_body', 'Idempotency-Key');
    }
    const longest = { headers: { 'idempotency-key': 'k'.repeat(240) + String(process.hrtime.bigint()).slice(-15) } };
    if (route.path !== '/v1/test/reset') assert.ok((await send(world, route, request, longest)).status < 300);
  });
}

const bodied = withBody.filter(
  (route): route is Route & { body: NonNullable<Route['body']> } => route.body !== undefined,
);

/** Values of every JSON type that the schema does not allow. */
function wrongValues(schema: JsonSchema): Json[] {
  const alternatives = (schema['anyOf'] ?? [schema]) as JsonSchema[];
  const types = alternatives.flatMap((each) => each['type'] ?? (each['enum'] ? ['string'] : [])).flat() as string[];
  const samples: Record<string, Json[]> = {
    string: ['text'],
    number: [7.5],
    boolean: [true],
    object: [{ a: 1 }],
    array: [['x']],
    null: [null],
  };
  if (types.includes('integer')) types.push('number');
  return Object.entries(samples).flatMap(([type, values]) => (types.includes(type) ? [] : values));
}

for (const route of bodied) {
  for (const [field, schema] of Object.entries(route.body.properties)) {
    test(`${route.name} refuses a ${field} of another type, naming it`, async () => {
      const request = await fixtureOf(route).make(world);
      const required = route.body.required?.includes(field) ?? false;
      const assertNoEffect = await watchEffects(world);
      for (const value of wrongValues(schema)) {
        const reply = await send(world, route, { ...request, body: { ...request.body, [field]: value } });
        assert.equal(reply.status, 400, `${JSON.stringify(value)}: ${JSON.stringify(reply.body)}`);
        assertEnvelope(reply);
        assert.equal(reply.body.error.param.split(/[.[]/)[0], field);
        if (value === null && required) assertCodeOfAbsence(reply.body.error.code);
        await assertNoEffect();
      }
    });
  }

  for (const field of route.body.required ?? []) {
    test(`${route.name} names ${field} when it is absent`, async () => {
      const request = await fixtureOf(route).make(world);
      const { [field]: _, ...rest } = request.body ?? {};
      const assertNoEffect = await watchEffects(world);
      for (const body of [rest, ...(isText(route, field) ? [{ ...rest, [field]: ' ' }] : [])]) {
        const reply = await send(world, route, { ...request, body });
        assert.equal(reply.status, 400, JSON.stringify(reply.body));
        assertEnvelope(reply);
        assert.equal(reply.body.error.param, field);
        assertCodeOfAbsence(reply.body.error.code);
      }
      await assertNoEffect();
    });
  }

  test(`${route.name} names all required fields when all are absent`, async () => {
    const required = route.body.required ?? [];
    if (required.length < 2) return;
    const request = await fixtureOf(route).make(world);
    const reply = await send(world, route, { ...request, body: {} });
    assertRefused(reply, 400, 'missing_fields', required[0]);
    for (const field of required) assert.ok(reply.body.error.message.includes(field), reply.body.error.message);
  });
}

function isText(route: Route, field: string): boolean {
  return route.body?.properties[field]?.['type'] === 'string';
}

function assertCodeOfAbsence(code: string): void {
  assert.ok(code === 'missing_fields' || code.endsWith('_required'), code);
}

for (const route of keyedRoutes) {
  test(`${route.name} refuses NUL characters, naming the field`, async () => {
    const request = await fixtureOf(route).make(world);
    const assertNoEffect = await watchEffects(world);
    for (const { part, name, hostile } of hostileRequests(route, request)) {
      const reply = await send(world, route, hostile);
      const isId = part === 'path' || (part === 'query' && fixtureOf(route).refs?.[`query.${name}`]);
      assert.equal(reply.status, isId ? 404 : 400, `${name}: ${JSON.stringify(reply.body)}`);
      assertEnvelope(reply);
      if (part !== 'path') assert.equal(reply.body.error.param.split(/[.[]/)[0], name, JSON.stringify(reply.body));
      await assertNoEffect();
    }
  });
}

/** The request with a NUL in one of its texts, once for each text. */
function hostileRequests(route: Route, request: Request) {
  const spoil = (part: 'path' | 'query' | 'body', name: string, value: Json) => ({
    part,
    name,
    hostile: { ...request, [part]: { ...request[part], [name]: value } } as Request,
  });
  const inPath = Object.keys(request.path ?? {}).map((name) => spoil('path', name, 'a\u0000b'));
  const inQuery = queryNames(route).map((name) => spoil('query', name, 'a\u0000b'));
  const inBody = Object.entries(request.body ?? {}).flatMap(([name, value]) => {
    if (typeof value === 'string') return [spoil('body', name, `${value}\u0000`)];
    if (Array.isArray(value)) return [spoil('body', name, ['a\u0000b'])];
    if (typeof value === 'object' && value !== null) {
      return [spoil('body', name, { 'a\u0000': 'b' }), spoil('body', name, { a: 'b\u0000' })];
    }
    return [];
  });
  return [...inPath, ...inQuery, ...inBody];
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

for (const [path, item] of Object.entries(document.paths)) {
  test(`${path} lists its methods`, async () => {
    const taken = Object.keys(item).map((method) => method.toUpperCase());
    for (const method of METHODS.filter((each) => !taken.includes(each))) {
      const filled = pathOf({ path } as Route, {});
      // Another pattern may match the same path with this method: then that route answers.
      if (routes.some((route) => route.method === method && route.path !== path && matches(route.path, filled)))
        continue;
      const reply = await world.harness.call(method, filled);
      assertRefused(reply, 405, 'method_not_allowed');
      const allowed = (reply.headers.get('allow') ?? '').split(', ');
      for (const each of taken) assert.ok(allowed.includes(each), `${method}: Allow: ${allowed}`);
      assert.ok(!allowed.includes(method));
      for (const each of taken) assert.match(reply.body.error.message, new RegExp(`\\b${each}\\b`));
    }
  });
}

function matches(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

test('a path without a route is not found, with or without a key', async () => {
  for (const path of ['/v1/nothing', '/v1', '/v1/', '/v1/tenants/', '/v2/tenants', '/nothing', '/v1/tenants/a/b']) {
    assertRefused(await world.harness.call('GET', path), 404, 'not_found');
  }
});

test('an id of any length and form in a path is answered', async () => {
  for (const id of ['x'.repeat(3000), '%ff', '%zz', '..', '%2e%2e', '%2F', "'; select 1", '\u{1F4DE}']) {
    const reply = await world.harness.call('GET', `/v1/tenants/${id}`);
    assert.ok(reply.status >= 400 && reply.status < 500, `${id}: ${reply.status}`);
    assertEnvelope(reply);
  }
});

/** Returns the reply to raw bytes after which the sender closes its side. */
async function exchange(bytes: string): Promise<Reply> {
  const socket = connect(Number(new URL(world.harness.url).port), '127.0.0.1');
  socket.end(bytes);
  const reply = Buffer.concat(await socket.toArray()).toString('utf8');
  const [head = '', body = ''] = reply.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = new Headers(fields.map((field) => field.split(': ') as [string, string]));
  return { status: Number(line.split(' ')[1]), headers, body: JSON.parse(body) };
}

test('bytes that are no complete HTTP request are refused with an error envelope', async () => {
  const start = `POST /v1/tenants HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${world.key}\r\n`;
  const truncated = [
    `${start}Content-Length: 50\r\n\r\n{"name":`,
    `${start}Content-Length: abc\r\n\r\n{}`,
    `${start}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    'NONSENSE\r\n\r\n',
  ];
  const assertNoEffect = await watchEffects(world);
  for (const bytes of truncated) assertRefused(await exchange(bytes), 400, 'unreadable_body');
  assertRefused(await exchange(`${start}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`), 431, 'invalid_body');
  const expecting = `${start}Expect: a miracle\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`;
  assertRefused(await exchange(expecting), 417, 'invalid_body', 'Expect');
  await assertNoEffect();
});

test('a connection may send a hundred requests in one write, and is closed after many more', async () => {
  const answersTo = async (count: number) => {
    const socket = connect(Number(new URL(world.harness.url).port), '127.0.0.1');
    const last = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    socket.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count - 1) + last);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => socket.destroy());
    await new Promise((resolve) => socket.once('close', resolve));
    return Buffer.concat(chunks).toString().split('HTTP/1.1 200 OK').length - 1;
  };
  assert.equal(await answersTo(101), 101);
  assert.ok((await answersTo(300)) < 101);
});

test('browsers are refused: without a browser session no reply allows a page to use the API', async () => {
  const sessions = new Set(Object.values(OPERATIONS).flat());
  // The path of the search could be that of a number. The request itself is refused.
  const isOpen = ({ method, path, name }: Route) =>
    name === 'GET /v1/phone_numbers/available' || sessions.has(`${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
  const origin = { origin: 'https://example.com' };
  for (const route of routes) {
    const preflight = await world.harness.call('OPTIONS', pathOf(route, {}), {
      key: null,
      headers: { ...origin, 'access-control-request-method': route.method },
    });
    assert.equal(preflight.status < 400, isOpen(route), `${route.name}: ${preflight.status}`);
    for (const reply of [
      ...(isOpen(route) ? [] : [preflight]),
      await send(world, route, {}, { headers: origin, key: null }),
    ]) {
      const opened = [...reply.headers.keys()].filter((name) => name.startsWith('access-control-'));
      assert.deepEqual(opened, [], route.name);
    }
  }
});

test('every sent code is in the catalogue', async () => {
  const reply = await world.harness.call('GET', '/v1/nothing');
  assert.ok(reply.body.error.code in ERRORS);
});

test('metadata names and values are bounded and accept only text that can be returned unchanged', async () => {
  const create = (metadata: object) => world.harness.call('POST', '/v1/tenants', { body: { name: 'T', metadata } });
  for (const metadata of [
    { ['k'.repeat(41)]: 'v' },
    { '': 'v' },
    { a: 'x\u0000y' },
    { a: '\ud800' },
    { '\ud800': 'v' },
  ]) {
    assertRefused(await create(metadata), 400, 'invalid_body');
  }
  assert.equal((await create({ ['k'.repeat(40)]: 'caf\u00e9 \u{1F4DE}' })).status, 201);
});

test('a body that is not UTF-8 is refused, and not sent on with replacement characters', async () => {
  const reply = await fetch(`${world.harness.url}/v1/tenants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.harness.account.test_key}`, 'content-type': 'application/json' },
    body: Buffer.from('{"name": "caf\xe9"}', 'latin1'),
  });
  assert.equal(reply.status, 400);
  assert.equal(((await reply.json()) as { error: { code: string } }).error.code, 'invalid_json');
});
