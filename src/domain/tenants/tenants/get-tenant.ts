import type { Db, Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors.ts';
import type { Scope } from '../../../lib/scope.ts';
import { findTenant, lockTenant, tenantExisted } from './queries.ts';
import type { Tenant } from './schema.ts';

/** The tenant, if the key may touch it. Errors: tenant_not_found, tenant_restricted_key. */
export async function getTenant(db: Db, scope: Scope, id: string): Promise<Tenant> {
  return admit(scope, await findTenant(db, scope, id));
}

/** As `getTenant`, and no one else changes the tenant until the transaction ends. */
export async function getTenantForUpdate(tx: Tx, scope: Scope, id: string): Promise<Tenant> {
  return admit(scope, await lockTenant(tx, scope, id));
}

function admit(scope: Scope, tenant: Tenant | undefined): Tenant {
  if (tenant === undefined) throw new ApiError('tenant_not_found', { param: 'tenant_id' });
  if (scope.tenantId !== null && tenant.id !== scope.tenantId) {
    throw new ApiError('tenant_restricted_key', { param: 'tenant_id' });
  }
  return tenant;
}

/**
 * The tenant a list is about: the filter narrowed to the key's own tenant; null means all of the ledger. A deleted
 * tenant may be named, since its history stays readable. Errors: tenant_not_found, tenant_restricted_key.
 */
export async function tenantFilter(db: Db, scope: Scope, tenantId: string | undefined): Promise<string | null> {
  if (tenantId === undefined || tenantId === scope.tenantId) return scope.tenantId ?? null;
  if (!(await tenantExisted(db, scope, tenantId))) throw new ApiError('tenant_not_found', { param: 'tenant_id' });
  if (scope.tenantId !== null) throw new ApiError('tenant_restricted_key', { param: 'tenant_id' });
  return tenantId;
}
