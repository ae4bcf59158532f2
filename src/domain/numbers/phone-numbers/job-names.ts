import type { PendingAnswer } from '../../../http/writes/phases.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { NewJob } from '../../../queue/jobs/job.ts';
import { ORDER_RECONCILE_MS } from './rules.ts';

export const ORDER_JOB = 'number.order';
export const RELEASE_JOB = 'number.release';

/** A ledger's account and mode never change, so that jobs can carry them. */
export type NumberJobPayload = { readonly ledger: Ledger; readonly numberId: string };

/** `pending`: the reply owed for an Idempotency-Key, or null. */
export type OrderJobPayload = NumberJobPayload & { readonly pending: PendingAnswer | null };

export function orderJobName(numberId: string): string {
  return `${ORDER_JOB}:${numberId}`;
}

/** Finishes an order if its own request does not. */
export function orderJob(ledger: Ledger, numberId: string, pending: PendingAnswer | null): NewJob {
  const payload: OrderJobPayload = { ledger: bare(ledger), numberId, pending };
  return {
    ledgerId: ledger.ledgerId,
    queue: 'default',
    kind: ORDER_JOB,
    id: orderJobName(numberId),
    payload,
    delayMs: ORDER_RECONCILE_MS,
  };
}

/** Tells the carrier that a number is given back. */
export function releaseJob(ledger: Ledger, numberId: string): NewJob {
  const payload: NumberJobPayload = { ledger: bare(ledger), numberId };
  return {
    ledgerId: ledger.ledgerId,
    queue: 'default',
    kind: RELEASE_JOB,
    id: `${RELEASE_JOB}:${numberId}`,
    payload,
  };
}

/** A Scope is a Ledger too; what it knows of the key has no business in a job. */
function bare({ ledgerId, accountId, mode }: Ledger): Ledger {
  return { ledgerId, accountId, mode };
}
