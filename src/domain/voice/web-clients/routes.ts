import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { createWebClient, revokeWebClient } from './change-web-clients.ts';
import { mintLoginToken } from './login-token.ts';
import { listWebClients } from './queries.ts';
import { CreateWebClient, LoginToken, WebClient, WebClientList } from './schema.ts';

const params = Type.Object({ web_client_id: Id });
const tags = ['Web clients'];

const listSchema = {
  tags,
  summary: 'List web clients',
  querystring: WebClientList,
  response: { 200: PageOf(WebClient) },
};
const createSchema = { tags, summary: 'Create a web client', body: CreateWebClient, response: { 201: WebClient } };
const revokeSchema = { tags, summary: 'Revoke a web client', params, response: { 200: WebClient } };
const mintSchema = { tags, summary: 'Mint a login token', params, response: { 201: LoginToken } };

export const webClientRoutes: RoutePlugin = (api, context) => {
  api.get('/web_clients', { schema: listSchema }, async ({ scope, query }) => {
    const { limit = 25, after, tenant_id } = query;
    const before = idPosition('web_clients', after);
    const tenantId = await tenantFilter(context.db, scope, tenant_id);
    const rows = await listWebClients(context.db, scope, { tenantId, before, rows: limit + 1 });
    return idPage('web_clients', rows, limit);
  });

  api.post('/web_clients', { schema: createSchema }, async (request, reply) =>
    write(context, { request, reply, status: 201 }, (tx) => createWebClient(tx, request.scope, request.body)),
  );

  api.delete('/web_clients/:web_client_id', { schema: revokeSchema }, async (request, reply) =>
    write(context, { request, reply, status: 200 }, (tx) =>
      revokeWebClient(tx, request.scope, request.params.web_client_id),
    ),
  );

  api.post('/web_clients/:web_client_id/tokens', { schema: mintSchema }, async (request, reply) =>
    write(context, { request, reply, status: 201 }, (tx) =>
      mintLoginToken(context, tx, request.scope, request.params.web_client_id),
    ),
  );
};
