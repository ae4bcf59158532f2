import { isUtf8 } from 'node:buffer';
import {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
  type RouteOptions,
} from 'fastify';
import type { Context } from '../../context.ts';
import { ApiError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import { type AdmissionOptions, admitByLedger, createAdmission } from '../limits/admission.ts';
import { type ConnectionLimits, limitConnections } from '../limits/connection-limits.ts';
import { createMemoryLimiter, type RateLimiter } from '../limits/rate-limit.ts';
import { collectOpenApi } from '../openapi/collect.ts';
import { createLateCompilers } from '../schemas/late-compiler.ts';
import { Closed } from '../schemas/schemas.ts';
import { createAuthenticator, type KeyDirectory } from './authenticate.ts';
import { createConnectionErrorHandler, refuseExpectations } from './connection-errors.ts';
import { createErrorHandler } from './error-handler.ts';
import { createGuard } from './guard.ts';
import { createUnroutedHandler, rememberRoutes } from './not-found.ts';
import { observeRequests } from './observe.ts';
import { verifyAudioUrl } from './signed-links.ts';
import type { Api, RoutePlugin } from './types.ts';

const NOTHING = Closed({});

/** Ignored, as RFC 8259, 8.1 allows. */
const BYTE_ORDER_MARK = /^\ufeff/;

const BODY_BYTES_MAX = 1024 * 1024;

/** As long as the longest request line of Node, so that an id of any length is looked up. */
const PARAM_CHARS_MAX = 16 * 1024;

export type AppOptions = {
  context: Context;
  keys: KeyDirectory;
  /** Routes under /v1, behind a key. */
  routes: readonly RoutePlugin[];
  /** Pages and probes outside /v1, without a key. */
  pages: readonly RoutePlugin[];
  /** Event types with their summaries, for the OpenAPI document. */
  eventTypes: Readonly<Record<string, string>>;
  limiter?: RateLimiter;
  /** Limits of what the process holds for clients that do not read; CONNECTION_LIMITS by default. */
  connectionLimits?: Partial<ConnectionLimits>;
  /** Limits of one ledger's share of the process. */
  admission?: Partial<AdmissionOptions>;
};

/** Builds the HTTP edge: hooks in the order authentication, rate limit, syntax, schema, then the resources' routes. */
export async function buildApp(options: AppOptions): Promise<Api> {
  const { context, keys, routes, pages, eventTypes, limiter, connectionLimits, admission } = options;
  const handleError = createErrorHandler(context.settings.publicUrl);
  const app: Api = fastify({
    loggerInstance: context.log.child({ part: 'http' }) as FastifyBaseLogger,
    // observe.ts writes one line a request, in place of Fastify's two.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: BODY_BYTES_MAX,
    routerOptions: { maxParamLength: PARAM_CHARS_MAX, ignoreTrailingSlash: false },
    genReqId: () => newId('request'),
    forceCloseConnections: 'idle',
    // A request on an open connection during a shutdown is answered as usual, and the connection is closed.
    return503OnClosing: false,
    requestTimeout: 30_000,
    clientErrorHandler: createConnectionErrorHandler(context.settings.publicUrl, context.log),
    trustProxy: (_address, hop) => hop < context.settings.trustedProxies,
    // Requests refused before any hook has run.
    frameworkErrors: (error, request, reply) =>
      void handleError(error, request as FastifyRequest, reply.header('request-id', request.id) as FastifyReply),
  });
  app.decorateRequest('scope', null as unknown as Scope);
  app.decorateRequest('link', undefined);
  app.decorateRequest('errorCode', undefined);
  const compilers = createLateCompilers();
  app.setValidatorCompiler(compilers.compileValidator);
  app.setSerializerCompiler(compilers.compileSerializer);
  app.decorate('compileSchemas', compilers.compileAll);
  app.addHook('onClose', (_app, done) => {
    compilers.stop();
    done();
  });
  app.setSchemaErrorFormatter((errors) => errors as unknown as Error);
  app.setErrorHandler(handleError);
  acceptJson(app);
  limitConnections(app, connectionLimits);
  refuseExpectations(app.server, context.settings.publicUrl);
  const known = rememberRoutes(app);
  observeRequests(app, context);
  await collectOpenApi(app, { publicUrl: context.settings.publicUrl, eventTypes });

  const guard = createGuard({
    authenticate: createAuthenticator(context, keys),
    verifyLink: (link) => verifyAudioUrl(context, link),
    limiter: context.settings.rateLimit ? (limiter ?? createMemoryLimiter(context.clock)) : null,
  });
  await app.register(
    (api, _options, done) => {
      api.addHook('onRequest', guard);
      api.addHook('onRoute', refuseUndeclared);
      api.addHook('onRoute', admitByLedger(createAdmission(admission)));
      for (const plugin of routes) plugin(api as Api, context);
      api.setNotFoundHandler(createUnroutedHandler(known));
      done();
    },
    { prefix: '/v1' },
  );
  for (const page of pages) page(app, context);
  app.setNotFoundHandler(createUnroutedHandler(known));
  return app;
}

/** Refuses a query or body on routes that declare none, so that a typo is found. */
function refuseUndeclared(route: RouteOptions): void {
  if (route.config?.public) return;
  const takesBody = [route.method].flat().some((method) => ['POST', 'PUT', 'PATCH'].includes(method));
  route.schema = { querystring: NOTHING, ...(takesBody && { body: NOTHING }), ...route.schema };
}

/** Reads every body as JSON, whatever its content type. An empty body is read as none. */
function acceptJson(app: Api): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    // Decoding bytes that are not UTF-8 would put replacement characters into texts (RFC 8259, 8.1).
    if (!isUtf8(body as Buffer)) return done(new ApiError('invalid_json', { message: 'The body is not UTF-8.' }));
    const { value, error } = parseJson(body.toString('utf8').replace(BYTE_ORDER_MARK, ''));
    done(error, value);
  });
}

/** Keeps a field named __proto__, so that the schema can refuse it by its name. */
function parseJson(text: string): { value: unknown; error: ApiError | null } {
  try {
    const value: unknown = JSON.parse(text);
    // Fastify would read null as an absent body.
    if (value === null)
      return { value, error: new ApiError('invalid_body', { message: 'The body must be an object.' }) };
    return { value, error: null };
  } catch (error) {
    return { value: undefined, error: new ApiError('invalid_json', { cause: error }) };
  }
}
