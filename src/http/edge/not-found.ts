import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../lib/errors/errors.ts';
import { requireListed } from './public-paths.ts';
import type { Api } from './types.ts';

type Route = { pattern: RegExp; methods: Set<string> };

/**
 * Refuses requests without a route. An unknown path gets not_found. A known path with another method gets
 * method_not_allowed with Allow.
 */
export function createUnroutedHandler(routes: readonly Route[]) {
  return (request: FastifyRequest, reply: FastifyReply): never => {
    const path = request.url.split('?', 1)[0] as string;
    const methods = new Set(routes.filter((route) => route.pattern.test(path)).flatMap((route) => [...route.methods]));
    if (methods.size === 0) throw new ApiError('not_found');
    const allowed = [...methods].sort().join(', ');
    reply.header('allow', allowed);
    throw new ApiError('method_not_allowed', { message: `This path takes ${allowed}, not ${request.method}.` });
  };
}

/** Records every route that is added later. Each must be in a list of public-paths.ts. */
export function rememberRoutes(app: Api): Route[] {
  const routes: Route[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    requireListed(url);
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
    routes.push({ pattern, methods: new Set([method].flat()) });
  });
  return routes;
}
