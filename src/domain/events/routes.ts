import type { RoutePlugin } from '../../http/edge/types.ts';
import { deliveryRoutes } from './deliveries/routes.ts';
import type { TenantFilter } from './events/list-events.ts';
import { eventRecordRoutes } from './events/routes.ts';
import { endpointActionRoutes, endpointRoutes } from './webhook-endpoints/routes.ts';

/** The routes of webhook endpoints, their actions and their deliveries. */
export const webhookEndpointRoutes: RoutePlugin = (api, context) => {
  endpointRoutes(api, context);
  endpointActionRoutes(api, context);
  deliveryRoutes(api, context);
};

/** The routes of the stored events. */
export const eventRoutes = (tenantFilter: TenantFilter): RoutePlugin => eventRecordRoutes(tenantFilter);
