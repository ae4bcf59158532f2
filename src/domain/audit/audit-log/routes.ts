import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { PageOf } from '../../../http/schemas/schemas.ts';
import { listEntries } from './queries.ts';
import { AuditEntry, AuditLogList } from './schema.ts';

const schema = {
  tags: ['Audit log'],
  summary: 'List the audit log',
  querystring: AuditLogList,
  response: { 200: PageOf(AuditEntry) },
};

/** The route of the audit log of the caller's account and mode. */
export const auditLogRoutes: RoutePlugin = (api, context) => {
  api.get('/audit_log', { config: { access: 'account' }, schema }, async ({ scope, query: { limit = 25, after } }) => {
    const before = idPosition('audit_log', after);
    return idPage('audit_log', await listEntries(context.db, scope, { before, rows: limit + 1 }), limit);
  });
};
