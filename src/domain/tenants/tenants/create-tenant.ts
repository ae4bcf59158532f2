import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { recordActions } from '../../audit/index.ts';
import { checkContacts } from './emergency-contacts.ts';
import { insertTenant, KEPT, UNANSWERED, writeTenantWords } from './queries.ts';
import { checkQuietHours } from './quiet-hours.ts';
import { type CreateTenant, DEFAULT_TIMEZONE, type Tenant } from './schema.ts';

/** Creates a tenant. Errors: invalid_body, invalid_phone, external_ref_taken. */
export async function createTenant(tx: Tx, scope: Scope, wanted: CreateTenant): Promise<Tenant> {
  const tenant = await insertTenant(tx, scope, {
    id: newId('tenant'),
    name: wanted.name,
    externalRef: wanted.external_ref ?? null,
    timezone: wanted.timezone ?? DEFAULT_TIMEZONE,
    senderName: wanted.sender_name,
    supportContact: wanted.support_contact ?? null,
    metadata: wanted.metadata ?? {},
    quietHours: checkQuietHours(wanted.quiet_hours ?? null),
    retention: { ...KEPT, ...wanted.retention },
    emergencyContacts: checkContacts(wanted.emergency_contacts ?? []),
    autoReplies: { ...UNANSWERED, ...wanted.auto_replies },
  });
  await writeTenantWords(tx, scope, tenant.id, tenant.name);
  await recordActions(tx, scope, [{ action: 'tenant.created', resourceId: tenant.id, tenantId: tenant.id }]);
  return tenant;
}
