import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { lockNumber, updateNumberRow } from './queries.ts';
import { checkReferences, type NumberReferences } from './references.ts';
import type { PhoneNumber, UpdateNumber } from './schema.ts';

type Change = { readonly id: string; readonly change: UpdateNumber; readonly references: NumberReferences };

/**
 * Attaches and detaches what the fields name; those not given stay. A released number takes no changes and is not
 * found. Errors: phone_number_not_found, tenant_restricted_key, routing_config_not_found, campaign_not_found,
 * e911_address_not_found.
 */
export async function updateNumber(tx: Tx, scope: Scope, { id, change, references }: Change): Promise<PhoneNumber> {
  const number = visible(scope, await lockNumber(tx, scope, id), 'phone_number_not_found');
  if (number.status === 'released') {
    throw new ApiError('phone_number_not_found', { message: 'This phone number has been released.' });
  }
  await checkReferences(tx, scope, references, { tenantId: number.tenant_id, ...change });
  return updateNumberRow(tx, scope, { ...number, ...change });
}
