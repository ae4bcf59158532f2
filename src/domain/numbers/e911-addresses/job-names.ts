import type { EmergencyAddress } from '../../../carriers/ports/e911.ts';
import type { PendingAnswer } from '../../../http/writes/phases.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { NewJob } from '../../../queue/jobs/job.ts';
import { bareLedger } from '../bare-ledger.ts';
import { ADDRESS_RECONCILE_MS } from './rules.ts';

export const REGISTER_JOB = 'e911_address.register';
export const REMOVE_JOB = 'e911_address.remove';
export const ASSIGN_JOB = 'number.e911_address';

/** `pending`: the reply owed for an Idempotency-Key, or null. */
export type RegisterPayload = {
  readonly ledger: Ledger;
  readonly addressId: string;
  readonly address: EmergencyAddress;
  readonly pending: PendingAnswer | null;
};
export type RemovePayload = { readonly ledger: Ledger; readonly addressId: string; readonly carrierRef: string };
export type AssignPayload = { readonly ledger: Ledger; readonly numberId: string };

export function registerJobName(addressId: string): string {
  return `${REGISTER_JOB}:${addressId}`;
}

/** Finishes a registration if its own request does not. */
export function registerJob(ledger: Ledger, rest: Omit<RegisterPayload, 'ledger'>): NewJob {
  const payload: RegisterPayload = { ...rest, ledger: bareLedger(ledger) };
  const id = registerJobName(rest.addressId);
  return { ...jobOf(REGISTER_JOB, payload), id, delayMs: ADDRESS_RECONCILE_MS };
}

/** Tells the carrier that an address is no longer needed. */
export function removeJob(ledger: Ledger, rest: Omit<RemovePayload, 'ledger'>): NewJob {
  return jobOf(REMOVE_JOB, { ...rest, ledger: bareLedger(ledger) });
}

/**
 * Brings the carrier's registration of a number to what the number says when the job runs. It has no name of its own:
 * a change made while an earlier one is being carried out must not be lost.
 */
export function assignJob(ledger: Ledger, numberId: string): NewJob {
  return jobOf(ASSIGN_JOB, { ledger: bareLedger(ledger), numberId });
}

function jobOf(kind: string, payload: RegisterPayload | RemovePayload | AssignPayload): NewJob {
  return { ledgerId: payload.ledger.ledgerId, queue: 'default', kind, payload };
}
