import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { readTraceparent } from '../../../lib/http/traceparent.ts';
import { Type } from '../../../lib/type.ts';
import { checkEndpoint, checkTestEvent } from './check-endpoint.ts';
import { createEndpoint, type LockTenant } from './create-endpoint.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { getEndpoint } from './get-endpoint.ts';
import { listEndpoints } from './queries.ts';
import { rotateSecret } from './rotate-secret.ts';
import {
  CreateWebhookEndpoint,
  RotateSecret,
  SendTestEvent,
  TestDelivery,
  UpdateWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookEndpointWithSecret,
} from './schema.ts';
import { sendTestEvent } from './send-test-event.ts';
import { updateEndpoint } from './update-endpoint.ts';

const params = Type.Object({ endpoint_id: Id });
const tags = ['Webhook endpoints'];
const config = { access: 'account' } as const;

export const endpointRoutes =
  (lockTenant: LockTenant): RoutePlugin =>
  (api, context) => {
    const list = { querystring: WebhookEndpointList, response: { 200: PageOf(WebhookEndpoint) } };
    api.get(
      '/webhook_endpoints',
      { config, schema: { tags, summary: 'List webhook endpoints', ...list } },
      async ({ scope, query: { limit = 25, after } }) => {
        const before = idPosition('webhook_endpoints', after);
        const rows = await listEndpoints(context.db, scope, { before, rows: limit + 1 });
        return idPage('webhook_endpoints', rows, limit);
      },
    );

    const create = { body: CreateWebhookEndpoint, response: { 201: WebhookEndpointWithSecret } };
    api.post(
      '/webhook_endpoints',
      {
        config,
        schema: { tags, summary: 'Register a webhook endpoint', ...create },
        preHandler: async ({ scope, body }) => checkEndpoint(context.settings, scope, body),
      },
      async (request, reply) =>
        write(context, { request, reply, status: 201 }, (tx) =>
          createEndpoint({ ...context, lockTenant }, tx, request.scope, request.body),
        ),
    );

    const get = { params, response: { 200: WebhookEndpoint } };
    api.get(
      '/webhook_endpoints/:endpoint_id',
      { config, schema: { tags, summary: 'Get a webhook endpoint', ...get } },
      ({ scope, params }) => getEndpoint(context.db, scope, params.endpoint_id),
    );

    const update = { params, body: UpdateWebhookEndpoint, response: { 200: WebhookEndpoint } };
    api.patch(
      '/webhook_endpoints/:endpoint_id',
      {
        config,
        schema: { tags, summary: 'Update a webhook endpoint', ...update },
        preHandler: async ({ scope, body }) => checkEndpoint(context.settings, scope, body),
      },
      (request, reply) => {
        const { params, body: change, scope } = request;
        return write(context, { request, reply, status: 200 }, (tx) =>
          updateEndpoint(tx, scope, { id: params.endpoint_id, change, lockTenant }),
        );
      },
    );

    api.delete(
      '/webhook_endpoints/:endpoint_id',
      { config, schema: { tags, summary: 'Delete a webhook endpoint', params, response: { 204: Type.Null() } } },
      async (request, reply) =>
        write(context, { request, reply, status: 204 }, (tx) =>
          deleteEndpoint(tx, request.scope, request.params.endpoint_id),
        ),
    );
  };

export const endpointActionRoutes: RoutePlugin = (api, context) => {
  const rotate = { params, body: RotateSecret, response: { 200: WebhookEndpointWithSecret } };
  api.post(
    '/webhook_endpoints/:endpoint_id/rotate_secret',
    { config, schema: { tags, summary: 'Mint a new secret for an endpoint', ...rotate } },
    async (request, reply) =>
      write(context, { request, reply, status: 200 }, (tx) =>
        rotateSecret(context, tx, request.scope, request.params.endpoint_id),
      ),
  );

  const test = { params, body: SendTestEvent, response: { 200: TestDelivery } };
  api.post(
    '/webhook_endpoints/:endpoint_id/test',
    {
      config,
      schema: { tags, summary: 'Send a test event to an endpoint', ...test },
      preHandler: async ({ body }) => checkTestEvent(body),
    },
    async (request, reply) =>
      write(
        context,
        { request, reply, status: 200 },
        {
          outside: () =>
            sendTestEvent(context, request.scope, {
              endpointId: request.params.endpoint_id,
              wanted: request.body,
              traceparent: readTraceparent(request.headers['traceparent']),
            }),
        },
      ),
  );
};
