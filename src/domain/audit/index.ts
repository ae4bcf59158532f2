export { type Action, type ChangeMaker, recordActions, recordBy } from './audit-log/record-action.ts';
export { auditLogRoutes } from './audit-log/routes.ts';
export { type AuditAction, changedFields } from './audit-log/rules.ts';
export { auditSweeps } from './audit-log/sweeps.ts';
export { forgetKeysWith } from './request-log/queries.ts';
export { createRequestRecorder, type RequestRecorder } from './request-log/recorder.ts';
export { requestLogSweeps } from './request-log/retention.ts';
export { requestLogRoutes } from './request-log/routes.ts';
