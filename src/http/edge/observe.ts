import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { Api } from './types.ts';

/** The methods in metrics and in the request log. Any other method of Node counts as `OTHER`. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'OTHER'] as const;

const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS);

export function methodOf({ method }: Pick<FastifyRequest, 'method'>): string {
  return KNOWN_METHODS.has(method) ? method : 'OTHER';
}

const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Writes one log line and one measurement for each answered request. The log has only ids and codes. Bodies, phone
 * numbers and tokens never reach it, so it has the route's pattern in place of the URL.
 */
export function observeRequests(app: Api, { metrics }: Pick<Context, 'metrics'>): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unrouted';
    const elapsedMs = reply.elapsedTime;
    const method = methodOf(request);
    metrics.requests.observe({ method, route, status: reply.statusCode }, elapsedMs / 1000);
    // Balancers and supervisors probe every second or two.
    const level = PROBES.has(route) ? 'debug' : 'info';
    request.log[level](
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(elapsedMs * 10) / 10,
        ...callerOf(request),
        ...(request.errorCode === undefined ? {} : { code: request.errorCode }),
      },
      'request',
    );
    done();
  });
}

function callerOf({ scope, session }: FastifyRequest): object {
  if (session !== null && session !== undefined) return { session: session.id };
  if (scope === null || scope === undefined) return {};
  return { account: scope.accountId, mode: scope.mode, tenant: scope.tenantId, key: scope.keyId };
}
