import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { signJwt, verifyJwt } from './jwt.ts';

const key = Buffer.alloc(32, 1);
const nowS = 1_800_000_000;
const made = { key, audience: 'web_client', claims: { sub: 'wcl_1' }, issuedAtS: nowS, expiresAtS: nowS + 300 };
const token = signJwt(made);

const verify = (text: string, change: Partial<Parameters<typeof verifyJwt>[0]> = {}) =>
  verifyJwt({ keys: [key], audience: 'web_client', token: text, nowS, ...change });
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signed = (header: object, payload: object, by = key) => {
  const text = `${part(header)}.${part(payload)}`;
  return `${text}.${createHmac('sha256', by).update(text).digest('base64url')}`;
};
const HEADER = { alg: 'HS256', typ: 'JWT' };
const PAYLOAD = { sub: 'wcl_1', aud: 'web_client', iat: nowS, exp: nowS + 300 };
const INVALID = { ok: false, reason: 'invalid' };

test('a token is a JWT in the compact form, and gives its claims back', () => {
  assert.equal(token, signed(HEADER, PAYLOAD));
  assert.deepEqual(verify(token), { ok: true, claims: PAYLOAD, expiresAtS: nowS + 300 });
});

test('a token signed with an older key is taken, one of a foreign key is not', () => {
  const foreign = Buffer.alloc(32, 2);
  assert.equal(verify(token, { keys: [foreign, key] }).ok, true);
  assert.deepEqual(verify(token, { keys: [foreign] }), INVALID);
  assert.deepEqual(verify(signed(HEADER, PAYLOAD, foreign)), INVALID);
});

test('a token is expired from its last second on, and only a genuine one is called so', () => {
  assert.equal(verify(token, { nowS: nowS + 299.9 }).ok, true);
  assert.deepEqual(verify(token, { nowS: nowS + 300 }), { ok: false, reason: 'expired' });
  assert.deepEqual(verify(`${token.slice(0, -2)}AA`, { nowS: nowS + 300 }), INVALID);
});

test('a token of another audience is refused', () => {
  assert.deepEqual(verify(signJwt({ ...made, audience: 'stream' })), INVALID);
});

test('no header but ours is taken, even where its signature is right', () => {
  for (const header of [
    { alg: 'none', typ: 'JWT' },
    { alg: 'HS512', typ: 'JWT' },
    { typ: 'JWT', alg: 'HS256' },
    { ...HEADER, kid: 'x' },
    { ...HEADER, crit: ['x'] },
  ]) {
    assert.deepEqual(verify(signed(header, PAYLOAD)), INVALID, JSON.stringify(header));
  }
  assert.deepEqual(verify(`${part({ alg: 'none' })}.${part(PAYLOAD)}.`), INVALID);
});

test('what is altered, cut, padded or spelled otherwise is refused', () => {
  const [header, payload, signature] = token.split('.') as [string, string, string];
  const other = part({ ...PAYLOAD, sub: 'wcl_2' });
  for (const text of [
    '',
    '..',
    `${header}.${payload}`,
    `${header}.${other}.${signature}`,
    `${token}=`,
    ` ${token}`,
    `${token}.x`,
    `${token}\n`,
    'x'.repeat(5_000),
  ]) {
    assert.deepEqual(verify(text), INVALID, text.slice(0, 40));
  }
});
