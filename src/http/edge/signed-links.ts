/**
 * Links that open one path for a limited time, for players and mail programs that cannot send a key. The signature is
 * an HMAC-SHA256 of ledger, path and expiry, with a key that is derived from the installation's secret. The link names
 * the ledger, so the id in the path is looked up only there. Nothing is stored: a link ends when it expires or when the
 * account is suspended.
 */

import type { Context } from '../../context.ts';
import { isSigned, signText } from '../../lib/crypto/signed-token.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { Type } from '../../lib/type.ts';

/** How long a link is valid by default. */
export const LINK_LIFE_S = 3_600;

const KEY_LABEL = 'audio_url';

/** The query of a link: seconds since the epoch, and `<ledger>.<HMAC in base64url>`. */
export const LinkQuery = {
  expires: Type.Optional(Type.String({ maxLength: 20, description: 'Of a signed link: its end, in Unix seconds' })),
  signature: Type.Optional(Type.String({ maxLength: 100, description: 'Of a signed link: stands for an API key' })),
};

type Link = {
  ledgerId: number;
  /** The path as requested, from `/v1` on. */
  path: string;
  expiresAt?: Date;
};

/**
 * Returns an address that reads `path` without a key until `expiresAt`. That is wall time, cut to the second. By
 * default it is in one hour.
 */
export function signAudioUrl(
  { cipher, clock, settings }: Pick<Context, 'cipher' | 'clock' | 'settings'>,
  { ledgerId, path, expiresAt }: Link,
): string {
  const expiresS = Math.floor(
    expiresAt === undefined ? clock.now() / 1_000 + LINK_LIFE_S : expiresAt.getTime() / 1_000,
  );
  const ledger = ledgerId.toString(36);
  const code = signText(cipher, KEY_LABEL, signedText(ledger, path, `${expiresS}`));
  return `${settings.publicUrl}${path}?expires=${expiresS}&signature=${ledger}.${code}`;
}

/**
 * Returns the ledger that a link opens.
 * @param link path and query as requested
 * @throws ApiError invalid_api_key for a link that has expired, was altered, or was signed for another path
 */
export function verifyAudioUrl(
  { cipher, clock }: Pick<Context, 'cipher' | 'clock'>,
  { path, expires, signature }: { path: string; expires: string; signature: string },
): { ledgerId: number } {
  const [ledger, code, ...rest] = signature.split('.');
  if (ledger === undefined || code === undefined || rest.length > 0) throw refused();
  if (!isSigned(cipher, KEY_LABEL, signedText(ledger, path, expires), code)) throw refused();
  // A valid signature shows that we wrote the link, so both parts are numbers.
  if (clock.now() >= Number(expires) * 1_000) {
    throw new ApiError('invalid_api_key', { param: 'expires', message: 'This link has expired: fetch a new one.' });
  }
  return { ledgerId: Number.parseInt(ledger, 36) };
}

function refused(): ApiError {
  return new ApiError('invalid_api_key', { param: 'signature', message: 'This link is not as it was signed.' });
}

/** No part can contain a line break, so different parts make different texts. */
function signedText(ledger: string, path: string, expires: string): string {
  return [ledger, path, expires].join('\n');
}
