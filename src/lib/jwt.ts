/**
 * JSON Web Tokens (RFC 7519) in one form only: compact, signed with HMAC-SHA256 (HS256, RFC 7518 3.2). Whoever verifies
 * compares the header as bytes, so a token cannot name another algorithm, a key or a type of its own.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export type JwtClaims = Readonly<Record<string, unknown>>;

export type JwtToSign = {
  readonly key: Buffer;
  /** Who may take it: a token for one purpose is refused by every other. */
  readonly audience: string;
  readonly claims: JwtClaims;
  /** Unix time in seconds. */
  readonly issuedAtS: number;
  readonly expiresAtS: number;
};

export type JwtToVerify = {
  /** Several while keys rotate. */
  readonly keys: readonly Buffer[];
  readonly audience: string;
  readonly token: string;
  readonly nowS: number;
};

export type JwtVerdict =
  | { readonly ok: true; readonly claims: JwtClaims; readonly expiresAtS: number }
  | { readonly ok: false; readonly reason: 'expired' | 'invalid' };

const HEADER = encode({ alg: 'HS256', typ: 'JWT' });
/** Far above any token made here; keeps a hostile one from costing time. */
const TOKEN_CHARS_MAX = 4_096;
const FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/;

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signatureOf(key: Buffer, signed: string): string {
  return createHmac('sha256', key).update(signed).digest('base64url');
}

/** Makes a token that `verifyJwt` accepts for the same audience and key until `expiresAtS`. */
export function signJwt({ key, audience, claims, issuedAtS, expiresAtS }: JwtToSign): string {
  const signed = `${HEADER}.${encode({ ...claims, aud: audience, iat: issuedAtS, exp: expiresAtS })}`;
  return `${signed}.${signatureOf(key, signed)}`;
}

/**
 * Checks a token from outside. `expired` is said only of a token that was genuinely signed for the audience; everything
 * else that does not pass is `invalid`. Never throws for a bad token. Signatures are compared in constant time, and as
 * text: base64url has several spellings of the same bytes, and only one is ours.
 */
export function verifyJwt({ keys, audience, token, nowS }: JwtToVerify): JwtVerdict {
  const invalid = { ok: false, reason: 'invalid' } as const;
  if (token.length > TOKEN_CHARS_MAX || !FORM.test(token) || !token.startsWith(`${HEADER}.`)) return invalid;
  const dot = token.lastIndexOf('.');
  const signed = token.slice(0, dot);
  const given = Buffer.from(token.slice(dot + 1));
  const isOurs = keys.some((key) => {
    const expected = Buffer.from(signatureOf(key, signed));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
  if (!isOurs) return invalid;
  // Signed by us, so it is the JSON that signJwt wrote.
  const payload = JSON.parse(Buffer.from(signed.slice(HEADER.length + 1), 'base64url').toString()) as JwtClaims & {
    exp: number;
  };
  if (payload['aud'] !== audience) return invalid;
  if (nowS >= payload.exp) return { ok: false, reason: 'expired' };
  return { ok: true, claims: payload, expiresAtS: payload.exp };
}
