import { randomBytes } from 'node:crypto';

/** active ──▶ revoked, and never back: a person who returns gets a new web client. */
export const WEB_CLIENT_STATUSES = ['active', 'revoked'] as const;

export const NAME_CHARS_MAX = 200;

/** How long a login token is valid. */
export const LOGIN_TOKEN_LIFE_S = 300;

/**
 * Returns 160 random bits as hexadecimal digits after a letter: a valid SIP user (RFC 3261 25.1) that cannot be
 * guessed.
 */
export function newSipUsername(): string {
  return `s${randomBytes(20).toString('hex')}`;
}
