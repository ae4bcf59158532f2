import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../lib/errors/errors.ts';
import { ERROR_BYTES_MAX, toEnvelope } from './envelope.ts';

const PLACE = { publicUrl: 'https://phone.example', requestId: 'req_1' };

test('an error reply stays within its bound, whatever the names and sentences in it are', () => {
  for (const text of ['x'.repeat(100_000), '\u0001'.repeat(100_000), '😀'.repeat(50_000), '\ud800'.repeat(50_000)]) {
    const field = { param: text, code: 'invalid_body', message: text } as const;
    const error = new ApiError('invalid_body', { param: text, message: text, fields: Array(50).fill(field) });
    const envelope = toEnvelope(error, PLACE);
    assert.ok(Buffer.byteLength(JSON.stringify(envelope)) <= ERROR_BYTES_MAX);
    const { param, message, fields = [] } = envelope.error;
    assert.ok(fields.length >= 1 && fields.length <= 20);
    assert.equal(fields[0]?.param, param);
    for (const cut of [param, message]) assert.ok(cut?.endsWith('…'));
  }
});

test('a text is not cut in the middle of a character', () => {
  const { error } = toEnvelope(new ApiError('invalid_body', { param: `a${'😀'.repeat(200)}` }), PLACE);
  assert.ok(error.param?.isWellFormed());
});

test('short texts are left as they are', () => {
  const { error } = toEnvelope(new ApiError('invalid_to', { param: 'to' }), PLACE);
  assert.deepEqual(error.fields, [{ param: 'to', code: 'invalid_to', message: error.message }]);
  assert.equal(error.docs_url, 'https://phone.example/docs/errors/invalid_to');
});
