import { randomBytes } from 'node:crypto';
import { isId } from '../../../lib/ids.ts';

/** active ──▶ revoked, and never back: a person who returns gets a web client anew. */
export const WEB_CLIENT_STATUSES = ['active', 'revoked'] as const;
export type WebClientStatus = (typeof WEB_CLIENT_STATUSES)[number];

/** True for an address that names a web client; all others are telephone numbers. */
export function isWebClient(address: string): boolean {
  return isId('web_client', address);
}

export const NAME_CHARS_MAX = 200;

/** How long a login token is good for. */
export const LOGIN_TOKEN_LIFE_S = 300;

/** 160 random bits as hexadecimal digits, after a letter: valid as a SIP user (RFC 3261 25.1), and guessed by nobody. */
export function newSipUsername(): string {
  return `s${randomBytes(20).toString('hex')}`;
}
