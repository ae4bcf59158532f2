import type { AddressFault, EmergencyAddress } from '../../../carriers/ports/e911.ts';
import type { Outcome, Registered } from '../../../carriers/ports/outcome.ts';
import type { Tx } from '../../../db/database.ts';
import type { Settlement } from '../../../http/writes/phases.ts';
import { ApiError } from '../../../lib/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import { carrierAway } from '../carrier-away.ts';
import { assignJob, removeJob } from './job-names.ts';
import { attachToNumbersWithout } from './number-queries.ts';
import { deleteAddressRows, lockAddress, moveAddress } from './queries.ts';
import type { E911Address } from './schema.ts';

export type AddressOutcome = Outcome<Registered, AddressFault, { readonly suggestions: readonly EmergencyAddress[] }>;

/** An address and who settles it: its own request, or later the reconciler. */
export type Registration = {
  readonly ledger: Ledger;
  readonly addressId: string;
  readonly by: 'request' | 'reconciler';
};

/**
 * Writes what became of a registration. A validated address is given to the tenant's numbers that have none, each with
 * the job that registers it at the carrier. A refused one is withdrawn without a trace by its request; the reconciler
 * keeps it as rejected, for it may have been seen as pending. `unknown` leaves it pending.
 */
export async function settleAddress(
  tx: Tx,
  { ledger, addressId, by }: Registration,
  outcome: AddressOutcome,
): Promise<Settlement<E911Address>> {
  const address = await lockAddress(tx, ledger, addressId);
  if (address === undefined) return settleDeleted(tx, ledger, addressId, outcome);
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
  // Of two that asked, the other has settled it: the carrier has it, and numbers may be registered there by now.
  if (address.status === 'validated') return { result: address };
  if (by === 'request' && address.status === 'pending') await deleteAddressRows(tx, ledger, { id: addressId });
  else await moveAddress(tx, ledger, { id: addressId, to: 'rejected' });
  return { refusal: refusalOf(outcome) };
}

/** The address was deleted while it was being validated, alone or with its tenant: the carrier must not keep it. */
async function settleDeleted(
  tx: Tx,
  ledger: Ledger,
  addressId: string,
  outcome: AddressOutcome,
): Promise<Settlement<E911Address>> {
  if (outcome.outcome === 'accepted') {
    await enqueue(tx, [removeJob(ledger, { addressId, carrierRef: outcome.carrierRef })]);
  }
  return { refusal: new ApiError('e911_address_not_found') };
}

/** What is wrong with the address, and the field that shows it. */
const FAULTS: Readonly<Record<AddressFault, { param: string; message: string }>> = {
  address_not_found: { param: 'postal_code', message: 'No place that help could be sent to has this address.' },
  state_mismatch: { param: 'state', message: 'The ZIP code is not in this state.' },
  house_number_missing: { param: 'street', message: 'The street has no house number.' },
};

function refusalOf(outcome: Exclude<AddressOutcome, { outcome: 'accepted' | 'unknown' }>): ApiError {
  if (outcome.outcome === 'unavailable') return carrierAway(outcome);
  const { reason, suggestions } = outcome;
  return new ApiError('e911_address_invalid', { ...FAULTS[reason], details: { suggestions } });
}
