import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import { changedFields, recordActions } from '../../audit/index.ts';
import { assignmentJob } from '../campaign-assignments/new-jobs.ts';
import { assignJob } from '../e911-addresses/new-jobs.ts';
import { lockNumber, updateNumberRow } from './queries.ts';
import { checkReferences, type NumberReferences } from './references.ts';
import type { PhoneNumber, UpdateNumber } from './schema.ts';

export type Change = { readonly id: string; readonly change: UpdateNumber; readonly references: NumberReferences };

/**
 * Attaches and detaches the resources in the given fields; absent fields stay. A released number cannot be changed and
 * is not found. Errors: phone_number_not_found, tenant_restricted_key, routing_config_not_found, campaign_not_found,
 * e911_address_not_found.
 */
export async function updateNumber(tx: Tx, scope: Scope, wanted: Change): Promise<PhoneNumber> {
  const number = await lockChangeable(tx, scope, wanted);
  return applyChange(tx, scope, { number, change: wanted.change, isAssigned: false });
}

/** Locks and returns the number, if the key may make this change to it. */
export async function lockChangeable(tx: Tx, scope: Scope, { id, change, references }: Change): Promise<PhoneNumber> {
  const number = visible(scope, await lockNumber(tx, scope, id), 'phone_number_not_found');
  if (number.status === 'released') throw numberReleased();
  await checkReferences(tx, scope, references, { tenantId: number.tenant_id, ...change });
  return number;
}

export function numberReleased(): ApiError {
  return new ApiError('phone_number_not_found', { message: 'This phone number has been released.' });
}

/**
 * Stores a change of a locked number and queues the jobs for the carrier. `isAssigned`: the carrier has already
 * registered the number to the new campaign.
 */
export async function applyChange(
  tx: Tx,
  scope: Scope,
  { number, change, isAssigned }: { number: PhoneNumber; change: UpdateNumber; isAssigned: boolean },
): Promise<PhoneNumber> {
  const changed = await updateNumberRow(tx, scope, { ...number, ...change });
  if (changed.campaign_id !== number.campaign_id && !isAssigned) await enqueue(tx, [assignmentJob(scope, number.id)]);
  if (changed.e911_address_id !== number.e911_address_id) await enqueue(tx, [assignJob(scope, number.id)]);
  const names = changedFields(number, changed);
  if (names.length > 0) {
    const { id: resourceId, tenant_id: tenantId } = number;
    const details = { changed: names };
    await recordActions(tx, scope, [{ action: 'phone_number.updated', resourceId, tenantId, details }]);
  }
  return changed;
}
