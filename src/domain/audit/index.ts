export { recordActions, recordCommand } from './audit-log/record-action.ts';
export { auditLogRoutes } from './audit-log/routes.ts';
export { type AuditAction, changedFields } from './audit-log/rules.ts';
export { auditSweeps } from './audit-log/sweeps.ts';
