import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../lib/errors/errors.ts';
import { type TSchema, Type } from '../../lib/type.ts';
import { readCursor, writeCursor } from './pagination.ts';
import { Closed, FilterId, FilterParty, Id, Metadata, Nullable, Text } from './schemas.ts';
import { validatorCompiler } from './validation.ts';

type Verdict = { value?: unknown; error?: ApiError };

function judge(schema: TSchema, value: unknown, httpPart: 'body' | 'querystring' | 'params' = 'body'): Verdict {
  const validate = validatorCompiler({ schema, httpPart, method: 'POST', url: '/' } as never);
  return validate(value) as Verdict;
}

const Send = Closed({
  from: Type.String(),
  to: Text({ maxLength: 40 }),
  body: Type.Optional(Type.String()),
  media_urls: Type.Optional(Type.Array(Type.String())),
  metadata: Type.Optional(Metadata),
});
const GOOD = { from: 'num_1', to: '+16025550143' };

test('absent and blank fields are listed separately', () => {
  const messageOf = (body: object) => judge(Send, body).error?.message;
  assert.equal(messageOf({ from: 'num_1', to: '' }), 'Required and blank: to.');
  assert.equal(messageOf({ from: ' ', to: ' ' }), 'Required and blank: from, to.');
  assert.equal(messageOf({ from: 'num_1' }), 'Required and absent: to.');
  assert.equal(messageOf({ from: 'num_1', to: null }), 'Required and absent: to.');
  assert.equal(messageOf({ from: '' }), 'Required and absent: to. Required and blank: from.');
});

test('text that cannot be stored and returned unchanged is refused, with its field named', () => {
  for (const bad of ['\0', 'a\0b', '\ud83d', '\ude00\ud83d']) {
    for (const [param, fields] of [
      ['body', { body: bad }],
      ['media_urls[1]', { media_urls: ['https://a', bad] }],
    ] as const) {
      const { error } = judge(Send, { ...GOOD, ...fields });
      assert.equal(error?.code, 'invalid_body');
      assert.equal(error?.param, param);
    }
    const inQuery = judge(Closed({ tenant_id: Type.String() }), { tenant_id: bad }, 'querystring');
    assert.equal(inQuery.error?.param, 'tenant_id');
    const filter = Closed({ tenant_id: FilterId('tenant_not_found') });
    assert.equal(judge(filter, { tenant_id: bad }, 'querystring').error?.code, 'tenant_not_found');
    // The id is looked up and refused with the resource's own code.
    assert.match((judge(Closed({ id: Id }), { id: bad }, 'params').value as { id: string }).id, /\ufffd/);
  }
  assert.equal(judge(Send, { ...GOOD, body: '😀 \u0001' }).error, undefined);
});

test('a field named __proto__ is refused by its name, also in an object with free names', () => {
  const parsed = (text: string) => judge(Send, JSON.parse(text)).error;
  const start = '{"from":"num_1","to":"+16025550143"';
  assert.equal(parsed(`${start},"__proto__":1}`)?.param, '__proto__');
  const inside = parsed(`${start},"metadata":{"a":"b","__proto__":"c"}}`);
  assert.equal(inside?.code, 'invalid_body');
  assert.equal(inside?.param, 'metadata.__proto__');
});

test('an object of a wrong type is refused for its type, whatever fields it has', () => {
  const Ring = Closed({ type: Type.Literal('ring'), targets: Type.Array(Type.String()) });
  const Config = Closed({ name: Type.String(), on_call: Ring });
  const of = (on_call: unknown, more: object = { name: 'x' }) => {
    const { error } = judge(Config, { ...more, on_call });
    return [error?.code, error?.param];
  };
  assert.deepEqual(of({ type: 'voicemail', greeting_text: 'Hi' }), ['invalid_body', 'on_call.type']);
  assert.deepEqual(of({ type: 'ring' }), ['missing_fields', 'on_call.targets']);
  assert.deepEqual(of({ type: 'ring', targets: [], greeting_text: 'Hi' }), ['invalid_body', 'on_call.greeting_text']);
  assert.deepEqual(of({ type: '', targets: [] }), ['missing_fields', 'on_call.type']);
  assert.deepEqual(of({ type: 'voicemail' }, {}), ['missing_fields', 'name']);
});

test('what is absent in a field that may be null is named', () => {
  const Hours = Closed({ days: Type.Array(Type.String()), open: Text({ maxLength: 5 }) });
  const Config = Closed({ hours: Type.Optional(Nullable(Closed({ schedule: Type.Array(Hours) }))) });
  const of = (hours: unknown) => {
    const { error } = judge(Config, { hours });
    return [error?.code, error?.param, error?.message];
  };
  const missing = (param: string, what = 'absent') => ['missing_fields', param, `Required and ${what}: ${param}.`];
  assert.deepEqual(of({}), missing('hours.schedule'));
  assert.deepEqual(of({ schedule: [{ days: [] }] }), missing('hours.schedule[0].open'));
  assert.deepEqual(of({ schedule: [{ days: [], open: ' ' }] }), missing('hours.schedule[0].open', 'blank'));
  assert.deepEqual(of({ schedule: [{ days: [], open: 5 }] })[0], 'invalid_body');
  assert.deepEqual(of(null), [undefined, undefined, undefined]);
});

test('a field that another one makes required is missing without it', () => {
  const Company = Closed({
    kind: Type.String(),
    name: Text({ maxLength: 5 }),
    ein: Type.Optional(
      Nullable(Type.String(), {
        missingCode: 'missing_fields',
        requiredUnless: { field: 'kind', value: 'person' },
      }),
    ),
  });
  const fieldsOf = (body: object) => judge(Company, body).error?.fields.map(({ param }) => param);
  assert.deepEqual(fieldsOf({ kind: 'person', name: 'x' }), undefined);
  assert.deepEqual(fieldsOf({ kind: 'company', name: 'x', ein: '1' }), undefined);
  for (const ein of [undefined, null, '']) {
    const body = { kind: 'company', ...(ein !== undefined && { ein }) };
    assert.deepEqual([...(fieldsOf(body) ?? [])].sort(), ['ein', 'name']);
  }
  assert.deepEqual(fieldsOf({}), ['kind', 'name', 'ein']);
});

test('an unencoded plus sign in a filter by number is read as a plus sign', () => {
  const Query = Closed({ to: FilterParty, name: Type.Optional(Type.String()) });
  const judged = (query: object) => judge(Query, query, 'querystring');
  assert.deepEqual(judged({ to: ' 16025550143', name: ' 1' }).value, { to: '+16025550143', name: ' 1' });
  for (const to of ['+16025550143', '72345', 'anonymous']) assert.deepEqual(judged({ to }).value, { to });
  for (const to of [' 602', '16025550143', '  16025550143', ' +16025550143', ' 72345', '']) {
    const { error } = judged({ to });
    assert.deepEqual([error?.code, error?.param], ['invalid_body', 'to'], to);
  }
});

test('metadata with any names is judged, and returned with them', () => {
  for (const name of ['a', 'a\nb', '\r', 'a\u2028b', '\u2029', '\u0007']) {
    for (const value of [5, null, { a: 'b' }, 'x'.repeat(501)]) {
      const { error } = judge(Send, { ...GOOD, metadata: { [name]: value } });
      assert.deepEqual([error?.code, error?.param], ['invalid_body', `metadata.${name}`], JSON.stringify(name));
    }
    const metadata = { [name]: 'kept' };
    assert.deepEqual(judge(Send, { ...GOOD, metadata }).value, { ...GOOD, metadata });
  }
});

test('an update may leave out a field with a code for its absence, but not empty it', () => {
  const Update = Closed({
    name: Type.Optional(Text({ maxLength: 5, missingCode: 'name_required' })),
    note: Type.Optional(Text({ maxLength: 5 })),
  });
  assert.equal(judge(Update, {}).error, undefined);
  for (const name of ['', ' ', null]) assert.equal(judge(Update, { name }).error?.code, 'name_required');
  for (const name of [5, 'too long']) assert.equal(judge(Update, { name }).error?.code, 'invalid_body');
  assert.equal(judge(Update, { note: '' }).error?.code, 'invalid_body');
});

test('a cursor that contains NUL is refused', () => {
  const cursor = writeCursor(['tenants', 'tnt_\0']);
  assert.throws(() => readCursor('tenants', 1, cursor), { code: 'invalid_cursor', param: 'after' });
});

test('a refusal says in words of the API what is wrong with a field', () => {
  const Hours = Type.String({ pattern: '^[0-9]{2}:[0-9]{2}$', form: 'HH:MM' });
  const Body = Closed({
    at: Type.Optional(Hours),
    until: Type.Optional(Nullable(Hours)),
    name: Type.Optional(Text({ maxLength: 3 })),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
    seconds: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    days: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 2, uniqueItems: true })),
    date: Type.Optional(Type.String({ format: 'date' })),
    place: Type.Optional(
      Type.Unsafe<object | null>({ ...Closed({ a: Type.Optional(Type.Number()) }), type: ['object', 'null'] }),
    ),
    metadata: Type.Optional(Metadata),
  });
  for (const [fields, message] of [
    [{ at: '9' }, '"at" must be HH:MM.'],
    [{ at: 9 }, '"at" must be a string.'],
    [{ until: '9' }, '"until" must be HH:MM.'],
    [{ until: 9 }, '"until" must be a string or null.'],
    [{ name: ' ' }, '"name" must be text with at least one visible character.'],
    [{ name: '' }, '"name" must be text with at least one visible character.'],
    [{ name: 'four' }, '"name" must have at most 3 characters.'],
    [{ count: 0 }, '"count" must be at least 1.'],
    [{ count: 6 }, '"count" must be at most 5.'],
    [{ count: 1.5 }, '"count" must be an integer.'],
    [{ seconds: 0 }, '"seconds" must be more than 0.'],
    [{ days: [] }, '"days" must have at least 1 item.'],
    [{ days: ['a', 'b', 'c'] }, '"days" must have at most 2 items.'],
    [{ days: ['a', 'a'] }, '"days" must not have the same item twice, as [0] and [1] are.'],
    [{ days: 'a' }, '"days" must be an array.'],
    [{ date: '2026-13-01' }, '"date" must be a date such as 2026-11-20.'],
    [{ place: 5 }, '"place" must be an object or null.'],
    [{ metadata: { ['k'.repeat(41)]: 'v' } }, '"metadata" has a name that must have at most 40 characters.'],
    [{ metadata: { '': 'v' } }, '"metadata" has a name that must have at least 1 character.'],
  ] as const) {
    assert.equal(judge(Body, fields).error?.message, message);
  }
  const Change = Closed({ name: Type.Optional(Type.String()) }, { minProperties: 1 });
  assert.equal(judge(Change, {}).error?.message, 'The request must have at least 1 field.');
});

test('all mistakes of a body are named: missing fields first, then unknown, then wrong ones', () => {
  const Brand = Closed({
    legal_name: Text({ maxLength: 5, missingCode: 'legal_name_required' }),
    ein: Type.String({ maxLength: 40, pattern: '^[0-9]{9}$', form: 'nine digits', errorCode: 'invalid_ein' }),
    city: Text({ maxLength: 5 }),
    samples: Type.Array(Text({ maxLength: 3, errorCode: 'invalid_sample_messages' }), { maxItems: 3 }),
    dba: Type.Optional(Nullable(Text({ maxLength: 5 }))),
  });
  const { error } = judge(Brand, { dba: 'too long', ein: '12', samples: ['ok', 'long', 5], city: ' ', typo: 1 });
  assert.deepEqual([error?.code, error?.param], ['missing_fields', 'city']);
  assert.deepEqual(
    error?.fields.map(({ param, code }) => [param, code]),
    [
      ['city', 'missing_fields'],
      ['legal_name', 'legal_name_required'],
      ['typo', 'invalid_body'],
      ['ein', 'invalid_ein'],
      ['samples[1]', 'invalid_sample_messages'],
      ['samples[2]', 'invalid_sample_messages'],
      ['dba', 'invalid_body'],
    ],
  );
  assert.equal(error?.fields.at(-1)?.message, '"dba" must have at most 5 characters.');
  const one = judge(Brand, { ein: '123456789', city: 'Mesa', samples: [] }).error;
  assert.deepEqual([one?.code, one?.param, one?.fields.length], ['legal_name_required', 'legal_name', 1]);
});

test('an error that names one field lists it', () => {
  const error = new ApiError('invalid_to', { param: 'to' });
  assert.deepEqual(error.fields, [{ param: 'to', code: 'invalid_to', message: error.message }]);
  assert.deepEqual(new ApiError('tenant_not_found', { param: 'tenant_id' }).fields, []);
  assert.deepEqual(new ApiError('invalid_json').fields, []);
});
