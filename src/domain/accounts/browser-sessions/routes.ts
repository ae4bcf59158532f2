import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import { createSession, endSession, type SessionAccess } from './change-sessions.ts';
import { listSessions } from './queries.ts';
import { BrowserSession, BrowserSessionList, BrowserSessionWithToken, CreateBrowserSession } from './schema.ts';

const params = Type.Object({ browser_session_id: Id });
const tags = ['Browser sessions'];

const list = { querystring: BrowserSessionList, response: { 200: PageOf(BrowserSession) } };
const create = { body: CreateBrowserSession, response: { 201: BrowserSessionWithToken } };
const revoke = { params, response: { 204: Type.Null() } };

/** Returns the routes of browser sessions. */
export const browserSessionRoutes =
  (access: SessionAccess): RoutePlugin =>
  (api, context) => {
    api.get(
      '/browser_sessions',
      { schema: { tags, summary: 'List browser sessions in force', ...list } },
      async ({ scope, query: { limit = 25, after, tenant_id } }) => {
        const before = idPosition('browser_sessions', after);
        const tenantId = await access.tenants.filter(context.db, scope, tenant_id);
        const rows = await listSessions(context.db, scope, { tenantId, before, rows: limit + 1 });
        return idPage('browser_sessions', rows, limit);
      },
    );

    api.post(
      '/browser_sessions',
      { schema: { tags, summary: 'Mint a browser session', ...create } },
      async (request, reply) =>
        write(context, { request, reply, status: 201 }, (tx) => createSession(tx, request.scope, request.body, access)),
    );

    api.delete(
      '/browser_sessions/:browser_session_id',
      { schema: { tags, summary: 'Revoke a browser session', ...revoke } },
      async (request, reply) =>
        write(context, { request, reply, status: 204 }, (tx) =>
          endSession(tx, request.scope, request.params.browser_session_id),
        ),
    );
  };
