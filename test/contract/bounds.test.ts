/** The bounds of the work that one request can cause. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiDocuments } from '../../scripts/gen-openapi.ts';
import { ATTEMPTS_MAX } from '../../src/domain/messaging/messages/schema.ts';
import type { JsonSchema } from '../../src/http/openapi/types.ts';
import { ID_CHARS_MAX } from '../../src/http/schemas/schemas.ts';
import { bodyBytesMax, resolve, routes } from './document.ts';

/** Returns the places in the schema that allow a value of any size. */
function unboundedPlaces(schema: JsonSchema, place: string): string[] {
  const shapes = [...asSchemas(schema['anyOf']), ...asSchemas(schema['oneOf'])];
  const within = shapes.flatMap((shape, index) => unboundedPlaces(shape, `${place}(${index})`));
  const inFields = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).flatMap(([name, field]) =>
    unboundedPlaces(field, `${place}.${name}`),
  );
  const { items, additionalProperties: others } = schema as { items?: JsonSchema; additionalProperties?: unknown };
  const inItems = items === undefined ? [] : unboundedPlaces(items, `${place}[]`);
  const inOthers = isSchema(others) ? unboundedPlaces(others, `${place}.*`) : [];
  const own = isBounded(schema, shapes.length > 0) ? [] : [place];
  return [...own, ...within, ...inFields, ...inItems, ...inOthers];
}

function isBounded(schema: JsonSchema, hasShapes: boolean): boolean {
  if (schema['enum'] !== undefined || schema['const'] !== undefined) return true;
  const types = [schema['type'] ?? []].flat() as string[];
  if (types.length === 0) return hasShapes;
  return types.every((type) => {
    if (type === 'string') return schema['maxLength'] !== undefined;
    if (type === 'array') return schema['maxItems'] !== undefined && isSchema(schema['items']);
    if (type !== 'object') return true;
    return hasShapes || schema['additionalProperties'] === false || isBoundedMap(schema);
  });
}

function isBoundedMap({ maxProperties, propertyNames, additionalProperties }: JsonSchema): boolean {
  const names = propertyNames as JsonSchema | undefined;
  return maxProperties !== undefined && names?.['maxLength'] !== undefined && isSchema(additionalProperties);
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}

function asSchemas(value: unknown): readonly JsonSchema[] {
  return (value ?? []) as readonly JsonSchema[];
}

test('every text, list and object of a request has a bound', () => {
  const places = routes.flatMap((route) => [
    ...route.parameters.flatMap(({ name, schema }) => unboundedPlaces(schema, `${route.name} ?${name}`)),
    ...(route.body === undefined ? [] : unboundedPlaces(route.body, route.name)),
  ]);
  assert.deepEqual(places, []);
});

/** Lists whose page is a page of tenants, with an item for each kind of usage of each tenant. */
const GROUPED = new Set(['GET /v1/usage']);

/** Returns the places where a list of a document has no bound. */
function unboundedLists(value: unknown, place: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => unboundedLists(item, `${place}/${index}`));
  if (!isSchema(value)) return [];
  const isList = [value['type']].flat().includes('array') && value['maxItems'] === undefined;
  const within = Object.entries(value).filter(([name]) => name !== 'example' && name !== 'examples');
  return [...(isList ? [place] : []), ...within.flatMap(([name, each]) => unboundedLists(each, `${place}/${name}`))];
}

test('every list of a request, a reply and an event has a bound, in both documents', async () => {
  const { publicApi, operatorApi } = await openApiDocuments();
  assert.deepEqual(unboundedLists(JSON.parse(publicApi), 'openapi.json'), []);
  assert.deepEqual(unboundedLists(JSON.parse(operatorApi), 'openapi-operator.json'), []);
});

test('every page of a list has at most 100 rows', () => {
  for (const { name, operation } of routes) {
    const reply = resolve(operation.responses['200'] ?? {}) as { content?: Record<string, { schema: JsonSchema }> };
    const { schema = {} } = reply.content?.['application/json'] ?? {};
    const { data, has_more } = ((resolve(schema) as JsonSchema)['properties'] ?? {}) as Record<string, JsonSchema>;
    if (has_more !== undefined && !GROUPED.has(name)) assert.equal(data?.['maxItems'], 100, name);
  }
});

test('the attempts of a message have the bound of what is stored', () => {
  const route = routes.find(({ name }) => name === 'GET /v1/messages/{message_id}/attempts') ?? assert.fail();
  const reply = resolve(route.operation.responses['200'] ?? {}) as { content: Record<string, { schema: JsonSchema }> };
  const { properties } = resolve(reply.content['application/json']?.schema ?? {}) as JsonSchema;
  assert.equal((properties as Record<string, JsonSchema>)['data']?.['maxItems'], ATTEMPTS_MAX);
});

/** The size in bytes of the largest value that the schema allows, in UTF-8 and without escapes. */
function bytesOf(schema: JsonSchema): number {
  const shapes = [...asSchemas(schema['anyOf']), ...asSchemas(schema['oneOf'])];
  if (shapes.length > 0) return Math.max(...shapes.map(bytesOf));
  const values = (schema['enum'] ?? [schema['const'] ?? null]) as unknown[];
  const types = [schema['type'] ?? 'string'].flat() as string[];
  const entries = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const fields = entries.map(([name, field]) => name.length + 4 + bytesOf(field));
  if (types.includes('array')) return 2 + Number(schema['maxItems']) * (bytesOf(schema['items'] as JsonSchema) + 1);
  if (types.includes('object')) return 2 + fields.reduce((sum, bytes) => sum + bytes, 0) + mapBytes(schema);
  if (!types.includes('string') || schema['maxLength'] === undefined) {
    return Math.max(20, ...values.map((value) => JSON.stringify(value).length));
  }
  if (schema['maxLength'] === ID_CHARS_MAX) return 50;
  // Only texts of a free form have characters of more than a byte.
  const isFree = schema['format'] === undefined && /^text|^undefined/.test(String(schema['x-form']));
  return 2 + Number(schema['maxLength']) * (isFree ? 4 : 1);
}

function mapBytes({ maxProperties, propertyNames, additionalProperties }: JsonSchema): number {
  // The limit of the body bounds nested menus: a longer body is refused, whatever it contains.
  if (maxProperties === undefined || 'oneOf' in (additionalProperties as JsonSchema)) return 0;
  return (
    Number(maxProperties) * (bytesOf(propertyNames as JsonSchema) + bytesOf(additionalProperties as JsonSchema) + 2)
  );
}

test('the longest valid body of every operation is within its limit', () => {
  for (const route of routes) {
    if (route.body === undefined) continue;
    const bytes = bytesOf({ type: 'object', ...route.body });
    assert.ok(bytes <= bodyBytesMax(route), `${route.name}: ${bytes} bytes`);
  }
});
