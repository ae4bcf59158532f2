/** Requests with wrong bodies and wrong fields, from a valid request. */
import assert from 'node:assert/strict';
import type { JsonSchema } from '../../src/http/openapi/types.ts';
import type { Json } from '../support/events.ts';
import type { Reply } from '../support/harness.ts';
import { bodyBytesMax, queryNames, type Route, takesBody } from './document.ts';
import type { Request } from './fixture.ts';
import { fixtureOf } from './fixtures.ts';
import { type Attempt, assertEnvelope, assertRefused, refusedWith } from './requests.ts';

const takesJson = (route: Route) => takesBody(route) && !route.takesFile;

function withText(what: string, request: Request, body: string): Pick<Attempt, 'what' | 'request' | 'options'> {
  return { what, request, options: { body } };
}

/** A text, a number, a word or a list in place of an object, and texts that are not JSON. */
export function noObjects(route: Route, request: Request): Attempt[] {
  if (!takesJson(route)) return [];
  const send = (body: string) => withText(`with the body ${JSON.stringify(body)}`, request, body);
  return [
    ...['[]', '"text"', '1', 'true', 'null'].map((body) => ({
      ...send(body),
      check: refusedWith(400, 'invalid_body'),
    })),
    ...['{', '{"a":}', 'name=x', '{"a":1}}', '\u0000'].map((body) => ({
      ...send(body),
      check: refusedWith(400, 'invalid_json'),
    })),
  ];
}

/** A field that the route does not have. A field with the name `__proto__` is not special. */
export function unknownFields(route: Route, request: Request): Attempt[] {
  if (!takesJson(route)) return [];
  const fields = Object.entries(request.body ?? {}).map(([name, value]) => `"${name}":${JSON.stringify(value)}`);
  return ['typo', '__proto__'].flatMap((name) =>
    ['1', '{"a":1}'].map((value) => ({
      ...withText(`with the field "${name}": ${value}`, request, `{${[`"${name}":${value}`, ...fields].join()}}`),
      check: refusedWith(400, 'invalid_body', name),
    })),
  );
}

export function longBodies(route: Route, request: Request): Attempt[] {
  if (!takesBody(route)) return [];
  const body = JSON.stringify({ name: 'x'.repeat(bodyBytesMax(route)) });
  return [{ ...withText('with a body over its limit', request, body), check: refusedWith(413, 'unreadable_body') }];
}

const OTHER_TYPES = ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'json', '/json'];

export function mediaTypes(route: Route, request: Request): Attempt[] {
  if (!takesJson(route)) return [];
  return OTHER_TYPES.map((type) => ({
    what: `with a body of the type ${type}`,
    request,
    options: { body: request.body ?? {}, headers: { 'content-type': type } },
    check: refusedWith(415, 'unsupported_media_type', 'Content-Type'),
  }));
}

const withField = (request: Request, field: string, value: Json): Pick<Attempt, 'what' | 'request'> => ({
  what: `with ${field}: ${JSON.stringify(value)}`,
  request: { ...request, body: { ...request.body, [field]: value } },
});

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

/** Fails unless the reply refuses the body and names the field, or a part of it. */
function assertNamed(reply: Reply, field: string): void {
  assert.equal(reply.status, 400, `expected 400 for ${field}: ${reply.status} ${JSON.stringify(reply.body)}`);
  assertEnvelope(reply);
  const { param } = reply.body.error;
  assert.equal(String(param).split(/[.[]/)[0], field, `expected the param ${field}: ${JSON.stringify(reply.body)}`);
}

function assertCodeOfAbsence({ body }: Reply): void {
  const { code } = body.error;
  assert.ok(code === 'missing_fields' || code.endsWith('_required'), `expected missing_fields or …_required: ${code}`);
}

/** Each field with values of other types. */
export function wrongTypes({ body }: Route, request: Request): Attempt[] {
  return Object.entries(body?.properties ?? {}).flatMap(([field, schema]) =>
    wrongValues(schema).map((value) => ({
      ...withField(request, field, value),
      check: (reply: Reply) => {
        assertNamed(reply, field);
        if (value === null && body?.required?.includes(field)) assertCodeOfAbsence(reply);
      },
    })),
  );
}

/** Each required field left out, and blank if it is a text. */
export function absentFields({ body }: Route, request: Request): Attempt[] {
  const { required = [], properties = {} } = body ?? {};
  return required.flatMap((field) => {
    const { [field]: _, ...rest } = request.body ?? {};
    const check = (reply: Reply) => {
      assertNamed(reply, field);
      assert.equal(reply.body.error.param, field);
      assertCodeOfAbsence(reply);
    };
    const blank = properties[field]?.['type'] === 'string' ? [{ ...withField(request, field, ' '), check }] : [];
    return [{ what: `without ${field}`, request: { ...request, body: rest }, check }, ...blank];
  });
}

export function emptyBodies({ body }: Route, request: Request): Attempt[] {
  const { required = [] } = body ?? {};
  if (required.length < 2) return [];
  const check = (reply: Reply) => {
    assertRefused(reply, 400, 'missing_fields', required[0]);
    const { message } = reply.body.error;
    for (const field of required) assert.ok(message.includes(field), `expected ${field} in: ${message}`);
  };
  return [{ what: 'without any field', request: { ...request, body: {} }, check }];
}

/** The request with a NUL in one of its texts, once for each text. */
export function nulCharacters(route: Route, request: Request): Attempt[] {
  const spoil = (part: 'path' | 'query' | 'body', name: string, value: Json): Attempt => ({
    what: `with a NUL in ${part}.${name}`,
    request: { ...request, [part]: { ...request[part], [name]: value } },
    check: (reply) => {
      const isId = part === 'path' || (part === 'query' && fixtureOf(route).refs?.[`query.${name}`]);
      if (!isId) return assertNamed(reply, name);
      assert.equal(reply.status, 404, `expected 404: ${reply.status} ${JSON.stringify(reply.body)}`);
      assertEnvelope(reply);
      if (part === 'query') assert.equal(reply.body.error.param, name);
    },
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

/** Each format refuses at least one of these texts. A blank text in a required field is absent, not wrong. */
const FORMLESS = ['\u0007', 'a\u0000', ' '];

/** For each field with a required form, a text of another form. The refusal describes the form in words. */
export function wrongForms({ body }: Route, request: Request): Attempt[] {
  return Object.entries(body?.properties ?? {}).flatMap(([field, schema]) => {
    const kinds = [schema, ...((schema['anyOf'] ?? []) as JsonSchema[])];
    const { pattern, 'x-form': form } = kinds.find((each) => each['pattern'] !== undefined) ?? {};
    if (pattern === undefined) return [];
    const formless = FORMLESS.find((text) => !new RegExp(pattern as string).test(text));
    const check = (reply: Reply) => {
      assertNamed(reply, field);
      const { code, message } = reply.body.error;
      if (code === 'invalid_body') assert.equal(message, `"${field}" must be ${form}.`);
    };
    return [{ ...withField(request, field, formless), check }];
  });
}

/** Bodies up to the limit of the route: many unknown fields with long names, and full lists of wrong items. */
export function fullBodies(route: Route, { path }: Request): Attempt[] {
  if (route.body === undefined) return [];
  const room = bodyBytesMax(route) - 100;
  const unknown = Array.from({ length: Math.floor(room / 1_010) }, (_, n) => `"${'\\u0001'.repeat(166)}${n}":1`);
  const items = Array(Math.floor(room / 3))
    .fill('{}')
    .join();
  // The envelope has at most 20 mistakes, in at most 16 KiB.
  const check = (reply: Reply) => {
    assertRefused(reply, 400, reply.body.error.code);
    assert.ok(reply.body.error.fields.length > 0, 'expected the mistakes in error.fields');
  };
  const request = path === undefined ? {} : { path };
  return [
    { ...withText('with many unknown fields', request, `{${unknown.join()}}`), check },
    ...Object.keys(route.body.properties).map((name) => ({
      ...withText(`with many wrong items in ${name}`, request, `{"${name}":[${items}]}`),
      check,
    })),
  ];
}
