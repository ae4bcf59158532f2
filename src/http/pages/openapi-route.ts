import type { RoutePlugin } from '../edge/types.ts';

/** GET /v1/openapi.json: the OpenAPI 3.1 document of the running version, open to all. */
export const openApiRoute: RoutePlugin = (api) => {
  let document: string | undefined;
  api.get(
    '/openapi.json',
    { config: { public: true }, schema: { tags: ['Service'], summary: 'This description', security: [] } },
    (_request, reply) => {
      // Routes cannot be added once the server listens, so the first answer holds for good.
      document ??= JSON.stringify(api.swagger());
      return reply.type('application/json; charset=utf-8').send(document);
    },
  );
};
