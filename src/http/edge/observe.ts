import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { Api } from './types.ts';

/**
 * One log line and one measurement a request, when it has been answered. Ids and codes only: bodies, phone numbers
 * and tokens never reach the log, so the URL is not in it but the route's pattern is.
 */
export function observeRequests(app: Api, { metrics }: Pick<Context, 'metrics'>): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unrouted';
    const elapsedMs = reply.elapsedTime;
    metrics.requests.observe({ method: request.method, route, status: reply.statusCode }, elapsedMs / 1000);
    request.log.info(
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(elapsedMs * 10) / 10,
        ...whoAsked(request),
        ...(request.errorCode === undefined ? {} : { code: request.errorCode }),
      },
      'request',
    );
    done();
  });
}

function whoAsked({ scope }: FastifyRequest): object {
  if (scope === null || scope === undefined) return {};
  return { account: scope.accountId, mode: scope.mode, tenant: scope.tenantId, key: scope.keyId };
}
