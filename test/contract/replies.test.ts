/**
 * Successful replies match their schemas and name each object. Each operation gets the request in the example of the
 * OpenAPI document, and returns the reply in that example.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { env } from 'node:process';
import { test } from 'node:test';
import { EXAMPLES } from '../../src/http/openapi/examples.ts';
import { ERRORS } from '../../src/lib/errors/errors.ts';
import { createCaller } from '../support/caller.ts';
import type { Json } from '../support/events.ts';
import type { Reply } from '../support/harness.ts';
import { document, keyedRoutes, type Route, resolve, routes } from './document.ts';
import { type Example, recordExample } from './examples/record.ts';
import { fixtureOf } from './fixtures.ts';
import { assertProtected } from './requests.ts';
import { createSchemaCheck } from './schema-check.ts';
import { useWorlds } from './world.ts';

const FILE = new URL('../../src/http/openapi/examples.json', import.meta.url);
const isRecording = env['DIALPLANE_WRITE_EXAMPLES'] === '1';

const worlds = await useWorlds();
const { home, harness } = worlds;
const callOverSocket = createCaller(harness.url, home.key);
await home.must('PATCH', `/v1/tenants/${home.tenantId}`, { name: 'Desert Dental' });

const checkSchema = createSchemaCheck(document);

type Success = { status: string; reply: { content?: Record<string, { schema: object }> } };

/** The last status of a complete reply. If there are several, the last one is the status of a creation. */
function successOf({ operation }: Route): Success {
  const [status, reply] = Object.entries(operation.responses).findLast(([code]) => /^20[0-4]$/.test(code)) as [
    string,
    object,
  ];
  return { status, reply: resolve(reply) as Success['reply'] };
}

/** Fails unless the value matches the schema and has no other fields at its top level. */
function assertMatches(schema: object, value: Json): void {
  checkSchema(schema, value, 'the reply');
  const { properties } = resolve(schema) as { properties?: object };
  if (properties === undefined) return;
  assert.deepEqual(
    Object.keys(value).filter((name) => !(name in properties)),
    [],
    'a field that the document does not describe',
  );
}

/** Fails unless the reply is as the document describes the success of the route. */
function assertDescribed(route: Route, { status, headers, body }: Reply): void {
  const { status: expected, reply: described } = successOf(route);
  assert.equal(String(status), expected, JSON.stringify(body));
  assert.match(headers.get('request-id') ?? '', /^req_/);
  if (described.content?.['audio/wav'] !== undefined) {
    assert.equal(headers.get('content-type'), 'audio/wav');
    assert.ok(Number(headers.get('content-length')) > 44);
    return;
  }
  if (described.content?.['*/*'] !== undefined) {
    assert.match(headers.get('content-disposition') ?? '', /^attachment; /);
    return;
  }
  const schema = described.content?.['application/json']?.schema;
  if (schema === undefined) {
    assert.equal(expected, '204');
    assert.equal(body, '');
    return;
  }
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  assertProtected(headers);
  assertMatches(schema, body);
  if (fixtureOf(route).row !== undefined) assert.ok(body.data.length > 0, 'an empty list proves nothing');
}

/** The names and types in a value. Only the first item of a list counts. */
function shapeOf(value: Json): Json {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

const committed: Record<string, Json> = EXAMPLES;
const recorded: Record<string, Example> = {};

for (const route of routes) {
  test(`${route.name} replies by its schema, and as in its example`, async () => {
    const id = route.operation.operationId as string;
    // Makes an item first, so that a list is not empty.
    await fixtureOf(route).row?.(home);
    const { example, reply } = await recordExample(worlds, route, callOverSocket);
    if (!route.isPublic) assertDescribed(route, reply);
    recorded[id] = example;
    const shape = shapeOf(isRecording ? example : committed[id]);
    assert.deepEqual(shape, shapeOf(example), 'examples are not up to date: npm run gen:examples');
  });
}

test('every operation has an example', async () => {
  const ids = routes.map(({ operation }) => operation.operationId);
  assert.deepEqual(Object.keys(isRecording ? recorded : committed), ids);
  if (isRecording) await writeFile(FILE, `${JSON.stringify(recorded, null, 2)}\n`);
});

test('every example fits its schema', () => {
  for (const { name, operation } of routes) {
    for (const body of [operation.requestBody, ...Object.values(operation.responses)]) {
      const { schema, example } = (body as Json)?.content?.['application/json'] ?? {};
      if (example !== undefined) checkSchema(schema, example, name);
    }
  }
});

/** Replies that are not resources. The contract decides their shape. */
const ANSWERS = [
  'POST /v1/messages/check',
  'POST /v1/calls/check',
  'POST /v1/campaigns/check',
  'POST /v1/routing_configs/{routing_config_id}/evaluate',
  'POST /v1/webhook_endpoints/{endpoint_id}/test',
  'POST /v1/calls/{call_id}/dtmf',
  'POST /v1/calls/{call_id}/gather',
  'POST /v1/calls/{call_id}/speak',
  'POST /v1/calls/{call_id}/speak/stop',
  'POST /v1/calls/{call_id}/transcription',
  'POST /v1/calls/{call_id}/recording',
];

type Shape = { properties: Record<string, Json> };

/** The shapes that a value of the schema may have. */
function shapesOf(schema: object): Shape[] {
  const { anyOf, oneOf } = resolve(schema) as { anyOf?: object[]; oneOf?: object[] };
  return (anyOf ?? oneOf ?? [schema]).map((shape) => resolve(shape) as Shape);
}

test('every object in a reply names its kind', () => {
  for (const route of keyedRoutes) {
    const schema = successOf(route).reply.content?.['application/json']?.schema;
    if (schema === undefined || ANSWERS.includes(route.name)) continue;
    const shapes = shapesOf(schema);
    if (shapes.every(({ properties }) => properties['object'] !== undefined)) continue;
    const [{ properties } = assert.fail(route.name)] = shapes;
    if (properties['data'] === undefined || properties['has_more'] === undefined) {
      const isList = properties['data']?.type === 'array' && Object.keys(properties).length === 1;
      assert.ok(isList, route.name);
      continue;
    }
    for (const item of shapesOf(properties['data'].items)) assert.ok('object' in item.properties, route.name);
  }
});

test('a resource has the same fields in every reply', () => {
  for (const [name, schema] of Object.entries(document.components['schemas'] as Record<string, Json>)) {
    if (name === 'Error' || schema.properties?.object === undefined) continue;
    assert.ok(schema.required.includes('object'), name);
  }
});

test('the page of every error opens, and other codes have none', async () => {
  for (const code of Object.keys(ERRORS)) {
    const page = await harness.call('GET', `/docs/errors/${code}`, { key: null });
    assert.equal(page.status, 200, code);
    assert.ok(page.body.includes(code));
  }
  assert.equal((await harness.call('GET', '/docs/errors/no_such_code', { key: null })).status, 404);
});

test('docs_url of a refusal leads to the page of its code', async () => {
  const { body } = await harness.call('GET', '/v1/tenants/none');
  const { docs_url: address } = body.error;
  const { publicUrl } = harness.context.settings;
  assert.ok(address.startsWith(`${publicUrl}/`), address);
  assert.equal((await harness.call('GET', address.slice(publicUrl.length), { key: null })).status, 200);
});

test('every described 2xx is tested', () => {
  assert.equal(routes.filter((route) => fixtureOf(route) === undefined).length, 0);
});
