import type { RoutePlugin } from '../../../http/edge/types.ts';
import { getUsage, type TenantFilter } from './get-usage.ts';
import { UsageQuery, UsageSummary } from './schema.ts';

const schema = {
  tags: ['Usage and balance'],
  summary: 'Sum up usage',
  querystring: UsageQuery,
  response: { 200: UsageSummary },
};

/** Returns the route of the usage summary. The tenants module provides `tenantFilter`. */
export function usageRoutes(tenantFilter: TenantFilter): RoutePlugin {
  return (api, context) => {
    api.get('/usage', { schema }, ({ scope, query }) => getUsage(context.db, scope, query, tenantFilter));
  };
}
