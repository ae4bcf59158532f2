import type { Db, Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Scope } from '../../../lib/scope.ts';
import { findTenant, lockTenant, tenantExisted } from './queries.ts';
import type { Tenant } from './schema.ts';

/** Returns the tenant, if the key may use it. Errors: tenant_not_found, tenant_restricted_key. */
export async function getTenant(db: Db, scope: Scope, id: string): Promise<Tenant> {
  return admit(scope, await findTenant(db, scope, id));
}

/** Like `getTenant`, but locks the tenant against changes by others until the transaction ends. */
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
 * Returns the tenant to filter a list by, restricted to the key's own tenant; null for the whole ledger. It may be a
 * deleted tenant, whose history stays readable. Errors: tenant_not_found, tenant_restricted_key.
 */
export async function tenantFilter(db: Db, scope: Scope, tenantId: string | undefined): Promise<string | null> {
  if (tenantId === undefined || tenantId === scope.tenantId) return scope.tenantId ?? null;
  if (!(await tenantExisted(db, scope, tenantId))) throw new ApiError('tenant_not_found', { param: 'tenant_id' });
  if (scope.tenantId !== null) throw new ApiError('tenant_restricted_key', { param: 'tenant_id' });
  return tenantId;
}
