import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { recordActions } from '../../audit/index.ts';
import { tenantFilter } from '../../tenants/index.ts';
import type { PersonOfTenant } from '../person.ts';
import { startErasures } from './erasure-job.ts';
import { insertErasure } from './queries.ts';
import type { PersonErasure } from './schema.ts';

/**
 * Starts the erasure of a person from a tenant, which may be a deleted one. A job carries it out after the commit.
 * Errors: tenant_not_found, tenant_restricted_key.
 */
export async function createErasure(tx: Tx, scope: Scope, wanted: PersonOfTenant): Promise<PersonErasure> {
  await tenantFilter(tx, scope, wanted.tenant_id);
  const { tenant_id: tenantId, external_number: externalNumber } = wanted;
  const erasure = await insertErasure(tx, scope, { id: newId('person_erasure'), tenantId, externalNumber });
  await startErasures(tx, scope, tenantId);
  await recordActions(tx, scope, [{ action: 'person_erasure.created', resourceId: erasure.id, tenantId }]);
  return erasure;
}
