import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import { getEndpoint } from '../webhook-endpoints/get-endpoint.ts';
import { cancelReplay } from './cancel-replay.ts';
import { checkReplay, createReplay, retryFailed } from './create-replay.ts';
import { getReplay } from './get-replay.ts';
import { listReplays } from './queries.ts';
import { CancelReplay, CreateReplay, ReplayList, RetryFailed, WebhookReplay } from './schema.ts';

const tags = ['Webhook endpoints'];
const config = { access: 'account' } as const;
const ofEndpoint = Type.Object({ endpoint_id: Id });
const ofReplay = Type.Object({ endpoint_id: Id, replay_id: Id });

export const replayRoutes: RoutePlugin = (api, context) => {
  const list = { params: ofEndpoint, querystring: ReplayList, response: { 200: PageOf(WebhookReplay) } };
  api.get(
    '/webhook_endpoints/:endpoint_id/replays',
    { config, schema: { tags, summary: 'List replays to an endpoint', ...list } },
    async ({ scope, params, query: { limit = 25, after } }) => {
      const name = `replays:${params.endpoint_id}`;
      const before = idPosition(name, after);
      const { id: endpointId } = await getEndpoint(context.db, scope, params.endpoint_id);
      return idPage(name, await listReplays(context.db, scope, { endpointId, before, rows: limit + 1 }), limit);
    },
  );

  const create = { params: ofEndpoint, body: CreateReplay, response: { 201: WebhookReplay } };
  api.post(
    '/webhook_endpoints/:endpoint_id/replays',
    {
      config,
      schema: { tags, summary: 'Send the events of a range again to an endpoint', ...create },
      preHandler: async ({ body }) => checkReplay(body),
    },
    async (request, reply) =>
      write(context, { request, reply, status: 201 }, (tx) =>
        createReplay(tx, request.scope, request.params.endpoint_id, request.body),
      ),
  );

  const retry = { params: ofEndpoint, body: RetryFailed, response: { 202: WebhookReplay } };
  api.post(
    '/webhook_endpoints/:endpoint_id/deliveries/retry_failed',
    { config, schema: { tags, summary: 'Try all failed deliveries again', ...retry } },
    async (request, reply) =>
      write(context, { request, reply, status: 202 }, (tx) =>
        retryFailed(tx, request.scope, request.params.endpoint_id),
      ),
  );

  const get = { params: ofReplay, response: { 200: WebhookReplay } };
  api.get(
    '/webhook_endpoints/:endpoint_id/replays/:replay_id',
    { config, schema: { tags, summary: 'Get a replay', ...get } },
    ({ scope, params }) => getReplay(context.db, scope, { endpointId: params.endpoint_id, replayId: params.replay_id }),
  );

  const cancel = { params: ofReplay, body: CancelReplay, response: { 200: WebhookReplay } };
  api.post(
    '/webhook_endpoints/:endpoint_id/replays/:replay_id/cancel',
    { config, schema: { tags, summary: 'End a running replay', ...cancel } },
    (request, reply) => {
      const { endpoint_id: endpointId, replay_id: replayId } = request.params;
      return write(context, { request, reply, status: 200 }, (tx) =>
        cancelReplay(tx, request.scope, { endpointId, replayId }),
      );
    },
  );
};
