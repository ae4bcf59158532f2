import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { EmergencyAddress } from '../../../carriers/ports/e911.ts';
import type { PendingAnswer } from '../../../http/writes/phases.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { NewJob } from '../../../queue/jobs/job.ts';
import { ledgerFields } from '../phone-numbers/new-jobs.ts';
import { ADDRESS_RECONCILE_MS } from './rules.ts';

export const REGISTER_JOB = 'e911_address.register';
export const REMOVE_JOB = 'e911_address.remove';
export const ASSIGN_JOB = 'number.e911_address';

/** `pending`: the reply owed for an Idempotency-Key, or null. */
export type RegisterPayload = {
  readonly ledger: Ledger;
  readonly addressId: string;
  readonly address: EmergencyAddress;
  readonly connectionId: ConnectionId;
  readonly pending: PendingAnswer | null;
};
export type RemovePayload = {
  readonly ledger: Ledger;
  readonly addressId: string;
  readonly carrierRef: string;
  readonly connectionId: ConnectionId;
};
/** `check`: the job only asks whether the carrier has confirmed a pending address. */
export type AssignPayload = { readonly ledger: Ledger; readonly numberId: string; readonly check?: true };

export function registerJobId(addressId: string): string {
  return `${REGISTER_JOB}:${addressId}`;
}

/** Makes the job that finishes a registration if its own request does not. */
export function registerJob(ledger: Ledger, rest: Omit<RegisterPayload, 'ledger'>): NewJob {
  const payload: RegisterPayload = { ...rest, ledger: ledgerFields(ledger) };
  const id = registerJobId(rest.addressId);
  return { ...jobOf(REGISTER_JOB, payload), id, delayMs: ADDRESS_RECONCILE_MS };
}

/** Makes the job that removes an address at the carrier. */
export function removeJob(ledger: Ledger, rest: Omit<RemovePayload, 'ledger'>): NewJob {
  return jobOf(REMOVE_JOB, { ...rest, ledger: ledgerFields(ledger) });
}

/**
 * Makes the job that brings the carrier's registration of a number to the address the number has when the job runs. The
 * job has no fixed id: a change needs its own job even if the job of an earlier change is running.
 */
export function assignJob(ledger: Ledger, numberId: string): NewJob {
  return jobOf(ASSIGN_JOB, { ledger: ledgerFields(ledger), numberId });
}

function jobOf(kind: string, payload: RegisterPayload | RemovePayload | AssignPayload): NewJob {
  return { ledgerId: payload.ledger.ledgerId, queue: 'default', kind, payload };
}
