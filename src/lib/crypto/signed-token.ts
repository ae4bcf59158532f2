/**
 * Tokens that are signed and stored nowhere. A token is `head payload "." signature`; payload and HMAC-SHA256 are in
 * base64url (RFC 4648, 5), and the signature covers head and payload. There are two forms:
 *
 * - `prefix`: the head is a prefix of our own such as `svcrt_`. The prefix is signed too, so a token of one kind is
 *   invalid as another, even under one key.
 * - `audience`: a JSON Web Token (RFC 7519), compact, signed with HS256 (RFC 7518, 3.2). The head is the one header
 *   that we write. It is compared as text, so a token cannot name another algorithm, key or type.
 *
 * The holder of a token can read its payload: put no secret in it.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Cipher } from './cipher.ts';
import { createHmacSha256, type HmacSha256 } from './hmac.ts';

/** Derives a key for each label from every secret of the operator, the current secret first. */
export type TokenKeys = Pick<Cipher, 'deriveKey' | 'deriveKeys'>;

/** A kind of token: its key and its form. */
export type TokenKind = { readonly keyLabel: string } & (
  | { readonly prefix: string; readonly audience?: never }
  | { readonly audience: string; readonly prefix?: never }
);

/** JSON values only; the code that verifies a token checks their shape. */
type TokenClaims = Readonly<Record<string, unknown>>;

export type TokenToSign = {
  readonly claims: TokenClaims;
  /** Unix time in seconds; for a JWT. */
  readonly issuedAtS?: number;
  /** Unix time in seconds. The token is refused from then on. */
  readonly expiresAtS: number;
};

export type TokenVerdict =
  | { readonly ok: true; readonly claims: TokenClaims; readonly expiresAtS: number }
  | { readonly ok: false; readonly reason: 'expired' | 'invalid' };

const JWT_HEAD = `${encode({ alg: 'HS256', typ: 'JWT' })}.`;
/** Far above the length of any token made here; bounds the work for a hostile token. */
const TOKEN_CHARS_MAX = 4_096;
const PAYLOAD = /^[\w-]+$/;
const NOTHING = Buffer.alloc(0);

/** Makes a token that `verifyToken` accepts for the same kind until `expiresAtS`. */
export function signToken(keys: TokenKeys, kind: TokenKind, { claims, issuedAtS, expiresAtS }: TokenToSign): string {
  const payload =
    kind.audience === undefined
      ? { exp: expiresAtS, claims }
      : { ...claims, aud: kind.audience, iat: issuedAtS, exp: expiresAtS };
  const signed = headOf(kind) + encode(payload);
  return `${signed}.${signText(keys, kind.keyLabel, signed)}`;
}

/**
 * Checks a token from outside. Returns `expired` only for a token of this kind with a valid signature. Every other
 * token that does not pass is `invalid`. Never throws for a bad token.
 */
export function verifyToken(keys: TokenKeys, kind: TokenKind, token: string, nowS: number): TokenVerdict {
  const invalid = { ok: false, reason: 'invalid' } as const;
  const head = headOf(kind);
  const dot = token.lastIndexOf('.');
  if (token.length > TOKEN_CHARS_MAX || !token.startsWith(head) || dot < head.length) return invalid;
  const payload = token.slice(head.length, dot);
  if (!PAYLOAD.test(payload)) return invalid;
  if (!isSigned(keys, kind.keyLabel, head + payload, token.slice(dot + 1))) return invalid;
  // The signature is ours, so the payload is the JSON that signToken wrote.
  const content = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp: number } & TokenClaims;
  if (kind.audience !== undefined && content['aud'] !== kind.audience) return invalid;
  if (nowS >= content.exp) return { ok: false, reason: 'expired' };
  const claims = kind.audience === undefined ? (content['claims'] as TokenClaims) : content;
  return { ok: true, claims, expiresAtS: content.exp };
}

/** Signs a text with the current key of the label: HMAC-SHA256 in base64url. */
export function signText(keys: TokenKeys, label: string, text: string): string {
  return hmacOf(keys.deriveKey(label))(text, NOTHING, 'base64url');
}

/**
 * True if a key of the label, current or former, made the signature. Signatures are compared in constant time. They are
 * compared as text: base64url has several spellings of the same bytes, and only one is ours.
 */
export function isSigned(keys: TokenKeys, label: string, text: string, signature: string): boolean {
  const given = Buffer.from(signature);
  return keys.deriveKeys(label).some((key) => {
    const expected = Buffer.from(hmacOf(key)(text, NOTHING, 'base64url'));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
}

const prepared = new WeakMap<Buffer, HmacSha256>();

/** The cipher returns the same buffer for a label each time, so each key is prepared once. */
function hmacOf(key: Buffer): HmacSha256 {
  const known = prepared.get(key);
  if (known !== undefined) return known;
  const hmac = createHmacSha256(key);
  prepared.set(key, hmac);
  return hmac;
}

function headOf({ prefix }: TokenKind): string {
  return prefix ?? JWT_HEAD;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
