import { accountRoutes, apiKeyRoutes, browserSessionRoutes, consoleSessionRoutes } from '../domain/accounts/index.ts';
import { auditLogRoutes, type RequestRecorder, requestLogRoutes } from '../domain/audit/index.ts';
import { balanceRoutes, type Prices, priceRoutes, usageRoutes } from '../domain/billing/index.ts';
import { brandRoutes, campaignRoutes, optInFormRoutes } from '../domain/compliance/index.ts';
import {
  EVENT_CATALOG,
  EVENT_VERSION,
  eventRoutes,
  realtimeTokenRoutes,
  webhookEndpointRoutes,
} from '../domain/events/index.ts';
import {
  cancelMessageRoutes,
  conversationRoutes,
  mediaRoutes,
  messageRoutes,
  messageTemplateRoutes,
  optOutRoutes,
} from '../domain/messaging/index.ts';
import {
  assignCampaignNumbers,
  e911AddressRoutes,
  numberRoutes,
  portInDocumentRoutes,
  portInRoutes,
  routingConfigRoutes,
} from '../domain/numbers/index.ts';
import { getTenant, getTenantForUpdate, tenantFilter, tenantRoutes } from '../domain/tenants/index.ts';
import {
  callRoutes,
  callTimeline,
  listActiveWebClients,
  mediaStreamRoutes,
  recordingRoutes,
  requireWebClient,
  talkRoutes,
  transcriptRoutes,
  voicemailRoutes,
  voicemailTimeline,
  webClientRoutes,
} from '../domain/voice/index.ts';
import type { RoutePlugin } from '../http/edge/types.ts';
import type { MakeLimiter } from '../http/limits/rate-limit.ts';
import { openApiRoute, operatorApiRoute } from '../http/openapi/collect.ts';
import { errorPages } from '../http/pages/error-pages.ts';
import { createEventPage } from '../http/pages/event-page.ts';
import { operationsPage } from '../http/pages/operations-page.ts';
import { overviewPage } from '../http/pages/overview-page.ts';
import { referencePage } from '../http/site/reference-page.ts';
import { siteRoutes } from '../http/site/site-routes.ts';
import { upgradeRequiredRoutes } from '../http/sockets/upgrade-required.ts';
import type { Speech } from '../speech/port.ts';

type RouteParts = {
  readonly prices: Prices;
  readonly speech: Pick<Speech, 'voice'>;
  readonly recorder: RequestRecorder;
};

const TENANTS = { lock: getTenantForUpdate, filter: tenantFilter };

/** Returns every resource under /v1, one line a resource. */
export const createRoutes = ({ prices, speech, recorder }: RouteParts): readonly RoutePlugin[] => [
  tenantRoutes,
  numberRoutes,
  e911AddressRoutes,
  portInRoutes,
  portInDocumentRoutes,
  routingConfigRoutes(listActiveWebClients),
  brandRoutes,
  campaignRoutes(assignCampaignNumbers),
  messageRoutes,
  cancelMessageRoutes,
  messageTemplateRoutes,
  mediaRoutes,
  conversationRoutes([callTimeline, voicemailTimeline]),
  callRoutes(speech),
  talkRoutes(speech),
  mediaStreamRoutes,
  transcriptRoutes,
  recordingRoutes,
  voicemailRoutes,
  webClientRoutes,
  optOutRoutes,
  webhookEndpointRoutes,
  eventRoutes(tenantFilter),
  realtimeTokenRoutes(getTenant),
  optInFormRoutes,
  apiKeyRoutes(TENANTS),
  browserSessionRoutes({ tenants: TENANTS, requireWebClient }),
  auditLogRoutes,
  requestLogRoutes({ recorder, tenantFilter }),
  usageRoutes(tenantFilter),
  priceRoutes(prices),
  balanceRoutes,
  openApiRoute,
  upgradeRequiredRoutes,
];

/** Returns every resource of the console's own API, below /console/api. */
export const createConsoleRoutes = (makeLimiter: MakeLimiter): readonly RoutePlugin[] => [
  consoleSessionRoutes(makeLimiter),
  accountRoutes,
  operatorApiRoute,
];

/** The documentation that every installation serves about itself. */
export const DOCS_PAGES: readonly RoutePlugin[] = [
  overviewPage,
  operationsPage,
  referencePage,
  siteRoutes,
  createEventPage({ eventTypes: EVENT_CATALOG, eventVersion: EVENT_VERSION }),
  errorPages,
];
