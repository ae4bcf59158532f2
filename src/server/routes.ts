import { apiKeyRoutes } from '../domain/accounts/index.ts';
import { balanceRoutes, usageRoutes } from '../domain/billing/index.ts';
import { brandRoutes, campaignRoutes, optInFormRoutes } from '../domain/compliance/index.ts';
import { eventRoutes, realtimeTokenRoutes, webhookEndpointRoutes } from '../domain/events/index.ts';
import { conversationRoutes, messageRoutes, optOutRoutes } from '../domain/messaging/index.ts';
import {
  assignCampaignNumbers,
  e911AddressRoutes,
  numberRoutes,
  portInRoutes,
  routingConfigRoutes,
} from '../domain/numbers/index.ts';
import { getTenantForUpdate, tenantFilter, tenantRoutes } from '../domain/tenants/index.ts';
import {
  callRoutes,
  callTimeline,
  findActiveWebClient,
  mediaStreamRoutes,
  recordingRoutes,
  transcriptRoutes,
  voicemailRoutes,
  voicemailTimeline,
  webClientRoutes,
} from '../domain/voice/index.ts';
import type { RoutePlugin } from '../http/edge/types.ts';
import { openApiRoute } from '../http/pages/index.ts';
import { upgradeRequiredRoutes } from '../http/sockets/upgrade-required.ts';

/** Every resource under /v1, one line each. */
export const ROUTES: readonly RoutePlugin[] = [
  tenantRoutes,
  numberRoutes,
  e911AddressRoutes,
  portInRoutes,
  routingConfigRoutes(findActiveWebClient),
  brandRoutes,
  campaignRoutes(assignCampaignNumbers),
  messageRoutes,
  conversationRoutes([callTimeline, voicemailTimeline]),
  callRoutes,
  mediaStreamRoutes,
  transcriptRoutes,
  recordingRoutes,
  voicemailRoutes,
  webClientRoutes,
  optOutRoutes,
  webhookEndpointRoutes,
  eventRoutes(tenantFilter),
  realtimeTokenRoutes,
  optInFormRoutes,
  apiKeyRoutes({ lock: getTenantForUpdate, filter: tenantFilter }),
  usageRoutes(tenantFilter),
  balanceRoutes,
  openApiRoute,
  upgradeRequiredRoutes,
];
