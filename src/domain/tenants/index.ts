export { getTenant, getTenantForUpdate, tenantFilter } from './tenants/get-tenant.ts';
export {
  findLiveLedger,
  findTenantIds,
  lockTenantShared,
  readTenantsByWord,
  senderNameSql,
} from './tenants/queries.ts';
export { type QuietSpan, weekOf } from './tenants/quiet-hours.ts';
export {
  keepRetentionProgress,
  pastRetentionSql,
  type RetentionKind,
  type RetentionRound,
} from './tenants/retention-queries.ts';
export { tenantRoutes } from './tenants/routes.ts';
export type { AutoReplies, QuietHours, Tenant } from './tenants/schema.ts';
export { REPLY_HOURS_MAX } from './tenants/schema.ts';
