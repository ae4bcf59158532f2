import type { RoutePlugin } from '../../http/edge/types.ts';
import { ListOf, PAGE_ROWS_MAX } from '../../http/schemas/schemas.ts';
import { SearchQuery, SearchResult } from './schema.ts';
import { search } from './search.ts';

export const searchRoutes: RoutePlugin = (api, { db }) => {
  api.get(
    '/search',
    {
      config: { unlogged: 'console' },
      schema: {
        ...{ tags: ['Search'], summary: 'Find tenants, contacts, numbers and conversations' },
        ...{ querystring: SearchQuery, response: { 200: ListOf(SearchResult, PAGE_ROWS_MAX) } },
      },
    },
    async ({ scope, query: { q, tenant_id, limit = 25 } }) => ({
      data: await search(db, scope, { q, tenant_id, limit }),
    }),
  );
};
