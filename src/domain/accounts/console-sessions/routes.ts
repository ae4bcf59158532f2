import { readCookie, setCookie } from '../../../http/console/cookie.ts';
import type { Session } from '../../../http/edge/authenticate.ts';
import type { RoutePlugin } from '../../../http/edge/types.ts';
import type { MakeLimiter } from '../../../http/limits/rate-limit.ts';
import { limitSignIns } from '../../../http/limits/sign-in-rate.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { PageOf } from '../../../http/schemas/schemas.ts';
import { PROGRAM, VERSION } from '../../../lib/program.ts';
import { Type } from '../../../lib/type.ts';
import { findFirstAccount } from '../accounts/queries.ts';
import { reachOf, revokeSession, signIn, signOut } from './change-sessions.ts';
import { listSessions } from './queries.ts';
import { SESSION_LIFE_S } from './rules.ts';
import { ConsoleSession, ConsoleSessionList, CurrentSession, SignIn, SignInOptions, sessionParams } from './schema.ts';

const tags = ['Console sessions'];

/** Returns the routes of console sessions. `makeLimiter` creates the limiter of attempts to sign in. */
export const consoleSessionRoutes =
  (makeLimiter: MakeLimiter): RoutePlugin =>
  (api, context) => {
    const { db, settings } = context;
    const takeAttempt = limitSignIns(makeLimiter, 'console-sign-ins');

    api.post(
      '/session',
      {
        config: { public: true },
        schema: { tags, summary: 'Sign in', body: SignIn, response: { 201: ConsoleSession } },
      },
      async (request, reply) => {
        if (settings.rateLimit) await takeAttempt(request);
        const userAgent = request.headers['user-agent'];
        const browser = { userAgent, formerSecret: readCookie(request) };
        const { session, secret } = await db.transaction((tx) => signIn(tx, request.body.token, browser));
        setCookie(reply, settings.publicUrl, { value: secret, lifeS: SESSION_LIFE_S });
        return reply.code(201).send(shown(session, session));
      },
    );

    api.get(
      '/session',
      { schema: { tags, summary: 'Get the session of this browser', response: { 200: CurrentSession } } },
      async ({ session }) => {
        const default_account_id = session.account_id ?? (await findFirstAccount(db)) ?? null;
        return { ...shown(session, session), version: VERSION, default_account_id };
      },
    );

    api.delete(
      '/session',
      { config: { whilePaused: true }, schema: { tags, summary: 'Sign out', response: { 204: Type.Null() } } },
      async ({ session }, reply) => {
        await db.transaction((tx) => signOut(tx, session));
        setCookie(reply, settings.publicUrl, { value: '', lifeS: 0 });
        return reply.code(204).send(null);
      },
    );

    api.get(
      '/sessions',
      {
        schema: {
          ...{ tags, summary: 'List console sessions', querystring: ConsoleSessionList },
          response: { 200: PageOf(ConsoleSession) },
        },
      },
      async ({ session, query: { limit = 25, after } }) => {
        const before = idPosition('console_sessions', after);
        const rows = await listSessions(db, reachOf(session), { before, rows: limit + 1 });
        return idPage(
          'console_sessions',
          rows.map((row) => shown(row, session)),
          limit,
        );
      },
    );

    api.delete(
      '/sessions/:session_id',
      {
        config: { whilePaused: true },
        schema: { tags, summary: 'Revoke a console session', params: sessionParams, response: { 204: Type.Null() } },
      },
      async ({ session, params }, reply) => {
        await db.transaction((tx) => revokeSession(tx, session, params.session_id));
        return reply.code(204).send(null);
      },
    );
  };

/**
 * Returns the route with the ways to sign in. `hasProvider` is true if people can also sign in at an identity provider.
 */
export const signInOptionsRoute =
  (hasProvider: boolean): RoutePlugin =>
  (api, { settings }) => {
    const options = {
      object: 'sign_in_options',
      address: `${settings.publicUrl}/console`,
      has_provider: hasProvider,
      program: PROGRAM,
    } as const;
    api.get(
      '/sign_in_options',
      {
        config: { public: true },
        schema: { tags, summary: 'Get the ways to sign in', response: { 200: SignInOptions } },
      },
      () => Promise.resolve(options),
    );
  };

function shown(session: Session, current: Session): ConsoleSession {
  return { object: 'console_session', ...session, is_current: session.id === current.id };
}
