import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import { createKey, revokeLedgerKey, rotateLedgerKey, type TenantAccess } from './change-keys.ts';
import { listKeys } from './ledger-queries.ts';
import { ApiKey, ApiKeyList, ApiKeyWithSecret, CreateApiKey, RotateApiKey } from './schema.ts';

const params = Type.Object({ key_id: Id });
const tags = ['API keys'];
const config = { access: 'account' } as const;

/** Returns the routes of the keys of the caller's account and mode. `tenants` gives access to the tenants module. */
export const apiKeyRoutes =
  (tenants: TenantAccess): RoutePlugin =>
  (api, context) => {
    api.get(
      '/api_keys',
      {
        config,
        schema: { tags, summary: 'List API keys in force', querystring: ApiKeyList, response: { 200: PageOf(ApiKey) } },
      },
      async ({ scope, query: { limit = 25, after, tenant_id } }) => {
        const before = idPosition('api_keys', after);
        const tenantId = await tenants.filter(context.db, scope, tenant_id);
        return idPage('api_keys', await listKeys(context.db, scope, { tenantId, before, rows: limit + 1 }), limit);
      },
    );

    api.post(
      '/api_keys',
      {
        config,
        schema: { tags, summary: 'Make an API key', body: CreateApiKey, response: { 201: ApiKeyWithSecret } },
      },
      async (request, reply) =>
        write(context, { request, reply, status: 201 }, (tx) => createKey(tx, request.scope, request.body, tenants)),
    );

    api.delete(
      '/api_keys/:key_id',
      { config, schema: { tags, summary: 'Revoke an API key', params, response: { 204: Type.Null() } } },
      async (request, reply) =>
        write(context, { request, reply, status: 204 }, (tx) =>
          revokeLedgerKey(tx, request.scope, request.params.key_id),
        ),
    );

    const rotate = { params, body: RotateApiKey, response: { 201: ApiKeyWithSecret } };
    api.post(
      '/api_keys/:key_id/rotate',
      { config, schema: { tags, summary: 'Replace an API key', ...rotate } },
      (request, reply) => {
        const { scope, params, body: change } = request;
        return write(context, { request, reply, status: 201 }, (tx) =>
          rotateLedgerKey(tx, scope, { id: params.key_id, change, tenants }),
        );
      },
    );
  };
