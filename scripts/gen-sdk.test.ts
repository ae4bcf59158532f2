import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sdkResources } from './gen-sdk.ts';
import type { Document, Schema } from './sdk/document.ts';
import { methodName } from './sdk/names.ts';
import { methodsOf } from './sdk/operations.ts';
import { declaration, typeOf } from './sdk/types.ts';

const names: [string, string, string][] = [
  ['listPhoneNumbers', 'Phone numbers', 'phoneNumbers.list'],
  ['searchAvailableNumbers', 'Phone numbers', 'phoneNumbers.searchAvailable'],
  ['sendMessage', 'Messages', 'messages.send'],
  ['listE911Addresses', 'E911 addresses', 'e911Addresses.list'],
  ['createWebClientToken', 'Web clients', 'webClients.createToken'],
  ['hangUpCall', 'Calls', 'calls.hangUp'],
  ['createApiKey', 'API keys', 'apiKeys.create'],
  ['placeCall', 'Calls', 'calls.create'],
  ['advanceTestClock', 'Test mode', 'test.advanceClock'],
];
for (const [operationId, tag, name] of names) {
  test(`${operationId} is ${name}`, () => {
    const { group, method } = methodName(operationId, tag);
    assert.equal(`${group}.${method}`, name);
  });
}

const types: [string, Schema, string][] = [
  ['null beside a type', { type: ['string', 'null'] }, 'string | null'],
  ['alternatives', { anyOf: [{ enum: ['a', 'b'] }, { type: 'null' }] }, "'a' | 'b' | null"],
  ['alternatives in a list', { type: 'array', items: { enum: ['a', 'b'] } }, "('a' | 'b')[]"],
  ['values that may be added', { type: 'string', 'x-extensible-enum': ['a'] }, "'a' | (string & {})"],
  ['a map', { type: 'object', additionalProperties: { type: 'integer' } }, 'Record<string, number>'],
  ['a component', { $ref: '#/components/schemas/Call' }, 'Call'],
  [
    'a part added to a component',
    { allOf: [{ $ref: '#/components/schemas/Call' }, { type: 'object', properties: { at: { const: 1 } } }] },
    'Call & {\n  at?: 1;\n}',
  ],
  ['nothing that is known', {}, 'unknown'],
];
for (const [what, schema, type] of types) {
  test(`${what} is ${JSON.stringify(type)}`, () => assert.equal(typeOf(schema, 'reply'), type));
}

test('an optional field of a request may be undefined, one of a reply may not', () => {
  const schema: Schema = { type: 'object', properties: { a: { type: 'string', description: 'Text' } } };
  const body = (type: string) => `export interface A {\n  /** Text */\n  a?: ${type};\n}\n`;
  assert.equal(declaration('A', schema, 'request'), body('string | undefined'));
  assert.equal(declaration('A', schema, 'reply'), body('string'));
});

test('a type that is not known is refused', () => {
  assert.throws(() => typeOf({ type: 'decimal' }, 'reply'), /the type decimal/);
});

const PAGE: Schema = {
  type: 'object',
  properties: {
    data: { type: 'array', items: { $ref: '#/components/schemas/Cat' } },
    has_more: { type: 'boolean' },
    next_cursor: { type: ['string', 'null'] },
  },
};

function documentOf(reply: Schema, operationId = 'listCats'): Document {
  const operation = {
    operationId,
    summary: 'Read cats',
    tags: ['Cats'] as const,
    parameters: [],
    responses: { 200: { content: { 'application/json': { schema: reply } } } },
  };
  return {
    tags: [{ name: 'Cats', description: 'Animals.' }],
    paths: { '/v1/cats': { get: operation }, '/v1/other_cats': { get: { ...operation, operationId: 'listOther' } } },
    webhooks: {},
    components: { schemas: { Cat: { type: 'object' }, CatPage: PAGE } },
  };
}

test('a list is read page by page, also if its page has a name in the document', () => {
  for (const reply of [PAGE, { $ref: '#/components/schemas/CatPage' }]) {
    const [method] = methodsOf(documentOf(reply));
    assert.deepEqual(method?.reply, { kind: 'page', type: { name: 'Cat' } });
    const code = sdkResources(JSON.stringify(documentOf(reply)));
    assert.match(code, /\/\*\* Animals\. \*\/\nexport class CatsResource {/);
    assert.match(
      code,
      /list\(options\?: RequestOptions\): Pages<Cat> {\n {4}return this\.#api\.page\('\/v1\/cats', { options }\);/,
    );
  }
});

test('two operations of one name are refused', () => {
  assert.throws(() => methodsOf(documentOf(PAGE, 'listOtherCats')), /two operations are called cats\.listOther/);
});
