import type { Adapter, AdapterKind, LedgerControls } from '../carriers/adapter.ts';
import { connectionRoutes } from '../carriers/connections/routes.ts';
import {
  accountRoutes,
  apiKeyRoutes,
  browserSessionRoutes,
  consoleSessionRoutes,
  type OidcSettings,
  oidcPages,
  signInOptionsRoute,
  userRoutes,
} from '../domain/accounts/index.ts';
import { auditLogRoutes, type RequestRecorder, requestLogRoutes } from '../domain/audit/index.ts';
import { balanceRoutes, type Prices, priceRoutes, STANDARD_PRICES, usageRoutes } from '../domain/billing/index.ts';
import { brandRoutes, campaignRoutes, optInFormRoutes } from '../domain/compliance/index.ts';
import { contactRoutes } from '../domain/contacts/index.ts';
import { EVENT_VERSION, eventRoutes, realtimeTokenRoutes, webhookEndpointRoutes } from '../domain/events/index.ts';
import {
  cancelMessageRoutes,
  conversationRoutes,
  mediaRoutes,
  messageRoutes,
  messageTemplateRoutes,
  noteRoutes,
  noteTimeline,
  optOutCandidateRoutes,
  optOutRoutes,
  redactMessageRoutes,
} from '../domain/messaging/index.ts';
import {
  assignCampaignNumbers,
  e911AddressRoutes,
  numberRoutes,
  portInDocumentRoutes,
  portInRoutes,
  routingConfigRoutes,
} from '../domain/numbers/index.ts';
import { personErasureRoutes, personExportRoutes } from '../domain/privacy/index.ts';
import { searchRoutes } from '../domain/search/index.ts';
import { getTenant, getTenantForUpdate, tenantFilter, tenantRoutes } from '../domain/tenants/index.ts';
import {
  callQueueRoutes,
  callRoutes,
  callTimeline,
  findQueueTenants,
  listActiveWebClients,
  listenRoutes,
  mediaStreamRoutes,
  recordingRoutes,
  relayRoutes,
  requireWebClient,
  sipPhoneRoutes,
  talkRoutes,
  transcriptRoutes,
  voicemailRoutes,
  voicemailTimeline,
  webClientRoutes,
} from '../domain/voice/index.ts';
import { type ConsoleApp, consoleAppRoutes } from '../http/console/app-routes.ts';
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
import type { Speech, Synthesizer } from '../speech/port.ts';
import { accountStandingRoutes } from './account-standings/routes.ts';
import { BUILT_CONSOLE } from './console/console-builder.ts';
import { EVENT_DESCRIPTIONS } from './event-descriptions.ts';
import { noticeRoutes } from './notices/routes.ts';
import { ADAPTER_KINDS } from './parts/adapter-kinds.ts';
import { queueRoutes } from './queues/routes.ts';
import { speechRoutes } from './speech/routes.ts';

type ResourceParts = {
  readonly prices: Prices;
  readonly speech: Pick<Speech, 'voice' | 'toText'>;
  readonly recorder: RequestRecorder;
};

const TENANTS = { lock: getTenantForUpdate, filter: tenantFilter };

/** Returns the resources under /v1, one in each line. */
const createRoutes = ({ prices, speech, recorder }: ResourceParts): readonly RoutePlugin[] => [
  tenantRoutes,
  numberRoutes,
  e911AddressRoutes,
  portInRoutes,
  portInDocumentRoutes,
  routingConfigRoutes({ findWebClients: listActiveWebClients, findQueues: findQueueTenants }),
  brandRoutes,
  campaignRoutes(assignCampaignNumbers),
  messageRoutes,
  cancelMessageRoutes,
  redactMessageRoutes,
  messageTemplateRoutes,
  contactRoutes,
  searchRoutes,
  mediaRoutes,
  conversationRoutes([callTimeline, voicemailTimeline, noteTimeline]),
  noteRoutes,
  callRoutes(speech),
  talkRoutes(speech),
  listenRoutes,
  mediaStreamRoutes,
  relayRoutes(speech),
  transcriptRoutes,
  recordingRoutes,
  voicemailRoutes,
  webClientRoutes,
  sipPhoneRoutes,
  callQueueRoutes,
  optOutCandidateRoutes,
  optOutRoutes,
  webhookEndpointRoutes(getTenantForUpdate),
  eventRoutes(tenantFilter),
  realtimeTokenRoutes(getTenant),
  optInFormRoutes,
  personErasureRoutes,
  personExportRoutes,
  apiKeyRoutes(TENANTS),
  browserSessionRoutes({ tenants: TENANTS, requireWebClient }),
  auditLogRoutes(tenantFilter),
  requestLogRoutes({ recorder, tenantFilter }),
  usageRoutes(tenantFilter),
  priceRoutes(prices),
  balanceRoutes,
  openApiRoute,
  upgradeRequiredRoutes,
];

type ConsoleParts = {
  readonly makeLimiter: MakeLimiter;
  readonly voice: Synthesizer;
  readonly kinds: readonly AdapterKind[];
  readonly oidc: OidcSettings | null;
};

/** Returns the resources of the console's own API, below /console/api. */
const createConsoleRoutes = ({ makeLimiter, voice, kinds, oidc }: ConsoleParts): readonly RoutePlugin[] => [
  consoleSessionRoutes(makeLimiter),
  signInOptionsRoute(oidc !== null),
  speechRoutes({ makeLimiter, voice }),
  accountRoutes,
  accountStandingRoutes,
  noticeRoutes,
  userRoutes,
  queueRoutes,
  connectionRoutes(kinds),
  operatorApiRoute,
];

/** The documentation that every installation serves. */
const DOCS_PAGES: readonly RoutePlugin[] = [
  overviewPage,
  operationsPage,
  referencePage,
  siteRoutes,
  createEventPage({ events: EVENT_DESCRIPTIONS, eventVersion: EVENT_VERSION }),
  errorPages,
];

type RouteOptions = {
  readonly prices?: Prices;
  readonly probesOnly?: boolean;
  readonly consoleApp?: ConsoleApp | null;
  readonly adapterKinds?: readonly AdapterKind[];
  /** The identity provider of the console. */
  readonly oidc?: OidcSettings | null;
};

type RouteParts = {
  readonly adapters: readonly Adapter[];
  readonly speech: Speech;
  readonly recorder: RequestRecorder;
  readonly controls: LedgerControls;
  readonly makeLimiter: MakeLimiter;
  /** The voice of live calls. */
  readonly voice: Synthesizer;
  /** Pages of the domain. */
  readonly pages: readonly RoutePlugin[];
  readonly probes: RoutePlugin;
};

/**
 * Returns the routes under /v1, the routes of the console's API, and all other routes. A process without the API serves
 * only the probes.
 */
export function routesOf(
  options: RouteOptions,
  { adapters, pages, probes, makeLimiter, voice, ...parts }: RouteParts,
): Record<'routes' | 'consoleRoutes' | 'pages', readonly RoutePlugin[]> {
  const { prices = STANDARD_PRICES, probesOnly = false } = options;
  const { consoleApp = BUILT_CONSOLE, adapterKinds = ADAPTER_KINDS, oidc = null } = options;
  if (probesOnly) return { routes: [], consoleRoutes: [], pages: [probes] };
  const consolePages = (app: ConsoleApp) => [
    ...(oidc === null ? [] : [oidcPages(oidc, makeLimiter)]),
    consoleAppRoutes(app),
  ];
  const ofAdapters = adapters.flatMap((adapter) => adapter.routes?.(parts.controls) ?? []);
  return {
    routes: [...createRoutes({ prices, ...parts }), ...ofAdapters],
    consoleRoutes: consoleApp === null ? [] : createConsoleRoutes({ makeLimiter, voice, kinds: adapterKinds, oidc }),
    pages: [...DOCS_PAGES, ...pages, ...(consoleApp === null ? [] : consolePages(consoleApp)), probes],
  };
}
