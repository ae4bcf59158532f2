import type { TeardownStep } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { type Ledger, type Scope, visible } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import { removeJob } from './new-jobs.ts';
import { isAddressInUse } from './number-queries.ts';
import { type DeletedAddress, deleteAddressRows, lockAddress } from './queries.ts';

/**
 * Deletes an address that no number and no active web client refers to; a job removes it at the carrier.
 * Errors: e911_address_not_found, tenant_restricted_key, e911_address_in_use.
 */
export async function deleteAddress(tx: Tx, scope: Scope, id: string): Promise<void> {
  visible(scope, await lockAddress(tx, scope, id), 'e911_address_not_found');
  if (await isAddressInUse(tx, scope, id)) throw new ApiError('e911_address_in_use');
  await enqueueRemovals(tx, scope, await deleteAddressRows(tx, scope, { id }));
}

/** Deletes the addresses of a tenant that is being deleted, after its numbers have been released. */
export const deleteTenantAddresses: TeardownStep = async (tx, scope, tenantId) =>
  enqueueRemovals(tx, scope, await deleteAddressRows(tx, scope, { tenantId }));

async function enqueueRemovals(tx: Tx, ledger: Ledger, deleted: readonly DeletedAddress[]): Promise<void> {
  const jobs = deleted.flatMap(({ id: addressId, carrier_ref: carrierRef, connection_id: connectionId }) =>
    carrierRef === null ? [] : [removeJob(ledger, { addressId, carrierRef, connectionId })],
  );
  await enqueue(tx, jobs);
}
