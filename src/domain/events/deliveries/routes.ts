import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import { getEndpoint } from '../webhook-endpoints/get-endpoint.ts';
import { getDelivery } from './get-delivery.ts';
import { listDeliveries } from './queries.ts';
import { retryDelivery } from './retry-delivery.ts';
import { DeliveryList, RetryDelivery, WebhookDelivery, WebhookDeliveryDetail } from './schema.ts';

const tags = ['Webhook endpoints'];
const config = { access: 'account' } as const;
const ofEndpoint = Type.Object({ endpoint_id: Id });
const ofDelivery = Type.Object({ endpoint_id: Id, delivery_id: Id });

export const deliveryRoutes: RoutePlugin = (api, context) => {
  api.get(
    '/webhook_endpoints/:endpoint_id/deliveries',
    {
      config,
      schema: {
        tags,
        summary: 'List deliveries to an endpoint',
        params: ofEndpoint,
        querystring: DeliveryList,
        response: { 200: PageOf(WebhookDelivery) },
      },
    },
    async ({ scope, params, query }) => {
      const { limit = 25, after, status = null, event_id: eventId = null } = query;
      const list = `deliveries:${params.endpoint_id}`;
      const before = idPosition(list, after);
      const { id: endpointId } = await getEndpoint(context.db, scope, params.endpoint_id);
      const rows = await listDeliveries(context.db, scope, { endpointId, status, eventId, before, rows: limit + 1 });
      return idPage(list, rows, limit);
    },
  );

  const get = { params: ofDelivery, response: { 200: WebhookDeliveryDetail } };
  api.get(
    '/webhook_endpoints/:endpoint_id/deliveries/:delivery_id',
    { config, schema: { tags, summary: 'Get a delivery', ...get } },
    ({ scope, params }) =>
      getDelivery(context.db, scope, { endpointId: params.endpoint_id, deliveryId: params.delivery_id }),
  );

  api.post(
    '/webhook_endpoints/:endpoint_id/deliveries/:delivery_id/retry',
    {
      config,
      schema: {
        tags,
        summary: 'Send a delivery again now',
        params: ofDelivery,
        body: RetryDelivery,
        response: { 200: WebhookDelivery },
      },
    },
    (request, reply) => {
      const { endpoint_id: endpointId, delivery_id: deliveryId } = request.params;
      return write(context, { request, reply, status: 200 }, (tx) =>
        retryDelivery(tx, request.scope, { endpointId, deliveryId }),
      );
    },
  );
};
