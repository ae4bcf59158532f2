import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { PageOf } from '../../../http/schemas/schemas.ts';
import type { TenantFilter } from '../request-log/read-log.ts';
import { listEntries } from './queries.ts';
import { AuditEntry, AuditLogList } from './schema.ts';

const schema = {
  tags: ['Audit log'],
  summary: 'List the audit log',
  querystring: AuditLogList,
  response: { 200: PageOf(AuditEntry) },
};

/** Returns the route of the audit log of the caller's account and mode. */
export function auditLogRoutes(tenantFilter: TenantFilter): RoutePlugin {
  return (api, context) => {
    api.get('/audit_log', { config: { access: 'account' }, schema }, async ({ scope, query }) => {
      const { limit = 25, after, tenant_id } = query;
      const before = idPosition('audit_log', after);
      const tenantId = await tenantFilter(context.db, scope, tenant_id);
      return idPage('audit_log', await listEntries(context.db, scope, { tenantId, before, rows: limit + 1 }), limit);
    });
  };
}
