import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { isTimeZone } from '../../../lib/zones.ts';
import { recordActions } from '../../audit/index.ts';
import { insertTenant } from './queries.ts';
import { type CreateTenant, DEFAULT_TIMEZONE, type Tenant, type UpdateTenant } from './schema.ts';

/** Creates a tenant. `checkTimezone` has checked its time zone. Errors: external_ref_taken. */
export async function createTenant(tx: Tx, scope: Scope, wanted: CreateTenant): Promise<Tenant> {
  const tenant = await insertTenant(tx, scope, {
    id: newId('tenant'),
    name: wanted.name,
    externalRef: wanted.external_ref ?? null,
    timezone: wanted.timezone ?? DEFAULT_TIMEZONE,
    metadata: wanted.metadata ?? {},
  });
  await recordActions(tx, scope, [{ action: 'tenant.created', resourceId: tenant.id }]);
  return tenant;
}

/** Checks that a given time zone exists, which the schema does not. Error: invalid_timezone. */
export function checkTimezone({ timezone }: Pick<UpdateTenant, 'timezone'>): void {
  if (timezone !== undefined && !isTimeZone(timezone)) throw new ApiError('invalid_timezone', { param: 'timezone' });
}
