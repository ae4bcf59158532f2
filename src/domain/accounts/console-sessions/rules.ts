import { hash, randomBytes } from 'node:crypto';

/** How long a session lasts, in seconds. */
export const SESSION_LIFE_S = 12 * 60 * 60;

/**
 * Lifetimes of sign-in links in seconds: of a link that a command prints, and of a link that a starting program prints.
 */
export const LINK_LIFE_S = 15 * 60;
export const START_LINK_LIFE_S = 60 * 60;

/** The form of a link's token and of a session's secret. */
export const SECRET_FORM = /^[\w-]{43}$/;

/** Makes the token of a link, or the secret of a session: 256 random bits in base64url. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the hash of a token or secret, which is stored instead of it. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** A session keeps this much of the browser's name. */
export const USER_AGENT_CHARS_MAX = 300;

/** The roles of users, and `account`: the role of a link for one account, which has no user. */
export const CONSOLE_ROLES = ['operator', 'account', 'admin', 'support', 'viewer'] as const;
export type ConsoleRole = (typeof CONSOLE_ROLES)[number];
