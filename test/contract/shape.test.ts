/** The required form of a request: bodies, parameters, headers, methods, paths. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { OPERATIONS } from '../../src/http/edge/abilities.ts';
import { ERRORS } from '../../src/lib/errors/errors.ts';
import { createCaller } from '../support/caller.ts';
import type { Reply } from '../support/harness.ts';
import { document, keyedRoutes, queryNames, type Route, routes } from './document.ts';
import { watchEffects } from './effects.ts';
import { assertAll, assertEnvelope, assertRefused, makeRequests, pathOf, send, tryAll } from './requests.ts';
import { useWorlds } from './world.ts';
import * as wrongBodies from './wrong-bodies.ts';
import * as wrongParameters from './wrong-parameters.ts';

const { home: world } = await useWorlds();
const requestOf = await makeRequests(world, keyedRoutes);
const assertNoEffect = await watchEffects(world);

const KINDS = [...Object.values(wrongParameters), ...Object.values(wrongBodies)];

for (const route of keyedRoutes) {
  test(`${route.name} refuses wrong parameters, bodies and fields, names them, and does nothing`, async () => {
    const attempts = KINDS.flatMap((attemptsOf) => attemptsOf(route, requestOf(route)));
    await tryAll(world, route, attempts);
    await assertNoEffect(route.name);
  });
}

test('every list refuses a start that is given twice', () =>
  assertAll(
    keyedRoutes
      .filter((route) => queryNames(route).includes('start'))
      .map((route) => ({
        what: route.name,
        run: async () => {
          const path = pathOf(route, { ...requestOf(route), query: {} });
          const reply = await world.harness.call('GET', `${path}?start=2026-01-01&start=2026-01-02`);
          assertRefused(reply, 400, 'invalid_start', 'start');
        },
      })),
  ));

/** Validation fills in defaults. In a change a default would replace what the request does not name. */
test('no field of a change has a default', () => {
  const changes = keyedRoutes.filter(({ method }) => method === 'PATCH');
  const named = changes.flatMap(({ name, body }) =>
    Object.entries(body?.properties ?? {}).flatMap(([field, schema]) =>
      'default' in schema ? [`${name} ${field}`] : [],
    ),
  );
  assert.deepEqual([changes.length > 5, named], [true, []]);
});

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Methods that no route of the path has. */
function otherMethods(path: string): string[] {
  const filled = pathOf({ path } as Route, {});
  // Another pattern may match the same path with this method, and its route then answers.
  const isRouted = (method: string) =>
    routes.some((route) => route.method === method && (route.path === path || matches(route.path, filled)));
  return METHODS.filter((method) => !isRouted(method));
}

function matches(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

test('every path lists its methods', () =>
  assertAll(
    Object.entries(document.paths).flatMap(([path, item]) =>
      otherMethods(path).map((method) => ({
        what: `${method} ${path}`,
        run: async () => {
          const reply = await world.harness.call(method, pathOf({ path } as Route, {}));
          assertRefused(reply, 405, 'method_not_allowed');
          const allowed = (reply.headers.get('allow') ?? '').split(', ');
          assert.ok(!allowed.includes(method), `Allow: ${allowed}`);
          for (const taken of Object.keys(item).map((each) => each.toUpperCase())) {
            assert.ok(allowed.includes(taken), `Allow: ${allowed}`);
            assert.match(reply.body.error.message, new RegExp(`\\b${taken}\\b`));
          }
        },
      })),
    ),
  ));

test('a path without a route is not found, with or without a key', async () => {
  for (const path of ['/v1/nothing', '/v1', '/v1/', '/v1/tenants/', '/v2/tenants', '/nothing', '/v1/tenants/a/b']) {
    assertRefused(await world.harness.call('GET', path), 404, 'not_found');
  }
});

const callOverSocket = createCaller(world.harness.url, world.key);

test('an id of any length and form in a path is answered', async () => {
  for (const id of ['x'.repeat(3000), '%ff', '%zz', '..', '%2e%2e', '%2F', "'; select 1", '\u{1F4DE}']) {
    const reply = await callOverSocket('GET', `/v1/tenants/${id}`);
    assert.ok(reply.status >= 400 && reply.status < 500, `${id}: ${reply.status}`);
    assertEnvelope(reply);
  }
});

/** Sends raw bytes, and closes the sender's side. Returns the reply. */
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
  for (const bytes of truncated) assertRefused(await exchange(bytes), 400, 'unreadable_body');
  assertRefused(await exchange(`${start}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`), 431, 'invalid_body');
  const expecting = `${start}Expect: a miracle\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`;
  assertRefused(await exchange(expecting), 417, 'invalid_body', 'Expect');
  await assertNoEffect('an incomplete request');
});

test('a connection may send a hundred requests in one write, and is closed after many more', async () => {
  const answersTo = async (count: number) => {
    const socket = connect(Number(new URL(world.harness.url).port), '127.0.0.1');
    const last = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    socket.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count - 1) + last);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => socket.destroy());
    await new Promise((resolve) => socket.once('close', resolve));
    // With any status: /readyz is 503 while a busy machine delays the database.
    return (
      Buffer.concat(chunks)
        .toString()
        .split(/HTTP\/1\.1 \d{3} /).length - 1
    );
  };
  assert.equal(await answersTo(101), 101);
  assert.ok((await answersTo(300)) < 101);
});

test('browsers are refused: without a browser session no reply allows a page to use the API', async () => {
  const sessions = new Set(Object.values(OPERATIONS).flat());
  // The path of the search also matches the path of a number. The request itself is refused.
  const isOpen = ({ method, path, name }: Route) =>
    name === 'GET /v1/phone_numbers/available' || sessions.has(`${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
  const origin = { origin: 'https://example.com' };
  const checks = routes.map((route) => ({
    what: route.name,
    run: async () => {
      const headers = { ...origin, 'access-control-request-method': route.method };
      const preflight = await world.harness.call('OPTIONS', pathOf(route, {}), { key: null, headers });
      assert.equal(preflight.status < 400, isOpen(route), `preflight: ${preflight.status}`);
      const replies = [
        ...(isOpen(route) ? [] : [preflight]),
        await send(world, route, {}, { headers: origin, key: null }),
      ];
      const names = replies.flatMap((reply) => [...reply.headers.keys()]);
      assert.deepEqual(
        names.filter((name) => name.startsWith('access-control-')),
        [],
      );
    },
  }));
  await assertAll(checks);
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

test('application/json may have parameters, and a body without a media type is read as JSON', async () => {
  const { key, harness } = world;
  const post = (body: string | Buffer<ArrayBuffer>, type?: string) => {
    const headers = { authorization: `Bearer ${key}`, ...(type !== undefined && { 'content-type': type }) };
    return fetch(`${harness.url}/v1/tenants`, { method: 'POST', headers, body });
  };
  const body = JSON.stringify({ name: 'Typed' });
  for (const type of ['application/json', 'Application/JSON ; charset=utf-8']) {
    assert.equal((await post(body, type)).status, 201, type);
  }
  // No type is sent with bytes.
  assert.equal((await post(Buffer.from(body))).status, 201);
  assert.equal((await post('', 'text/plain')).status, 400);
});
