import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { isTimeZone } from '../../../lib/zones.ts';
import { insertTenant } from './queries.ts';
import { DEFAULT_TIMEZONE } from './rules.ts';
import type { CreateTenant, Tenant } from './schema.ts';

/** Creates a tenant. Errors: key_not_permitted, invalid_timezone, external_ref_taken. */
export async function createTenant(tx: Tx, scope: Scope, wanted: CreateTenant): Promise<Tenant> {
  return insertTenant(tx, scope, {
    id: newId('tenant'),
    name: wanted.name,
    externalRef: wanted.external_ref ?? null,
    timezone: checkTimezone(wanted.timezone ?? DEFAULT_TIMEZONE),
    metadata: wanted.metadata ?? {},
  });
}

/** The zone, if it is one. Error: invalid_timezone. */
export function checkTimezone(timezone: string): string {
  if (!isTimeZone(timezone)) throw new ApiError('invalid_timezone', { param: 'timezone' });
  return timezone;
}
