import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../test/support/property.ts';
import { createCipher } from '../../lib/crypto/cipher.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { signAudioUrl, verifyAudioUrl } from './signed-links.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const OLD = 'the first secret of an operator';
const NEW = 'the second secret of an operator';
const PATH = '/v1/recordings/rec_1/audio';

function installation({ secrets = [OLD], nowMs = NOW_MS } = {}) {
  return {
    cipher: createCipher(secrets),
    clock: { now: () => nowMs },
    settings: { publicUrl: 'https://phone.example/base' } as never,
  };
}

function partsOf(url: string) {
  const { searchParams } = new URL(url);
  const path = url.slice('https://phone.example/base'.length).split('?', 1)[0] as string;
  return { path, expires: searchParams.get('expires') ?? '', signature: searchParams.get('signature') ?? '' };
}

const refuses = (parts: ReturnType<typeof partsOf>, here = installation()) =>
  assert.throws(
    () => verifyAudioUrl(here, parts),
    (error: unknown) => error instanceof ApiError && error.code === 'invalid_api_key',
    JSON.stringify(parts),
  );

test('a link opens its path in the ledger it was signed for, and needs no escaping', () => {
  checkProperty(
    fc.property(fc.integer({ min: 1, max: 2 ** 40 }), fc.stringMatching(/^[a-z0-9_]{1,30}$/), (ledgerId, id) => {
      const url = signAudioUrl(installation(), { ledgerId, path: `/v1/recordings/${id}/audio` });
      assert.match(url, /^https:\/\/phone\.example\/base\/v1\/recordings\/[\w/]+\?expires=\d+&signature=[\w.-]+$/);
      assert.deepEqual(verifyAudioUrl(installation(), partsOf(url)), { ledgerId });
    }),
  );
});

test('a link is valid for one hour, to the second, or until its given end', () => {
  const parts = partsOf(signAudioUrl(installation(), { ledgerId: 7, path: PATH }));
  assert.equal(Number(parts.expires), NOW_MS / 1_000 + 3_600);
  verifyAudioUrl(installation({ nowMs: NOW_MS + 3_600_000 - 1 }), parts);
  refuses(parts, installation({ nowMs: NOW_MS + 3_600_000 }));
  const expiresAt = new Date(NOW_MS + 10_000);
  const short = partsOf(signAudioUrl(installation(), { ledgerId: 7, path: PATH, expiresAt }));
  refuses(short, installation({ nowMs: NOW_MS + 10_000 }));
});

test('no part of a link can be changed: path, end, ledger or signature', () => {
  const parts = partsOf(signAudioUrl(installation(), { ledgerId: 7, path: PATH }));
  refuses({ ...parts, path: '/v1/recordings/rec_2/audio' });
  refuses({ ...parts, path: '/v1/voicemails/rec_1/audio' });
  refuses({ ...parts, expires: String(Number(parts.expires) + 1) });
  refuses({ ...parts, expires: `${parts.expires}.0` });
  refuses({ ...parts, expires: ` ${parts.expires}` });
  refuses({ ...parts, signature: parts.signature.replace(/^7/, '8') });
  refuses({ ...parts, signature: parts.signature.replace(/^7/, '07') });
  for (let i = 0; i < parts.signature.length; i++) {
    const other = parts.signature[i] === 'A' ? 'B' : 'A';
    refuses({ ...parts, signature: parts.signature.slice(0, i) + other + parts.signature.slice(i + 1) });
  }
});

test('any other text in place of a signature is refused', () => {
  checkProperty(
    fc.property(fc.string(), fc.string(), (expires, signature) => refuses({ path: PATH, expires, signature })),
  );
  const { expires } = partsOf(signAudioUrl(installation(), { ledgerId: 7, path: PATH }));
  for (const signature of ['', '.', '7', '7.', '.x', '7.x.y', 'undefined']) refuses({ path: PATH, expires, signature });
});

test('a link of another installation is refused', () => {
  refuses(partsOf(signAudioUrl(installation({ secrets: [NEW] }), { ledgerId: 7, path: PATH })));
});

test('while the secret is rotated, links of the old secret stay valid', () => {
  const parts = partsOf(signAudioUrl(installation(), { ledgerId: 7, path: PATH }));
  assert.deepEqual(verifyAudioUrl(installation({ secrets: [NEW, OLD] }), parts), { ledgerId: 7 });
});
