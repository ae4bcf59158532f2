import type { Tx } from '../../../db/database.ts';
import type { Scope } from '../../../lib/scope.ts';
import { changedFields, recordActions } from '../../audit/index.ts';
import { checkContacts } from './emergency-contacts.ts';
import { getTenantForUpdate } from './get-tenant.ts';
import { updateTenantRow, writeTenantWords } from './queries.ts';
import { checkQuietHours } from './quiet-hours.ts';
import type { Tenant, UpdateTenant } from './schema.ts';

/** Changes the given fields. Errors: invalid_body, invalid_phone, tenant_not_found, external_ref_taken. */
export async function updateTenant(tx: Tx, scope: Scope, id: string, change: UpdateTenant): Promise<Tenant> {
  const tenant = await getTenantForUpdate(tx, scope, id);
  const after = await updateTenantRow(tx, scope, {
    id,
    name: change.name ?? tenant.name,
    externalRef: change.external_ref === undefined ? tenant.external_ref : change.external_ref,
    timezone: change.timezone ?? tenant.timezone,
    senderName: change.sender_name,
    supportContact: change.support_contact === undefined ? tenant.support_contact : change.support_contact,
    metadata: change.metadata ?? tenant.metadata,
    quietHours: change.quiet_hours === undefined ? tenant.quiet_hours : checkQuietHours(change.quiet_hours),
    retention: { ...tenant.retention, ...change.retention },
    emergencyContacts: checkContacts(change.emergency_contacts ?? tenant.emergency_contacts),
    autoReplies: { ...tenant.auto_replies, ...change.auto_replies },
  });
  if (after.name !== tenant.name) await writeTenantWords(tx, scope, id, after.name);
  const changed = changedFields(tenant, after);
  if (changed.length > 0) {
    await recordActions(tx, scope, [{ action: 'tenant.updated', resourceId: id, tenantId: id, details: { changed } }]);
  }
  return after;
}
