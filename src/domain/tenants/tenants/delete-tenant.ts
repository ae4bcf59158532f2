import type { TeardownStep } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import type { Scope } from '../../../lib/scope.ts';
import { recordActions } from '../../audit/index.ts';
import { getTenantForUpdate } from './get-tenant.ts';
import { markTenantDeleted, writeTenantWords } from './queries.ts';

/**
 * Deletes a tenant: it is no longer found, the steps release its resources, and its history stays readable.
 * Errors: tenant_not_found, tenant_restricted_key.
 */
export async function deleteTenant(tx: Tx, scope: Scope, id: string, steps: readonly TeardownStep[]): Promise<void> {
  const tenant = await getTenantForUpdate(tx, scope, id);
  for (const step of steps) await step(tx, scope, tenant.id);
  await markTenantDeleted(tx, scope, tenant.id);
  await writeTenantWords(tx, scope, tenant.id, '');
  await recordActions(tx, scope, [{ action: 'tenant.deleted', resourceId: tenant.id, tenantId: tenant.id }]);
}
