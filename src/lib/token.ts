/**
 * Stateless signed tokens: `prefix payload "." signature`, payload and HMAC-SHA256 in base64url (RFC 4648 5).
 * The prefix is signed too, so a token of one kind is never taken for another even under one key. The payload is
 * readable by whoever holds the token: put no secret in it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** JSON values only; whoever verifies checks their shape. */
export type TokenClaims = Readonly<Record<string, unknown>>;

export interface TokenToSign {
  key: Buffer;
  /** E.g. `svcrt_`. */
  prefix: string;
  claims: TokenClaims;
  /** Unix time in seconds from which the token is refused. */
  expiresAtS: number;
}

export interface TokenToVerify {
  /** One key, or several while keys rotate. */
  key: Buffer | readonly Buffer[];
  prefix: string;
  token: string;
  nowS: number;
}

export type TokenVerdict =
  | { ok: true; claims: TokenClaims; expiresAtS: number }
  | { ok: false; reason: 'expired' | 'invalid' };

/** Far above any token made here; keeps a hostile one from costing time. */
const TOKEN_CHARS_MAX = 4096;

function sign(key: Buffer, signed: string): string {
  return createHmac('sha256', key).update(signed).digest('base64url');
}

function isSigned(key: Buffer, signed: string, signature: string): boolean {
  // Compared as text: base64url has several spellings of the same bytes, and only one is ours.
  const expected = Buffer.from(sign(key, signed));
  const given = Buffer.from(signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** Makes a token that `verifyToken` accepts with the same key and prefix until `expiresAtS`. */
export function signToken({ key, prefix, claims, expiresAtS }: TokenToSign): string {
  const signed = prefix + Buffer.from(JSON.stringify({ exp: expiresAtS, claims })).toString('base64url');
  return `${signed}.${sign(key, signed)}`;
}

/**
 * Checks a token from outside. `expired` is said only of a token that was genuinely signed; everything else that does
 * not pass is `invalid`. Never throws for a bad token. Signatures are compared in constant time.
 */
export function verifyToken({ key, prefix, token, nowS }: TokenToVerify): TokenVerdict {
  if (token.length > TOKEN_CHARS_MAX || !token.startsWith(prefix)) return { ok: false, reason: 'invalid' };
  const dot = token.lastIndexOf('.');
  if (dot < prefix.length) return { ok: false, reason: 'invalid' };
  const signed = token.slice(0, dot);
  const signature = token.slice(dot + 1);
  const keys = Buffer.isBuffer(key) ? [key] : key;
  if (!keys.some((candidate) => isSigned(candidate, signed, signature))) return { ok: false, reason: 'invalid' };
  // Signed by us, so it is the JSON that signToken wrote.
  const payload: { exp: number; claims: TokenClaims } = JSON.parse(
    Buffer.from(signed.slice(prefix.length), 'base64url').toString(),
  );
  if (nowS >= payload.exp) return { ok: false, reason: 'expired' };
  return { ok: true, claims: payload.claims, expiresAtS: payload.exp };
}
