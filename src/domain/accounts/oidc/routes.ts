import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../context.ts';
import { readCookie, readCookieNamed, setCookie } from '../../../http/console/cookie.ts';
import type { RoutePlugin } from '../../../http/edge/types.ts';
import type { MakeLimiter } from '../../../http/limits/rate-limit.ts';
import { limitSignIns } from '../../../http/limits/sign-in-rate.ts';
import { signToken, verifyToken } from '../../../lib/crypto/signed-token.ts';
import { html } from '../../../lib/http/html.ts';
import { SESSION_LIFE_S } from '../console-sessions/rules.ts';
import { type Attempt, createProvider, type OidcSettings } from './provider.ts';
import { type Refusal, signInByClaims } from './sign-in-by-claims.ts';

const hidden = { schema: { hide: true } } as const;

const KIND = { keyLabel: 'console-oidc', prefix: 'svcoi_' };
const COOKIE = 'dialplane_oidc';
/** The time that a person has to sign in at the provider. */
const ATTEMPT_LIFE_S = 10 * 60;
const CALLBACK = '/console/sign-in/callback';

/**
 * Returns the pages of the sign-in by the identity provider: one page sends the browser there, and the other receives
 * it back. A refusal leads to the sign-in page with the reason in its address.
 */
export function oidcPages(settings: OidcSettings, makeLimiter: MakeLimiter): RoutePlugin {
  const provider = createProvider(settings);
  return (app, context) => {
    const { publicUrl, rateLimit } = context.settings;
    const takeAttempt = limitSignIns(makeLimiter, 'console-oidc');
    const refuse = (request: FastifyRequest, reply: FastifyReply, reason: Refusal | 'failed', error?: unknown) => {
      request.log.warn(
        { reason, err: error },
        'the sign-in by the identity provider failed; the browser goes back to the sign-in page',
      );
      return reply.redirect(`${publicUrl}/console/sign-in?refused=${reason}`);
    };

    app.get('/console/sign-in/oidc', hidden, async (request, reply) => {
      if (rateLimit) await takeAttempt(request);
      try {
        const { url, attempt } = await provider.begin(`${publicUrl}${CALLBACK}`);
        keepAttempt(context, reply, attempt);
        return reply.header('cache-control', 'no-store').redirect(url);
      } catch (error) {
        return refuse(request, reply, 'failed', error);
      }
    });

    app.get(CALLBACK, hidden, async (request, reply) => {
      if (rateLimit) await takeAttempt(request);
      const attempt = attemptOf(context, request);
      dropAttempt(context, reply);
      try {
        if (attempt === undefined) throw new Error('the browser has begun no sign-in, or more than 10 minutes ago');
        const claims = await provider.finish(new URL(`${publicUrl}${request.url}`), attempt);
        const browser = { userAgent: request.headers['user-agent'], formerSecret: readCookie(request) };
        const wanted = { claims, roleClaim: settings.roleClaim };
        const signedIn = await context.db.transaction((tx) => signInByClaims(tx, wanted, browser));
        if (typeof signedIn === 'string') return refuse(request, reply, signedIn);
        setCookie(reply, publicUrl, { value: signedIn.secret, lifeS: SESSION_LIFE_S });
        return sendOn(reply, `${publicUrl}/console`);
      } catch (error) {
        return refuse(request, reply, 'failed', error);
      }
    });
  };
}

type Place = Pick<Context, 'cipher' | 'clock' | 'settings'>;

/**
 * SameSite=Lax: the browser must send this cookie when it returns from the provider. The cookie alone grants no access.
 */
function setAttempt({ settings: { publicUrl } }: Place, reply: FastifyReply, value: string, lifeS: number): void {
  const { protocol, pathname } = new URL(`${publicUrl}/console/sign-in`);
  const secure = protocol === 'https:' ? '; Secure' : '';
  reply.header('set-cookie', `${COOKIE}=${value}; Path=${pathname}; Max-Age=${lifeS}; HttpOnly; SameSite=Lax${secure}`);
}

function keepAttempt(place: Place, reply: FastifyReply, attempt: Attempt): void {
  const expiresAtS = Math.floor(place.clock.now() / 1_000) + ATTEMPT_LIFE_S;
  setAttempt(place, reply, signToken(place.cipher, KIND, { claims: attempt, expiresAtS }), ATTEMPT_LIFE_S);
}

function dropAttempt(place: Place, reply: FastifyReply): void {
  setAttempt(place, reply, '', 0);
}

function attemptOf({ cipher, clock }: Place, request: FastifyRequest): Attempt | undefined {
  const verdict = verifyToken(cipher, KIND, readCookieNamed(request, COOKIE) ?? '', clock.now() / 1_000);
  return verdict.ok ? (verdict.claims as Attempt) : undefined;
}

/**
 * Sends a page that leads to the console. A redirect would belong to the navigation that began at the provider, and
 * browsers send no SameSite=Strict cookie with it.
 */
function sendOn(reply: FastifyReply, url: string): FastifyReply {
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=${url}">
<title>Dialplane</title>
</head>
<body><p><a href="${url}">Open the console</a></p></body>
</html>
`;
  return reply
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .type('text/html')
    .send(markup);
}
