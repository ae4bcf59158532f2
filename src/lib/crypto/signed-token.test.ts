import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { signToken, type TokenKeys, verifyToken } from './signed-token.ts';

/** Keys of an installation: the current one first. */
const keysOf = (...keys: Buffer[]): TokenKeys => ({
  deriveKey: () => keys[0] as Buffer,
  deriveKeys: () => keys,
});

const INVALID = { ok: false, reason: 'invalid' };

describe('a token with a prefix', () => {
  const key = randomBytes(32);
  const keys = keysOf(key);
  const kind = { keyLabel: 'realtime', prefix: 'svcrt_' };
  const claims = { ledger: 'led_1', tenant: null, types: ['message.received'] };
  const NOW_S = 1_790_000_000;
  const token = signToken(keys, kind, { claims, expiresAtS: NOW_S + 3600 });

  test('returns the claims it was made with', () => {
    assert.deepEqual(verifyToken(keys, kind, token, NOW_S), { ok: true, claims, expiresAtS: NOW_S + 3600 });
    assert.match(token, /^svcrt_[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/);
  });

  test('is valid until its last second and not longer', () => {
    assert.equal(verifyToken(keys, kind, token, NOW_S + 3599).ok, true);
    assert.deepEqual(verifyToken(keys, kind, token, NOW_S + 3600), { ok: false, reason: 'expired' });
  });

  test('is invalid with any one character changed', () => {
    for (let index = 0; index < token.length; index++) {
      const character = token[index] === 'A' ? 'B' : 'A';
      const altered = token.slice(0, index) + character + token.slice(index + 1);
      assert.deepEqual(verifyToken(keys, kind, altered, NOW_S), INVALID, `character ${index}`);
    }
  });

  test('is invalid, not expired, if it was forged', () => {
    const forged = signToken(keysOf(randomBytes(32)), kind, { claims, expiresAtS: NOW_S - 1 });
    assert.deepEqual(verifyToken(keys, kind, forged, NOW_S), INVALID);
  });

  test('of one kind is invalid as another, even under one key', () => {
    const other = signToken(keys, { ...kind, prefix: 'svcst_' }, { claims, expiresAtS: NOW_S + 60 });
    assert.deepEqual(verifyToken(keys, kind, other, NOW_S), INVALID);
    assert.deepEqual(verifyToken(keys, kind, other.replace('svcst_', kind.prefix), NOW_S), INVALID);
  });

  test('of the previous key is valid while keys rotate, and invalid afterwards', () => {
    const nextKey = randomBytes(32);
    assert.equal(verifyToken(keysOf(nextKey, key), kind, token, NOW_S).ok, true);
    assert.deepEqual(verifyToken(keysOf(nextKey), kind, token, NOW_S), INVALID);
    assert.deepEqual(verifyToken(keysOf(), kind, token, NOW_S), INVALID);
  });

  test('that is garbage is invalid and never throws', () => {
    const { prefix } = kind;
    const [payload = '', signature = ''] = token.split('.');
    const texts = ['', '.', prefix, `${prefix}.`, payload, `${payload}.`, `${prefix}.${signature}`];
    for (const text of [
      ...texts,
      'x'.repeat(100_000),
      `${token}.${signature}`,
      `${token}=`,
      ` ${token}`,
      `${prefix}\u0000.é`,
      token.toUpperCase(),
    ]) {
      assert.deepEqual(verifyToken(keys, kind, text, NOW_S), INVALID, text.slice(0, 80));
    }
  });
});

describe('a token with an audience', () => {
  const key = Buffer.alloc(32, 1);
  const nowS = 1_800_000_000;
  const kind = { keyLabel: 'login', audience: 'web_client' };
  const made = { claims: { sub: 'wcl_1' }, issuedAtS: nowS, expiresAtS: nowS + 300 };
  const token = signToken(keysOf(key), kind, made);

  const verify = (text: string, keys = keysOf(key), atS = nowS) => verifyToken(keys, kind, text, atS);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = (header: object, payload: object, by = key) => {
    const text = `${part(header)}.${part(payload)}`;
    return `${text}.${createHmac('sha256', by).update(text).digest('base64url')}`;
  };
  const HEADER = { alg: 'HS256', typ: 'JWT' };
  const PAYLOAD = { sub: 'wcl_1', aud: 'web_client', iat: nowS, exp: nowS + 300 };

  test('is a JWT in the compact form, and returns its claims', () => {
    assert.equal(token, signed(HEADER, PAYLOAD));
    assert.deepEqual(verify(token), { ok: true, claims: PAYLOAD, expiresAtS: nowS + 300 });
  });

  test('is valid if an older key signed it, and invalid if a foreign key did', () => {
    const foreign = Buffer.alloc(32, 2);
    assert.equal(verify(token, keysOf(foreign, key)).ok, true);
    assert.deepEqual(verify(token, keysOf(foreign)), INVALID);
    assert.deepEqual(verify(signed(HEADER, PAYLOAD, foreign)), INVALID);
  });

  test('expires at its last second, and only a genuine token is called expired', () => {
    assert.equal(verify(token, keysOf(key), nowS + 299.9).ok, true);
    assert.deepEqual(verify(token, keysOf(key), nowS + 300), { ok: false, reason: 'expired' });
    assert.deepEqual(verify(`${token.slice(0, -2)}AA`, keysOf(key), nowS + 300), INVALID);
  });

  test('is invalid for another audience', () => {
    assert.deepEqual(verify(signToken(keysOf(key), { ...kind, audience: 'stream' }, made)), INVALID);
  });

  test('with any other header is invalid, even with a right signature', () => {
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

  test('that is altered, cut, padded or spelled otherwise is invalid', () => {
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
});
