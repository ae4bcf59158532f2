import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TSchema, Type } from 'typebox';
import type { ApiError } from '../lib/errors.ts';
import { readCursor } from './pagination.ts';
import { Closed, Metadata, Text } from './schemas.ts';
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

test('what is absent and what is blank are told apart', () => {
  const messageOf = (body: object) => judge(Send, body).error?.message;
  assert.equal(messageOf({ from: 'num_1', to: '' }), 'Required and blank: to.');
  assert.equal(messageOf({ from: ' ', to: ' ' }), 'Required and blank: from, to.');
  assert.equal(messageOf({ from: 'num_1' }), 'Required and absent: to.');
  assert.equal(messageOf({ from: 'num_1', to: null }), 'Required and absent: to.');
  assert.equal(messageOf({ from: '' }), 'Required and absent: to. Required and blank: from.');
});

test('text that could not be given back as it came is refused wherever it is, naming the place', () => {
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
    assert.equal(judge(Closed({ id: Type.String() }), { id: bad }, 'params').error?.code, 'not_found');
  }
  assert.equal(judge(Send, { ...GOOD, body: '😀 \u0001' }).error, undefined);
});

test('a field named __proto__ is refused by its name, also where names are free', () => {
  const parsed = (text: string) => judge(Send, JSON.parse(text)).error;
  const start = '{"from":"num_1","to":"+16025550143"';
  assert.equal(parsed(`${start},"__proto__":1}`)?.param, '__proto__');
  const inside = parsed(`${start},"metadata":{"a":"b","__proto__":"c"}}`);
  assert.equal(inside?.code, 'invalid_body');
  assert.equal(inside?.param, 'metadata.__proto__');
});

test('a cursor with NUL in it is none', () => {
  const cursor = Buffer.from(JSON.stringify(['tenants', 'tnt_\0'])).toString('base64url');
  assert.throws(() => readCursor('tenants', 1, cursor), { code: 'invalid_body', param: 'after' });
});
