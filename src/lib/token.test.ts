import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { signToken, verifyToken } from './token.ts';

const key = randomBytes(32);
const prefix = 'svcrt_';
const claims = { ledger: 'led_1', tenant: null, types: ['message.received'] };
const NOW_S = 1_790_000_000;
const token = signToken({ key, prefix, claims, expiresAtS: NOW_S + 3600 });
const invalid = { ok: false, reason: 'invalid' };

test('a token gives back the claims it was made with', () => {
  assert.deepEqual(verifyToken({ key, prefix, token, nowS: NOW_S }), { ok: true, claims, expiresAtS: NOW_S + 3600 });
  assert.match(token, /^svcrt_[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/);
});

test('a token lasts until its last second and not longer', () => {
  assert.equal(verifyToken({ key, prefix, token, nowS: NOW_S + 3599 }).ok, true);
  assert.deepEqual(verifyToken({ key, prefix, token, nowS: NOW_S + 3600 }), { ok: false, reason: 'expired' });
});

test('a token with any one character changed is invalid', () => {
  for (let index = 0; index < token.length; index++) {
    const character = token[index] === 'A' ? 'B' : 'A';
    const altered = token.slice(0, index) + character + token.slice(index + 1);
    assert.deepEqual(verifyToken({ key, prefix, token: altered, nowS: NOW_S }), invalid, `character ${index}`);
  }
});

test('a forged token is invalid, not expired', () => {
  const forged = signToken({ key: randomBytes(32), prefix, claims, expiresAtS: NOW_S - 1 });
  assert.deepEqual(verifyToken({ key, prefix, token: forged, nowS: NOW_S }), invalid);
});

test('a token of one kind is never taken for another', () => {
  const other = signToken({ key, prefix: 'svcst_', claims, expiresAtS: NOW_S + 60 });
  assert.deepEqual(verifyToken({ key, prefix, token: other, nowS: NOW_S }), invalid);
  assert.deepEqual(verifyToken({ key, prefix, token: other.replace('svcst_', prefix), nowS: NOW_S }), invalid);
});

test('a token of the previous key passes while keys rotate, and fails afterwards', () => {
  const nextKey = randomBytes(32);
  assert.equal(verifyToken({ key: [nextKey, key], prefix, token, nowS: NOW_S }).ok, true);
  assert.deepEqual(verifyToken({ key: nextKey, prefix, token, nowS: NOW_S }), invalid);
  assert.deepEqual(verifyToken({ key: [], prefix, token, nowS: NOW_S }), invalid);
});

test('garbage is invalid and never throws', () => {
  const [payload = '', signature = ''] = token.split('.');
  const texts = ['', '.', prefix, `${prefix}.`, payload, `${payload}.`, `${prefix}.${signature}`, 'x'.repeat(100_000)];
  for (const text of [
    ...texts,
    `${token}.${signature}`,
    `${token}=`,
    ` ${token}`,
    `${prefix}\u0000.é`,
    token.toUpperCase(),
  ]) {
    assert.deepEqual(verifyToken({ key, prefix, token: text, nowS: NOW_S }), invalid, text.slice(0, 80));
  }
});
