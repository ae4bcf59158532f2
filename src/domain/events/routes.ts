import type { RoutePlugin } from '../../http/edge/types.ts';
import { deliveryRoutes } from './deliveries/routes.ts';
import type { TenantFilter } from './events/list-events.ts';
import { eventRecordRoutes } from './events/routes.ts';
import { replayRoutes } from './replays/routes.ts';
import type { LockTenant } from './webhook-endpoints/create-endpoint.ts';
import { endpointActionRoutes, endpointRoutes } from './webhook-endpoints/routes.ts';

/** The routes of webhook endpoints, their actions, deliveries and replays. */
export const webhookEndpointRoutes =
  (lockTenant: LockTenant): RoutePlugin =>
  (api, context) => {
    endpointRoutes(lockTenant)(api, context);
    endpointActionRoutes(api, context);
    deliveryRoutes(api, context);
    replayRoutes(api, context);
  };

/** The routes of the stored events. */
export const eventRoutes = (tenantFilter: TenantFilter): RoutePlugin => eventRecordRoutes(tenantFilter);
