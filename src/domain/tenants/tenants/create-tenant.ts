import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { isTimeZone } from '../../../lib/zones.ts';
import { insertTenant } from './queries.ts';
import { type CreateTenant, DEFAULT_TIMEZONE, type Tenant, type UpdateTenant } from './schema.ts';

/** Creates a tenant. `checkTimezone` has checked its time zone. Errors: key_not_permitted, external_ref_taken. */
export function createTenant(tx: Tx, scope: Scope, wanted: CreateTenant): Promise<Tenant> {
  return insertTenant(tx, scope, {
    id: newId('tenant'),
    name: wanted.name,
    externalRef: wanted.external_ref ?? null,
    timezone: wanted.timezone ?? DEFAULT_TIMEZONE,
    senderName: wanted.sender_name,
    supportContact: wanted.support_contact ?? null,
    metadata: wanted.metadata ?? {},
  });
}

/** Checks that a given time zone exists, which the schema does not. Error: invalid_timezone. */
export function checkTimezone({ timezone }: Pick<UpdateTenant, 'timezone'>): void {
  if (timezone !== undefined && !isTimeZone(timezone)) throw new ApiError('invalid_timezone', { param: 'timezone' });
}
