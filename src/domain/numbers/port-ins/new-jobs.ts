import type { PendingAnswer } from '../../../http/writes/phases.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { NewJob } from '../../../queue/jobs/job.ts';
import { ledgerFields } from '../phone-numbers/new-jobs.ts';
import { CANCEL_RECONCILE_MS } from './rules.ts';

export const SUBMIT_JOB = 'port_in.submit';
export const CANCEL_JOB = 'port_in.cancel';

export type SubmitPayload = { readonly ledger: Ledger; readonly portInId: string; readonly attempt: number };
/** `pending`: the reply owed for an Idempotency-Key, or null. */
export type CancelPayload = {
  readonly ledger: Ledger;
  readonly portInId: string;
  readonly pending: PendingAnswer | null;
};

/** Makes the job that sends a submission to the carrier. */
export function submitJob(ledger: Ledger, portInId: string, attempt: number): NewJob {
  const payload: SubmitPayload = { ledger: ledgerFields(ledger), portInId, attempt };
  const { ledgerId } = ledger;
  return { ledgerId, queue: 'default', kind: SUBMIT_JOB, id: `${SUBMIT_JOB}:${portInId}:${attempt}`, payload };
}

/**
 * Makes the job that finishes a cancellation if its own request does not. A request that finishes it deletes the job by
 * its id.
 */
export function cancelJob(ledger: Ledger, portInId: string, pending: PendingAnswer | null): NewJob & { id: string } {
  return { ...immediateCancelJob(ledger, portInId, pending), id: newId('job'), delayMs: CANCEL_RECONCILE_MS };
}

/** Makes the job that cancels a port-in at the carrier immediately. */
export function immediateCancelJob(ledger: Ledger, portInId: string, pending: PendingAnswer | null = null): NewJob {
  const payload: CancelPayload = { ledger: ledgerFields(ledger), portInId, pending };
  return { ledgerId: ledger.ledgerId, queue: 'default', kind: CANCEL_JOB, payload };
}
