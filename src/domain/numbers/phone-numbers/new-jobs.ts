import type { PendingAnswer } from '../../../http/writes/phases.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { NewJob } from '../../../queue/jobs/job.ts';
import { ORDER_RECONCILE_MS } from './rules.ts';

/**
 * Returns only the ledger's fields. A Scope is also a Ledger; a job must not contain a Scope's fields about the API
 * key.
 */
export function ledgerFields({ ledgerId, accountId, mode }: Ledger): Ledger {
  return { ledgerId, accountId, mode };
}

export const ORDER_JOB = 'number.order';
export const RELEASE_JOB = 'number.release';

/** A ledger's account and mode never change, so jobs can carry them. */
type NumberJobPayload = { readonly ledger: Ledger; readonly numberId: string };

/** `refusals`: how often the carrier has refused the release. */
export type ReleaseJobPayload = NumberJobPayload & { readonly refusals?: number };

/** `pending`: the reply owed for an Idempotency-Key, or null. */
export type OrderJobPayload = NumberJobPayload & { readonly pending: PendingAnswer | null };

export function orderJobId(numberId: string): string {
  return `${ORDER_JOB}:${numberId}`;
}

/** Makes the job that finishes an order if its own request does not. */
export function orderJob(ledger: Ledger, numberId: string, pending: PendingAnswer | null): NewJob {
  const payload: OrderJobPayload = { ledger: ledgerFields(ledger), numberId, pending };
  return {
    ledgerId: ledger.ledgerId,
    queue: 'default',
    kind: ORDER_JOB,
    id: orderJobId(numberId),
    payload,
    delayMs: ORDER_RECONCILE_MS,
  };
}

/** Makes the job that releases a number at the carrier. */
export function releaseJob(ledger: Ledger, numberId: string): NewJob {
  const payload: ReleaseJobPayload = { ledger: ledgerFields(ledger), numberId };
  return {
    ledgerId: ledger.ledgerId,
    queue: 'default',
    kind: RELEASE_JOB,
    id: `${RELEASE_JOB}:${numberId}`,
    payload,
  };
}
