/**
 * Links that open one path for a while, for players and mail programs that cannot send a key. The signature is an
 * HMAC-SHA256 over ledger, path and expiry, under a key of the installation's secret; it carries the ledger, so that
 * the path's id is looked up in that ledger and in no other. Nothing is stored: a link ends by its hour alone.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import type { Context } from '../../context.ts';
import { ApiError } from '../../lib/errors.ts';

/** How long a link is good, unless whoever signs it says otherwise. */
export const LINK_LIFE_S = 3_600;

const KEY_LABEL = 'audio_url';

/** What a link's query holds: seconds since the epoch, and `<ledger>.<HMAC in base64url>`. */
export const LinkQuery = {
  expires: Type.Optional(Type.String({ maxLength: 20, description: 'Of a signed link: its end, in Unix seconds' })),
  signature: Type.Optional(Type.String({ maxLength: 100, description: 'Of a signed link: stands for an API key' })),
};

type Link = {
  ledgerId: number;
  /** Path from `/v1` on, as it is requested. */
  path: string;
  expiresAt?: Date;
};

/**
 * The address under which `path` can be read without a key until `expiresAt` (a wall-clock moment, by default in an
 * hour, cut to the second).
 */
export function signAudioUrl(
  { cipher, clock, settings }: Pick<Context, 'cipher' | 'clock' | 'settings'>,
  { ledgerId, path, expiresAt }: Link,
): string {
  const expiresS = Math.floor(
    expiresAt === undefined ? clock.now() / 1_000 + LINK_LIFE_S : expiresAt.getTime() / 1_000,
  );
  const ledger = ledgerId.toString(36);
  const code = codeOf(cipher.deriveKey(KEY_LABEL), [ledger, path, `${expiresS}`]);
  return `${settings.publicUrl}${path}?expires=${expiresS}&signature=${ledger}.${code}`;
}

/**
 * The ledger that a link opens.
 * @param link path and query as requested
 * @throws ApiError invalid_api_key for one that has expired, was altered, or was signed for another path
 */
export function verifyAudioUrl(
  { cipher, clock }: Pick<Context, 'cipher' | 'clock'>,
  { path, expires, signature }: { path: string; expires: string; signature: string },
): { ledgerId: number } {
  const [ledger, code, ...rest] = signature.split('.');
  if (ledger === undefined || code === undefined || rest.length > 0) throw refused();
  const keys = cipher.deriveKeys(KEY_LABEL);
  if (!keys.some((key) => isSame(codeOf(key, [ledger, path, expires]), code))) throw refused();
  // Signed by us: both are numbers.
  if (clock.now() >= Number(expires) * 1_000) {
    throw new ApiError('invalid_api_key', { param: 'expires', message: 'This link has expired: fetch a new one.' });
  }
  return { ledgerId: Number.parseInt(ledger, 36) };
}

function refused(): ApiError {
  return new ApiError('invalid_api_key', { param: 'signature', message: 'This link is not as it was signed.' });
}

/** No part can hold a line break, so no two lists of parts are signed alike. */
function codeOf(key: Buffer, parts: readonly string[]): string {
  return createHmac('sha256', key).update(parts.join('\n')).digest('base64url');
}

/** Compared as text: base64url has several spellings of the same bytes, and only one is ours. */
function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
