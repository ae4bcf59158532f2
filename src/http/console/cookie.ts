import type { FastifyReply, FastifyRequest } from 'fastify';
import { withoutSlash } from '../../lib/http/without-slash.ts';

/** The name of the console's cookie. */
export const CONSOLE_COOKIE = 'dialplane_console';

/** Reads the console's cookie; undefined if the request has none. */
export function readCookie(request: Pick<FastifyRequest, 'headers'>): string | undefined {
  return readCookieNamed(request, CONSOLE_COOKIE);
}

/** Reads a cookie; undefined if the request has none. If there are several, the first counts (RFC 6265, 5.4). */
export function readCookieNamed(
  { headers: { cookie = '' } }: Pick<FastifyRequest, 'headers'>,
  wanted: string,
): string | undefined {
  for (const pair of cookie.split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === wanted && value !== undefined) return value;
  }
  return undefined;
}

/** Sets the console's cookie for `lifeS` seconds. An empty value with a life of 0 removes it. */
export function setCookie(reply: FastifyReply, publicUrl: string, { value, lifeS }: { value: string; lifeS: number }) {
  const { protocol, pathname } = new URL(publicUrl);
  const path = `${withoutSlash(pathname)}/console`;
  const secure = protocol === 'https:' ? '; Secure' : '';
  // Strict: browsers never send the cookie with a request from another site. The cookie has the console's path, so
  // pages outside of the console do not get it.
  reply.header(
    'set-cookie',
    `${CONSOLE_COOKIE}=${value}; Path=${path}; Max-Age=${lifeS}; HttpOnly; SameSite=Strict${secure}`,
  );
}
