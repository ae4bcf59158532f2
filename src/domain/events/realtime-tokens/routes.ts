import type { RoutePlugin } from '../../../http/edge/types.ts';
import { readIdempotencyKey } from '../../../http/writes/idempotency.ts';
import { write } from '../../../http/writes/write.ts';
import { RealtimeToken } from './schema.ts';
import { mintRealtimeToken } from './token.ts';

export const realtimeTokenRoutes: RoutePlugin = (api, context) => {
  api.post(
    '/realtime/tokens',
    { schema: { tags: ['Events'], summary: 'Mint a realtime token', response: { 201: RealtimeToken } } },
    async (request, reply) => {
      const token = mintRealtimeToken(context, request.scope);
      // A token is not stored, so only a request with an Idempotency-Key needs the database.
      if (readIdempotencyKey(request) === undefined) return await reply.code(201).send(token);
      return await write(context, { request, reply, status: 201 }, async () => token);
    },
  );
};
