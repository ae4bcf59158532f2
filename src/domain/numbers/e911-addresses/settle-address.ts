import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { AddressFault, EmergencyAddress } from '../../../carriers/ports/e911.ts';
import { SUGGESTIONS_MAX } from '../../../carriers/ports/e911.ts';
import type { Outcome, Registered } from '../../../carriers/ports/outcome.ts';
import type { Tx } from '../../../db/database.ts';
import type { Settlement } from '../../../http/writes/phases.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import { carrierUnavailable } from '../carrier-errors.ts';
import { assignJob, removeJob } from './new-jobs.ts';
import { attachToNumbersWithout } from './number-queries.ts';
import { deleteAddressRows, lockAddress, moveAddress } from './queries.ts';
import type { E911Address } from './schema.ts';

export type AddressOutcome = Outcome<Registered, AddressFault, { readonly suggestions: readonly EmergencyAddress[] }>;

/** An address, and the part of the program that settles it: its own request, or later the reconciler. */
export type Registration = {
  readonly ledger: Ledger;
  readonly addressId: string;
  readonly connectionId: ConnectionId;
  readonly by: 'request' | 'reconciler';
};

/**
 * Records the outcome of a registration. A validated address is attached to the tenant's numbers without one, each with
 * the job that registers it at the carrier. The request deletes a refused address; the reconciler keeps it as
 * `rejected`, because it may have been read as `pending`. `unknown` leaves it `pending`.
 */
export async function settleAddress(
  tx: Tx,
  { ledger, addressId, connectionId, by }: Registration,
  outcome: AddressOutcome,
): Promise<Settlement<E911Address>> {
  const address = await lockAddress(tx, ledger, addressId);
  if (address === undefined) return settleDeleted(tx, ledger, { addressId, connectionId }, outcome);
  if (outcome.outcome === 'unknown') return { result: address };
  if (outcome.outcome === 'accepted') {
    const { carrierRef } = outcome;
    const validated = await moveAddress(tx, ledger, { id: addressId, to: 'validated', carrierRef });
    if (validated === undefined) return { result: address };
    const numberIds = await attachToNumbersWithout(tx, ledger, validated);
    await enqueue(
      tx,
      numberIds.map((numberId) => assignJob(ledger, numberId)),
    );
    return { result: validated };
  }
  // Both the request and the reconciler settle an address, and the other one settled this one first. The carrier has
  // the address, and numbers may be registered at it by now.
  if (address.status === 'validated') return { result: address };
  if (by === 'request' && address.status === 'pending') await deleteAddressRows(tx, ledger, { id: addressId });
  else await moveAddress(tx, ledger, { id: addressId, to: 'rejected' });
  return { refusal: refusalOf(outcome) };
}

/** Removes at the carrier an address that was deleted here during its validation, alone or with its tenant. */
async function settleDeleted(
  tx: Tx,
  ledger: Ledger,
  deleted: Pick<Registration, 'addressId' | 'connectionId'>,
  outcome: AddressOutcome,
): Promise<Settlement<E911Address>> {
  if (outcome.outcome === 'accepted') {
    await enqueue(tx, [removeJob(ledger, { ...deleted, carrierRef: outcome.carrierRef })]);
  }
  return { refusal: new ApiError('e911_address_not_found') };
}

/** The field and the message of each fault of an address. */
const FAULTS: Readonly<Record<AddressFault, { param: string; message: string }>> = {
  address_not_found: { param: 'postal_code', message: 'No place that help could be sent to has this address.' },
  state_mismatch: { param: 'state', message: 'The ZIP code is not in this state.' },
  po_box: { param: 'street', message: 'Help cannot be sent to a PO box: give the street address.' },
  house_number_missing: { param: 'street', message: 'The street has no house number.' },
};

function refusalOf(outcome: Exclude<AddressOutcome, { outcome: 'accepted' | 'unknown' }>): ApiError {
  if (outcome.outcome === 'unavailable') return carrierUnavailable(outcome);
  const { reason, suggestions } = outcome;
  return new ApiError('e911_address_invalid', {
    ...FAULTS[reason],
    details: { suggestions: suggestions.slice(0, SUGGESTIONS_MAX) },
  });
}
