/** Successful replies match their schemas and name each object. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { ERRORS } from '../../src/lib/errors.ts';
import type { Json } from '../support/events.ts';
import { document, keyedRoutes, type Route, resolve, routes } from './document.ts';
import { fixtureOf } from './fixtures.ts';
import { assertProtected, succeed } from './requests.ts';
import { useWorlds } from './world.ts';

const { home: world } = await useWorlds();

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'document', ...document } as object);

type Success = { status: string; reply: { content?: Record<string, { schema: object }> } };

/** The last status: of several, it is that of a creation. */
function successOf({ operation }: Route): Success {
  const [status, reply] = Object.entries(operation.responses).findLast(([code]) => code.startsWith('2')) as [
    string,
    object,
  ];
  return { status, reply: resolve(reply) as Success['reply'] };
}

/** Fails unless the value matches the schema, without further fields at its top level. */
function assertMatches(schema: object, value: Json): void {
  const fields = Object.keys(value);
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));
  const validate = ajv.compile(absolute);
  assert.ok(validate(value), `${JSON.stringify(validate.errors)}\n${JSON.stringify(value)}`);
  const { properties } = resolve(schema) as { properties?: object };
  if (properties === undefined) return;
  assert.deepEqual(
    fields.filter((name) => !(name in properties)),
    [],
    'a field that the document does not describe',
  );
}

for (const route of keyedRoutes) {
  test(`${route.name} replies by its schema`, async () => {
    const { status, reply: described } = successOf(route);
    // Lists with something in them.
    await fixtureOf(route).row?.(world);
    const reply = await succeed(world, route);
    assert.equal(String(reply.status), status);
    assert.match(reply.headers.get('request-id') ?? '', /^req_/);
    const schema = described.content?.['application/json']?.schema;
    if (described.content?.['audio/wav'] !== undefined) {
      assert.equal(reply.headers.get('content-type'), 'audio/wav');
      assert.ok(Number(reply.headers.get('content-length')) > 44);
      return;
    }
    if (described.content?.['*/*'] !== undefined) {
      assert.match(reply.headers.get('content-disposition') ?? '', /^attachment; /);
      return;
    }
    if (schema === undefined) {
      assert.equal(status, '204');
      assert.equal(reply.body, '');
      return;
    }
    assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
    assertProtected(reply.headers);
    assertMatches(schema, reply.body);
    if (fixtureOf(route).row !== undefined) assert.ok(reply.body.data.length > 0, 'an empty list proves nothing');
  });
}

/** Replies that are no resource; the contract fixes their shape. */
const ANSWERS = [
  'POST /v1/messages/check',
  'POST /v1/campaigns/check',
  'POST /v1/routing_configs/{routing_config_id}/evaluate',
  'POST /v1/webhook_endpoints/{endpoint_id}/test',
  'POST /v1/calls/{call_id}/dtmf',
  'POST /v1/calls/{call_id}/gather',
  'POST /v1/calls/{call_id}/speak',
  'POST /v1/calls/{call_id}/speak/stop',
  'POST /v1/calls/{call_id}/transcription',
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
    const page = await world.harness.call('GET', `/docs/errors/${code}`, { key: null });
    assert.equal(page.status, 200, code);
    assert.ok(page.body.includes(code));
  }
  assert.equal((await world.harness.call('GET', '/docs/errors/no_such_code', { key: null })).status, 404);
});

test('docs_url of a refusal leads to the page of its code', async () => {
  const { body } = await world.harness.call('GET', '/v1/tenants/none');
  const { pathname, origin } = new URL(body.error.docs_url);
  assert.equal(origin, world.harness.context.settings.publicUrl);
  assert.equal((await world.harness.call('GET', pathname, { key: null })).status, 200);
});

test('every described 2xx is tested', () => {
  assert.equal(routes.filter((route) => fixtureOf(route) === undefined).length, 0);
});
