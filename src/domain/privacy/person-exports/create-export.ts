import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { recordActions } from '../../audit/index.ts';
import { tenantFilter } from '../../tenants/index.ts';
import type { PersonOfTenant } from '../person.ts';
import { startExports } from './export-job.ts';
import { type ExportRow, insertExport } from './queries.ts';

/**
 * Starts the export of a person from a tenant, which may be a deleted one. A job makes the file after the commit.
 * Errors: tenant_not_found, tenant_restricted_key.
 */
export async function createExport(tx: Tx, scope: Scope, wanted: PersonOfTenant): Promise<ExportRow> {
  await tenantFilter(tx, scope, wanted.tenant_id);
  const { tenant_id: tenantId, external_number: externalNumber } = wanted;
  const row = await insertExport(tx, scope, { id: newId('person_export'), tenantId, externalNumber });
  await startExports(tx, scope, tenantId);
  await recordActions(tx, scope, [{ action: 'person_export.created', resourceId: row.id, tenantId }]);
  return row;
}
