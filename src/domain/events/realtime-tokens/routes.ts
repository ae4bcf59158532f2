import type { Db } from '../../../db/database.ts';
import type { RoutePlugin } from '../../../http/edge/types.ts';
import { readIdempotencyKey } from '../../../http/writes/idempotency.ts';
import { write } from '../../../http/writes/write.ts';
import type { Scope } from '../../../lib/scope.ts';
import { MintRealtimeToken, RealtimeToken } from './schema.ts';
import { mintRealtimeToken } from './token.ts';

/** Finds a tenant that the key may use. Errors: tenant_not_found, tenant_restricted_key. */
export type FindTenant = (db: Db, scope: Scope, id: string) => Promise<{ readonly id: string }>;

const schema = {
  tags: ['Events'],
  summary: 'Mint a realtime token',
  body: MintRealtimeToken,
  response: { 201: RealtimeToken },
};

/**
 * Returns the route that mints realtime tokens. The caller passes `findTenant` in, because this module does not import
 * tenants.
 */
export const realtimeTokenRoutes =
  (findTenant: FindTenant): RoutePlugin =>
  (api, context) => {
    api.post(
      '/realtime/tokens',
      { config: { unlogged: 'console', hasNoEffect: true }, schema },
      async (request, reply) => {
        const { scope, body } = request;
        const tenantId = body?.tenant_id;
        const mint = async (db: Db) => {
          if (tenantId === undefined) return mintRealtimeToken(context, scope);
          const { id } = await findTenant(db, scope, tenantId);
          return mintRealtimeToken(context, { ...scope, tenantId: id });
        };
        // A token is not stored, so only a request with an Idempotency-Key needs a transaction.
        if (readIdempotencyKey(request) === undefined) return await reply.code(201).send(await mint(context.db));
        return await write(context, { request, reply, status: 201 }, mint);
      },
    );
  };
