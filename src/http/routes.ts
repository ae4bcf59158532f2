import { eventRoutes, realtimeTokenRoutes, webhookEndpointRoutes } from '../domain/events/index.ts';
import { conversationRoutes, messageRoutes, optOutRoutes } from '../domain/messaging/index.ts';
import { numberRoutes } from '../domain/numbers/index.ts';
import { tenantFilter, tenantRoutes } from '../domain/tenants/index.ts';
import { openApiRoute } from './pages/index.ts';
import type { RoutePlugin } from './types.ts';

/** Every resource under /v1, one line each. */
export const ROUTES: readonly RoutePlugin[] = [
  tenantRoutes,
  numberRoutes,
  messageRoutes,
  conversationRoutes,
  optOutRoutes,
  webhookEndpointRoutes,
  eventRoutes(tenantFilter),
  realtimeTokenRoutes,
  openApiRoute,
];
