import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import fc from 'fast-check';
import { character, checkProperty } from '../../../test/support/property.ts';
import type { Schema } from './schema-types.ts';
import { compileWriter } from './writer.ts';

const object = (properties: Record<string, Schema>, more: Schema = {}): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  ...more,
});

/** Names that `value[name]` finds in every object. */
const INHERITED = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];

describe('a reply', () => {
  test('has the fields of its schema alone, at every depth', () => {
    const write = compileWriter(object({ a: { type: 'array', items: object({ b: { type: 'string' } }) } }));
    assert.equal(write({ a: [{ b: 'x', secret: 1 }], secret: 2 }), '{"a":[{"b":"x"}]}');
  });

  test('without a field that its schema requires is an error, also within a list', () => {
    const write = compileWriter({ type: 'array', items: object({ b: { type: 'string' } }) });
    assert.throws(() => write([{}]), /"b" is missing/);
  });

  test('leaves out optional fields that are undefined, wherever they stand', () => {
    const fields = { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string' } } as const;
    const write = compileWriter({ type: 'object', properties: fields });
    assert.equal(write({}), '{}');
    assert.equal(write({ c: '3' }), '{"c":"3"}');
    assert.equal(write({ a: '1', b: undefined, c: '3' }), '{"a":"1","c":"3"}');
  });

  test('is written by the shape that its tag names', () => {
    const shapes = [object({ type: { const: 'x' }, x: { type: 'integer' } }), object({ type: { const: 'y' } })];
    const write = compileWriter({ anyOf: [...shapes, { type: 'null' }] });
    assert.equal(write({ type: 'x', x: 1, y: 2 }), '{"type":"x","x":1}');
    assert.equal(write({ type: 'y', x: 1, y: 2 }), '{"type":"y"}');
    assert.equal(write(null), 'null');
    assert.throws(() => write({ type: 'z' }), /none of its shapes/);
  });

  test('keeps names of any form in an object that takes them', () => {
    const write = compileWriter({ type: 'object', additionalProperties: { type: 'string' } });
    const fields = JSON.parse('{"__proto__":"a","\\"\\n":"b","constructor":"c"}');
    assert.deepEqual(JSON.parse(write(fields)), fields);
    assert.ok(Object.hasOwn(JSON.parse(write(fields)), '__proto__'));
  });

  test('has an object of any fields as it is, and nothing else in its place', () => {
    const write = compileWriter({ type: 'object', properties: {}, additionalProperties: true });
    const fields = JSON.parse('{"__proto__":"a","b":{"c":[1,null]},"d":"\\ud800"}');
    assert.equal(write({ ...fields, e: undefined }), JSON.stringify(fields));
    for (const value of [null, [1], 'text', new Date(0), undefined]) assert.throws(() => write(value), /object/);
  });

  for (const name of INHERITED) {
    test(`has a field "${name}" if the value itself has it, and not because every object inherits it`, () => {
      const schema = { type: 'object', properties: Object.fromEntries([[name, { type: 'string' }]]) } as const;
      const own = Object.fromEntries([[name, 'x']]);
      assert.equal(compileWriter(schema)({}), '{}');
      assert.equal(compileWriter(schema)(own), `{"${name}":"x"}`);
      const required = compileWriter({ ...schema, required: [name] });
      assert.throws(() => required({}), new RegExp(`"${name}" is missing`));
      assert.equal(required(own), `{"${name}":"x"}`);
    });
  }

  test('with a number that JSON does not have is an error', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 'three', undefined]) {
      assert.throws(() => compileWriter({ type: 'number' })(value), /not a number/);
    }
  });

  test('has no schema of a kind that cannot be written', () => {
    assert.throws(() => compileWriter({ type: 'text' }), /"text"/);
    assert.throws(() => compileWriter({ type: ['string', 'integer'] }), /one type/);
    assert.throws(() => compileWriter({ oneOf: [] }), /oneOf/);
  });
});

type Case = { readonly schema: Schema; readonly value: unknown };

const text = fc.string({ unit: character, maxLength: 60 });
const moment = fc.date({ noInvalidDate: true });

/** Generates a schema of a kind that replies use, and a value that fits it. */
const { cases } = fc.letrec<{ cases: Case; leaf: Case }>((tie) => ({
  leaf: fc.oneof(
    text.map((value) => ({ schema: { type: 'string' }, value })),
    moment.map((value) => ({ schema: { type: 'string', format: 'date-time' }, value })),
    fc.option(moment).map((value) => ({ schema: { type: ['string', 'null'], format: 'date-time' }, value })),
    fc.integer().map((value) => ({ schema: { type: 'integer' }, value })),
    fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => ({ schema: { type: 'number' }, value })),
    fc.boolean().map((value) => ({ schema: { type: 'boolean' }, value })),
    text.map((value) => ({ schema: { type: 'string', const: value }, value })),
    text.map((value) => ({ schema: { enum: ['x', value] }, value })),
    fc.option(text).map((value) => ({ schema: { anyOf: [{ type: 'string' }, { type: 'null' }] }, value })),
  ),
  cases: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie('leaf'),
    fc.array(tie('cases'), { maxLength: 1 }).map(([item]) => ({
      schema: { type: 'array', items: item?.schema ?? { type: 'string' } },
      value: item === undefined ? [] : [item.value, item.value],
    })),
    fc
      .dictionary(fc.string({ unit: character, minLength: 1 }), fc.tuple(tie('cases'), fc.boolean(), fc.boolean()), {
        noNullPrototype: true,
        maxKeys: 6,
      })
      .map(describeObject),
  ),
}));

function describeObject(fields: Record<string, [Case, boolean, boolean]>): Case {
  const entries = Object.entries(fields);
  const required = entries.filter(([, [, isRequired]]) => isRequired).map(([name]) => name);
  const present = entries.filter(([name, [, , isPresent]]) => isPresent || required.includes(name));
  return {
    schema: {
      type: 'object',
      ...(required.length > 0 && { required }),
      properties: Object.fromEntries(entries.map(([name, [{ schema }]]) => [name, schema])),
    },
    value: { unnamed: 1, ...Object.fromEntries(present.map(([name, [{ value }]]) => [name, value])) },
  };
}

/** Copies a value so that its objects inherit nothing, because Fastify's serializer also reads inherited fields. */
function withoutInherited(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutInherited);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, withoutInherited(field)]);
  return Object.setPrototypeOf(Object.fromEntries(fields), null);
}

test('replies are written as the serializer of Fastify writes them', () => {
  const compile = SerializerSelector()({}, {});
  checkProperty(
    fc.property(cases, ({ schema, value }) => {
      const write = compile({ schema, method: 'GET', url: '/', httpStatus: '200' });
      assert.equal(compileWriter(schema)(value), write(withoutInherited(value)));
    }),
    // A field with the name `constructor`.
    { runs: 100, seeds: [{ seed: 1547537840, path: '47:108' }] },
  );
});
