import type { PendingAnswer } from '../../../http/writes/phases.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { NewJob } from '../../../queue/jobs/job.ts';
import { bareLedger } from '../bare-ledger.ts';
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

/** Hands a submission over to the carrier. */
export function submitJob(ledger: Ledger, portInId: string, attempt: number): NewJob {
  const payload: SubmitPayload = { ledger: bareLedger(ledger), portInId, attempt };
  const { ledgerId } = ledger;
  return { ledgerId, queue: 'default', kind: SUBMIT_JOB, id: `${SUBMIT_JOB}:${portInId}:${attempt}`, payload };
}

/** Finishes a cancellation if its own request does not, which then takes the job back by its id. */
export function cancelJob(ledger: Ledger, portInId: string, pending: PendingAnswer | null): NewJob & { id: string } {
  return { ...tellCancelledJob(ledger, portInId, pending), id: newId('job'), delayMs: CANCEL_RECONCILE_MS };
}

/** Tells the carrier at once that a port-in is not wanted any more. */
export function tellCancelledJob(ledger: Ledger, portInId: string, pending: PendingAnswer | null = null): NewJob {
  const payload: CancelPayload = { ledger: bareLedger(ledger), portInId, pending };
  return { ledgerId: ledger.ledgerId, queue: 'default', kind: CANCEL_JOB, payload };
}
