import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { EVENT_TYPES } from '../../src/domain/events/index.ts';
import { OPERATION_IDS } from '../../src/http/openapi/operation-ids.ts';
import { OPERATION_TEXTS } from '../../src/http/openapi/texts/index.ts';
import type { JsonSchema } from '../../src/http/openapi/types.ts';
import { ERRORS } from '../../src/lib/errors/errors.ts';
import { useHarness } from '../support/harness.ts';
import { document, documentText, posts, resolve, routes } from './document.ts';
import { FIXTURES } from './fixtures.ts';

const harness = await useHarness({ startWorkers: false });

test('openapi.json describes the current routes', async () => {
  const committed = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8');
  assert.ok(committed === documentText, 'openapi.json is not up to date: run npm run gen');
});

test('the schemas of all routes compile', () => harness.app.compileSchemas());

test('an installation serves the same document, with its own address', async () => {
  const { status, body } = await harness.call('GET', '/v1/openapi.json', { key: null });
  assert.equal(status, 200);
  assert.deepEqual(body, { ...document, servers: [{ url: harness.context.settings.publicUrl }] });
});

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  assert.ok(valid, JSON.stringify(errors, null, 2));
  assert.equal(validator.version, '3.1');
});

test('every operation has a unique name in the form of a function name', () => {
  const ids = [
    ...routes.map(({ operation }) => operation.operationId as string),
    ...Object.values(document.webhooks ?? {}).map((item) => item['post']?.operationId as string),
  ];
  for (const id of ids) assert.match(id, /^[a-z][A-Za-z0-9]+$/);
  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
  );
});

test('every operation has a description with the key that it needs, the errors and the events', () => {
  for (const { name, operation, accountOnly, testOnly, isPublic } of routes) {
    const { description = '', 'x-error-codes': codes = [] } = operation;
    assert.ok(description.split('\n\n').length >= 2, name);
    assert.match(description, /^[A-Z][^\n]{10,}\.\n\nNeeds /, name);
    assert.equal(description.includes('Needs no key.'), isPublic, name);
    assert.equal(/Needs a( test)? key of the account; /.test(description), accountOnly, name);
    assert.equal(description.includes('Needs a test key'), testOnly, name);
    for (const code of codes) {
      assert.ok(code in ERRORS, `${name}: ${code}`);
      const text = `${description}${(document['info'] as { description: string }).description}`;
      assert.ok(text.includes(`\`${code}\``), `${name}: ${code}`);
    }
  }
});

test('every file names the code of a range beyond its end, with the status that it has', () => {
  const files = routes.filter(({ operation }) => Object.hasOwn(operation.responses, '416'));
  assert.ok(files.length >= 4);
  for (const { name, operation } of files) {
    assert.ok(operation['x-error-codes']?.includes('invalid_range'), name);
    assert.match(operation.description ?? '', /; 416 `invalid_range`/, name);
  }
});

test('every text is about an operation, and promises events that exist', () => {
  const ids = routes.map(({ operation }) => operation.operationId);
  for (const [id, { events = [] }] of Object.entries(OPERATION_TEXTS)) {
    assert.ok(ids.includes(id), id);
    for (const type of events) assert.ok(EVENT_TYPES.includes(type as never), `${id}: ${type}`);
  }
});

test('every listed name belongs to an operation', () => {
  const names = routes.map(({ name }) => name.replace(' /v1', ' '));
  assert.deepEqual(
    Object.keys(OPERATION_IDS).filter((name) => !names.includes(name)),
    [],
  );
});

test('every JSON body of a request or a reply is a named schema', () => {
  const inline = routes.flatMap(({ name, operation }) =>
    [operation.requestBody, ...Object.values(operation.responses)].flatMap((body) => {
      const { schema } =
        (body as { content?: Record<string, { schema: object }> })?.content?.['application/json'] ?? {};
      return schema === undefined || '$ref' in schema ? [] : [name];
    }),
  );
  assert.deepEqual(inline, []);
});

test('an event of each type has a schema, and its data is a resource', () => {
  const schemas = document.components['schemas'] as Record<string, Record<string, unknown>>;
  const { oneOf, discriminator } = schemas['Event'] as {
    oneOf: object[];
    discriminator: { propertyName: string; mapping: Record<string, string> };
  };
  assert.equal(discriminator.propertyName, 'type');
  assert.deepEqual(Object.keys(discriminator.mapping), EVENT_TYPES);
  for (const [index, [type, $ref]] of Object.entries(discriminator.mapping).entries()) {
    assert.deepEqual(oneOf[index], { $ref });
    const { required, properties } = resolve({ $ref }) as { required: string[]; properties: Record<string, object> };
    assert.ok(required.includes('type') && required.includes('data'), type);
    assert.deepEqual(properties['type'], { type: 'string', enum: [type] });
    assert.ok('object' in (resolve(properties['data'] as object) as { properties: object }).properties, type);
  }
});

test('every length of time and of data says its unit', () => {
  const silent: string[] = [];
  const walk = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      const measures = /(^|_)(seconds|ms|bytes|usd)$/.test(name) && path.endsWith('/properties');
      if (measures && !JSON.stringify(inner).includes('"description":')) silent.push(`${path}/${name}`);
      walk(inner, `${path}/${name}`);
    }
  };
  walk(document.components['schemas'], '');
  assert.deepEqual(silent, []);
});

test('every list of values has the type of the values', () => {
  const untyped: string[] = [];
  const walk = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray((value as { enum?: unknown }).enum) && !('type' in value)) untyped.push(path);
    for (const [name, inner] of Object.entries(value)) walk(inner, `${path}/${name}`);
  };
  walk(document, '');
  assert.deepEqual(untyped, []);
});

test('every pattern in the document has its form in words', () => {
  const wordless: string[] = [];
  const walk = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return;
    if (typeof (value as JsonSchema)['pattern'] === 'string' && !('x-form' in value)) wordless.push(path);
    for (const [name, inner] of Object.entries(value)) walk(inner, `${path}/${name}`);
  };
  walk(document.paths, '');
  assert.deepEqual(wordless, []);
});

test('every operation has a summary and a tag with a description', () => {
  for (const { name, operation } of routes) {
    assert.ok((operation.summary ?? '').length > 5, name);
    assert.equal(operation.tags?.length, 1, name);
  }
  assert.deepEqual(
    document.tags?.filter(({ description }) => description === ''),
    [],
  );
});

test('every POST takes an Idempotency-Key, and no other operation does', () => {
  for (const route of routes) {
    const takes = route.parameters.some(({ name, in: place }) => place === 'header' && name === 'Idempotency-Key');
    assert.equal(takes, posts.includes(route), route.name);
  }
});

test('every operation describes its success and refers to one error', () => {
  for (const { name, operation } of routes) {
    const successes = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
    assert.equal(successes.filter((status) => status !== '206').length, 1, name);
    assert.deepEqual(operation.responses['default'], { $ref: '#/components/responses/Error' }, name);
  }
});

test('every event type is described as a webhook', () => {
  assert.deepEqual(Object.keys(document.webhooks ?? {}), EVENT_TYPES);
});

test('every route has a fixture, and every fixture a route', () => {
  assert.deepEqual(Object.keys(FIXTURES).sort(), routes.map(({ name }) => name).sort());
});
