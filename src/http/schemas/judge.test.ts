import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { openApiDocument } from '../../../scripts/gen-openapi.ts';
import { checkProperty } from '../../../test/support/property.ts';
import { resolveAll } from '../../../test/support/references.ts';
import { isTimeZone } from '../../lib/time/zones.ts';
import type { Document } from '../openapi/types.ts';
import { FIELDS_MAX, Findings } from './findings.ts';
import { compileJudge } from './judge.ts';
import type { Schema } from './schema-types.ts';

function judge(schema: Schema, value: unknown): Findings {
  const findings = new Findings();
  compileJudge(schema)(value, findings);
  return findings;
}

/** An array whose items cannot be read. */
function unreadable(length: number): unknown[] {
  const refuse = () => assert.fail('an item was judged');
  return new Proxy(Array(length).fill(null), {
    get: (target, name) => (name === 'length' ? target.length : refuse()),
  });
}

const document: Document = JSON.parse(await openApiDocument());

test('the items of an array that is too long are not looked at', () => {
  const items: Schema = { type: 'string', maxLength: 5 };
  const schema: Schema = { type: 'array', maxItems: 7, uniqueItems: true, items };
  assert.deepEqual(
    judge(schema, unreadable(8)).failures.map(({ keyword }) => keyword),
    ['maxItems'],
  );
});

test('the values of an object with too many fields are not looked at', () => {
  const fields = Object.fromEntries(
    Array.from({ length: 21 }, (_, index) => [
      `name${index}`,
      { enumerable: true, get: () => assert.fail('a value was judged') },
    ]),
  );
  const schema: Schema = { type: 'object', maxProperties: 20, additionalProperties: { type: 'string', maxLength: 5 } };
  const { failures } = judge(schema, Object.defineProperties({}, fields));
  assert.deepEqual(
    failures.map(({ keyword }) => keyword),
    ['maxProperties'],
  );
});

test('a pattern is not tried on a text that is too long', () => {
  const schema: Schema = { type: 'string', maxLength: 30, pattern: '^(a+)+$' };
  const { failures } = judge(schema, `${'a'.repeat(31)}!`);
  assert.deepEqual(
    failures.map(({ keyword }) => keyword),
    ['maxLength'],
  );
});

test('at most 20 fields of a kind are collected, however many are wrong', () => {
  const item: Schema = {
    type: 'object',
    additionalProperties: false,
    required: ['a'],
    properties: { a: { type: 'string', maxLength: 1 } },
  };
  const schema: Schema = { type: 'array', maxItems: 10_000, items: item };
  const absent = judge(schema, Array(10_000).fill({}));
  const wrong = judge(schema, Array(10_000).fill({ a: 5 }));
  const unknown = judge(schema, [
    { a: 'x', ...Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`n${n}`, n])) },
  ]);
  for (const { failures } of [absent, wrong, unknown]) assert.equal(failures.length, FIELDS_MAX);
  // Each kind of failure has separate room. So the order of kinds in a refusal does not depend on the number of
  // failures.
  const mixed = judge(schema, [...Array(5_000).fill({ a: 5 }), {}]);
  assert.equal(mixed.failures.at(-1)?.keyword, 'required');
});

test('a schema with a keyword that is not judged does not compile', () => {
  assert.throws(() => compileJudge({ type: 'number', multipleOf: 2 } as Schema), /multipleOf/);
});

for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
  test(`a field "${name}" is judged if the value itself has it, and not because every object inherits it`, () => {
    const ofField = (field: Schema): Schema => ({ type: 'object', properties: Object.fromEntries([[name, field]]) });
    const keywords = (schema: Schema, value: unknown) => judge(schema, value).failures.map(({ keyword }) => keyword);
    const text = ofField({ type: 'string' });
    assert.deepEqual(keywords(text, {}), []);
    assert.deepEqual(keywords({ ...text, required: [name] }, {}), ['required']);
    assert.deepEqual(keywords(text, Object.fromEntries([[name, 5]])), ['type']);
    assert.deepEqual(keywords({ ...text, additionalProperties: false }, Object.fromEntries([[name, 'x']])), []);
    assert.deepEqual(keywords({ additionalProperties: false }, Object.fromEntries([[name, 'x']])), [
      'additionalProperties',
    ]);
    assert.deepEqual(keywords({ ...ofField({ const: 'x' }), required: [name] }, {}), ['required']);
    const filled = {};
    assert.deepEqual(keywords(ofField({ type: 'string', default: 'x' }), filled), []);
    assert.deepEqual(Object.entries(filled), [[name, 'x']]);
  });
}

/** The schemas of all request bodies, without keywords that are only for readers. */
const BODIES = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, { requestBody }]) => {
    const schema = resolveAll(document, requestBody?.content['application/json']?.schema);
    const text = JSON.stringify(schema)
      ?.replaceAll('"x-form"', '"form"')
      // The document writes a constant as a list of one value.
      .replaceAll(/"enum":\[("\w+")\]/g, '"const":$1')
      .replaceAll('"oneOf":', '"discriminator":{"propertyName":"type"},"oneOf":');
    return text === undefined ? [] : [{ name: `${method} ${path}`, schema: JSON.parse(text) as Schema }];
  }),
);

/** Generates values that mostly fit a schema. Some of their parts do not. */
function nearly(schema: Schema): fc.Arbitrary<unknown> {
  const right = fitting(schema);
  return fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: WRONG });
}

const WRONG = fc.constantFrom<unknown>(null, '', ' ', 'x', 'x'.repeat(3_000), 0, -1, 1.5, 1e9, true, [], {}, ['x'], {
  a: 1,
});

function fitting(schema: Schema): fc.Arbitrary<unknown> {
  const shapes = schema.anyOf ?? schema.oneOf;
  if (shapes !== undefined) return fc.oneof(...shapes.map(nearly));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  const type = [schema.type].flat()[0];
  if (type === 'integer')
    return fc.integer({ min: (schema.minimum ?? 0) - 1, max: Math.min(schema.maximum ?? 9, 1e6) + 1 });
  if (type === 'number') return fc.double({ min: -1, max: 100 });
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'array')
    return fc.array(nearly(schema.items ?? {}), { maxLength: Math.min(schema.maxItems ?? 3, 10) + 1 });
  if (type === 'object') return fittingObject(schema);
  if (schema.format === 'uri') return fc.webUrl();
  if (schema.format === 'email') return fc.emailAddress();
  if (schema.format !== undefined)
    return fc
      .date({ noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, schema.format === 'date' ? 10 : 30));
  if (schema.pattern !== undefined && !schema.pattern.includes('(?'))
    return fc.stringMatching(new RegExp(schema.pattern, 'u'));
  return fc.string({ unit: 'grapheme', maxLength: 40 });
}

function fittingObject(schema: Schema): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties, propertyNames = {} } = schema;
  if (typeof additionalProperties === 'object') {
    const names = fc.oneof(fitting({ type: 'string', ...propertyNames }) as fc.Arbitrary<string>, fc.string());
    return fc.dictionary(names, nearly(additionalProperties), { maxKeys: 3 });
  }
  const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, nearly(field)]));
  // Sometimes a required field is absent, or there is an unknown field.
  const exact = fc.record(fields, { requiredKeys: [...required] });
  return fc.oneof(
    { weight: 8, arbitrary: exact },
    fc.record(fields, { requiredKeys: [] }),
    exact.map((value) => ({ ...value, typo: 1 })),
  );
}

const ajv = new Ajv({ strict: false, allErrors: true, discriminator: true });
addFormats.default(ajv);
ajv.addFormat('time-zone', isTimeZone);

for (const { name, schema } of BODIES) {
  test(`the body of ${name} is judged as another validator of JSON Schema judges it`, () => {
    const validate = ajv.compile(schema);
    const judgeBody = compileJudge(schema, { fillsDefaults: false });
    checkProperty(
      fc.property(nearly(schema), (value) => {
        const findings = new Findings();
        judgeBody(value, findings);
        assert.equal(findings.isGood, validate(value), JSON.stringify(validate.errors));
      }),
      { runs: 40 },
    );
  });
}
