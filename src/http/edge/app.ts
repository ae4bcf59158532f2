import type { ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  fastify,
  LogController,
  type RouteOptions,
} from 'fastify';
import type { Context } from '../../context.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import { routedUrl } from '../console/ledger-path.ts';
import { createSameSiteCheck } from '../console/same-site.ts';
import { CONSOLE_API, createSessionGuard } from '../console/session-guard.ts';
import { type AdmissionOptions, admitByLedger, createAdmission } from '../limits/admission.ts';
import { boundBodies } from '../limits/bound-bodies.ts';
import { type ConnectionLimits, limitConnections } from '../limits/connection-limits.ts';
import { limitOpenConnections, type OpenConnectionLimits } from '../limits/open-connections.ts';
import { createMemoryLimiter, RATE_OF_FAILURES, type RateLimiter } from '../limits/rate-limit.ts';
import { collectOpenApi } from '../openapi/collect.ts';
import type { EventDescription } from '../openapi/webhooks.ts';
import { createLateCompilers } from '../schemas/late-compiler.ts';
import { Closed, ID_CHARS_MAX } from '../schemas/schemas.ts';
import { type Credentials, createAuthenticator, type Session } from './authenticate.ts';
import { awaitRequests } from './await-requests.ts';
import { BODY_BYTES_MAX } from './body-limits.ts';
import { createConnectionErrorHandler, refuseExpectations } from './connection-errors.ts';
import { createErrorHandler } from './error-handler.ts';
import { createGuard } from './guard.ts';
import { createUnroutedHandler, rememberRoutes } from './not-found.ts';
import { observeRequests } from './observe.ts';
import { acceptJson } from './read-body.ts';
import { type RequestSink, recordRequests } from './record-requests.ts';
import { JSON_HEADERS, protectJson } from './reply-headers.ts';
import { verifyAudioUrl } from './signed-links.ts';
import type { Api, RoutePlugin } from './types.ts';

const NOTHING = Closed({});

/** How long the end of an app waits for running requests. */
const FINISH_WITHIN_MS = 7_000;

type RequestTimes = {
  /** How long a request may take to arrive, and how long a new connection may send nothing. */
  readonly arrivalMs: number;
  /** Interval of the checks of connections. A check ends each request that is late. */
  readonly checkMs: number;
};

const REQUEST_TIMES: RequestTimes = { arrivalMs: 30_000, checkMs: 1_000 };

export type AppOptions = {
  context: Context;
  credentials: Credentials;
  /** Routes under /v1, behind a key or a console session. */
  routes: readonly RoutePlugin[];
  /** Routes of the console's own API, behind a console session. */
  consoleRoutes: readonly RoutePlugin[];
  /** Pages and probes outside /v1, without a key. */
  pages: readonly RoutePlugin[];
  /** The event types, for the OpenAPI document. */
  events: readonly EventDescription[];
  limiter?: RateLimiter;
  /** Receives the requests for the request log. */
  requestSink: RequestSink;
  /** True from the start of a shutdown. From then on, replies announce that their connection will be closed. */
  isStopping?: () => boolean;
  /** Limits the requests with wrong keys from each address. */
  failureLimiter?: RateLimiter;
  /** Limits of the memory for clients that do not read their replies; CONNECTION_LIMITS by default. */
  connectionLimits?: Partial<ConnectionLimits>;
  /** How long a request may take to arrive; REQUEST_TIMES by default. */
  requestTimes?: RequestTimes;
  /** Limits of one ledger's share of the process. */
  admission?: Partial<AdmissionOptions>;
};

/**
 * Builds the HTTP edge. Its hooks check authentication, rate limit, syntax and schema, in this order. After them the
 * routes of the resources run.
 */
export async function buildApp(options: AppOptions): Promise<Api> {
  const { context, pages, events, connectionLimits, requestSink } = options;
  const handleError = createErrorHandler(context.settings.publicUrl);
  const compilers = createLateCompilers();
  const app: Api = fastify({
    schemaController: withCompilers(compilers),
    loggerInstance: context.log.child({ part: 'http' }) as FastifyBaseLogger,
    // observe.ts writes one line for each request. Fastify would write two.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: BODY_BYTES_MAX,
    routerOptions: { maxParamLength: ID_CHARS_MAX, ignoreTrailingSlash: false },
    genReqId: () => newId('request'),
    ...(options.consoleRoutes.length > 0 && { rewriteUrl: routedUrl }),
    forceCloseConnections: 'idle',
    // During a shutdown, a request on an open connection is answered as usual. Then the connection is closed.
    return503OnClosing: false,
    ...serverTimes(options.requestTimes ?? REQUEST_TIMES),
    clientErrorHandler: createConnectionErrorHandler(context.settings.publicUrl, context.log),
    trustProxy: (_address, hop) => hop < context.settings.trustedProxies,
    // Answers requests that Fastify refuses before any hook runs.
    frameworkErrors: (error, request, reply) =>
      void handleError(
        error,
        request as FastifyRequest,
        reply.headers({ 'request-id': request.id, ...JSON_HEADERS }) as FastifyReply,
      ),
  });
  decorateRequests(app);
  app.setValidatorCompiler(compilers.compileValidator);
  app.setSerializerCompiler(compilers.compileSerializer);
  app.decorate('compileSchemas', compilers.compileAll);
  app.setSchemaErrorFormatter((errors) => errors as unknown as Error);
  app.setErrorHandler(handleError);
  acceptJson(app);
  protectJson(app);
  awaitRequests(app, FINISH_WITHIN_MS);
  announceClose(app, options.isStopping ?? (() => false));
  limitConnections(app, connectionLimits);
  limitOpenConnections(app.server, openConnectionsOf(context.settings), context.log);
  refuseExpectations(app.server, context.settings.publicUrl);
  const known = rememberRoutes(app);
  observeRequests(app, context);
  boundBodies(app, context.metrics);
  recordRequests(app, { sink: requestSink, now: context.clock.now });
  await collectOpenApi(app, { publicUrl: context.settings.publicUrl, events });

  const unrouted = createUnroutedHandler(known);
  await addApis(app, options, unrouted);
  for (const page of pages) page(app, context);
  app.setNotFoundHandler(unrouted);
  return app;
}

/** Adds the routes of the public API and of the console's own API. */
async function addApis(app: Api, options: AppOptions, unrouted: ReturnType<typeof createUnroutedHandler>) {
  const { context, credentials } = options;
  const { publicUrl } = context.settings;
  const shared = {
    publicUrl,
    authenticator: createAuthenticator(context, credentials),
    checkSameSite: createSameSiteCheck(publicUrl),
    ...limitersOf(options),
  };
  const verifyLink = (link: Parameters<typeof verifyAudioUrl>[1]) => verifyAudioUrl(context, link);
  const hooks = [refuseUndeclared, admitByLedger(createAdmission(options.admission))];
  const add = async (prefix: string, routes: readonly RoutePlugin[], guard: ReturnType<typeof createGuard>) => {
    await app.register(
      (api, _options, done) => {
        api.addHook('onRequest', guard);
        for (const hook of hooks) api.addHook('onRoute', hook);
        for (const plugin of routes) plugin(api as Api, context);
        api.setNotFoundHandler(unrouted);
        done();
      },
      { prefix },
    );
  };
  await add('/v1', options.routes, createGuard({ ...shared, verifyLink, findState: credentials.keys.findState }));
  if (options.consoleRoutes.length > 0) await add(CONSOLE_API, options.consoleRoutes, createSessionGuard(shared));
}

/** Sets the factories of compilers. Otherwise Fastify loads its default factories, which have 150 modules. */
function withCompilers({ compileValidator, compileSerializer }: ReturnType<typeof createLateCompilers>) {
  const compilersFactory = { buildValidator: () => compileValidator, buildSerializer: () => compileSerializer };
  return { compilersFactory } as unknown as NonNullable<FastifyServerOptions['schemaController']>;
}

function decorateRequests(app: Api): void {
  app.decorateRequest('scope', null as unknown as Scope);
  app.decorateRequest('link', undefined);
  app.decorateRequest('session', null as unknown as Session);
  app.decorateRequest('errorCode', undefined);
  app.decorateRequest('tenantId', undefined);
  app.decorateRequest('resourceId', undefined);
}

function openConnectionsOf(settings: Context['settings']): OpenConnectionLimits {
  const { clientConnectionsMax: totalMax, addressConnectionsMax, trustedProxies } = settings;
  // All connections from a proxy have the proxy's address, so only the total is limited behind a proxy.
  return { totalMax, perAddressMax: trustedProxies > 0 ? totalMax : addressConnectionsMax };
}

/** Returns the limiters of requests with keys and of requests with wrong keys. */
function limitersOf({ context, limiter, failureLimiter }: AppOptions) {
  if (!context.settings.rateLimit) return { limiter: null, failureLimiter: null };
  return {
    limiter: limiter ?? createMemoryLimiter(context.clock),
    failureLimiter: failureLimiter ?? createMemoryLimiter(context.clock, RATE_OF_FAILURES),
  };
}

/** Makes a route without a schema for its query or its body refuse fields there. So callers find their typos. */
function refuseUndeclared(route: RouteOptions): void {
  if (route.config?.public) return;
  const takesBody = [route.method].flat().some((method) => ['POST', 'PUT', 'PATCH'].includes(method));
  route.schema = { querystring: NOTHING, ...(takesBody && { body: NOTHING }), ...route.schema };
}

/**
 * Returns the settings of Node's server. Node's defaults are 60 s for headers, and a check of connections every 30 s.
 */
function serverTimes({ arrivalMs, checkMs }: RequestTimes): { requestTimeout: number; http: ServerOptions } {
  return {
    requestTimeout: arrivalMs,
    http: { headersTimeout: arrivalMs, connectionsCheckingInterval: checkMs },
  };
}

/**
 * Announces with `Connection: close` that the server will close a connection, so that the client sends its next request
 * elsewhere (RFC 9112, 9.6). A client may have sent more requests before it reads a reply, so only the reply to the
 * last request has the announcement. Must be called before hooks that make requests wait for each other.
 */
function announceClose(app: Api, isStopping: () => boolean): void {
  const open = new WeakMap<Socket, number>();
  const count = (socket: Socket, by: number) => open.set(socket, (open.get(socket) ?? 0) + by);
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    count(socket, 1);
    reply.raw.once('close', () => count(socket, -1));
    done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (isStopping() && open.get(request.raw.socket) === 1) reply.header('connection', 'close');
    done();
  });
}
