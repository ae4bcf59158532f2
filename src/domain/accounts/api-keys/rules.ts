import { createHash, randomBytes } from 'node:crypto';
import type { Mode } from '../../../lib/scope.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_CHARS = 32;

export const KEY_FORM = /^svc_(test|live)_[0-9A-Za-z]{32}$/;

/** Makes 32 random base62 characters (190 bits). */
export function makeSecret(): string {
  let secret = '';
  while (secret.length < SECRET_CHARS) {
    for (const byte of randomBytes(64)) {
      // 248 is the largest multiple of 62 below 256. Without larger bytes, every character is equally likely.
      if (byte < 248 && secret.length < SECRET_CHARS) secret += BASE62[byte % 62];
    }
  }
  return secret;
}

/** Makes a new API key: `svc_test_` or `svc_live_` and 32 base62 characters. */
export function makeKey(mode: Mode): string {
  return `svc_${mode}_${makeSecret()}`;
}

/** Returns the hash of a key, which is stored instead of the key. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

export const NAME_CHARS_MAX = 200;

/** How long a rotated key stays valid, by default and at most, in seconds. */
export const OVERLAP_S = 86_400;
export const OVERLAP_S_MAX = 30 * 86_400;
