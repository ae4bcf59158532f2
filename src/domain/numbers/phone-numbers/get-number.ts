import type { Db } from '../../../db/database.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { findNumber } from './queries.ts';
import type { PhoneNumber } from './schema.ts';

/**
 * The number, if the key may see it; a released one stays readable. Errors: phone_number_not_found,
 * tenant_restricted_key.
 */
export async function getPhoneNumber(db: Db, scope: Scope, id: string, param?: string): Promise<PhoneNumber> {
  return visible(scope, await findNumber(db, scope, id), 'phone_number_not_found', param);
}
