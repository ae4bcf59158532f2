import type { Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import type { NewJob } from '../../../queue/jobs/job.ts';
import { ledgerFields } from '../phone-numbers/new-jobs.ts';
import { PENDING_CHECK_MS } from '../phone-numbers/rules.ts';
import { listNumbersOfCampaign } from './queries.ts';

export const ASSIGNMENT_JOB = 'number.assignment';

/** A request that attaches a number waits less than 30 s for the carrier. */
const DELAY_MS = { now: 0, unless_finished: 30_000, while_pending: PENDING_CHECK_MS } as const;

export type AssignmentPayload = { readonly ledger: Ledger; readonly numberId: string };

export function assignmentJobId(numberId: string): string {
  return `${ASSIGNMENT_JOB}:${numberId}`;
}

/**
 * Makes the job that brings the carrier's assignment of a number to the stored campaign, or to none. With
 * `unless_finished` it runs 30 s later, for a request that is about to attach the number itself. With `while_pending`
 * it asks the carrier about an assignment that is not confirmed yet, because the carrier's report may be lost.
 */
export function assignmentJob(ledger: Ledger, numberId: string, when: keyof typeof DELAY_MS = 'now'): NewJob {
  const payload: AssignmentPayload = { ledger: ledgerFields(ledger), numberId };
  return {
    ledgerId: ledger.ledgerId,
    queue: 'default',
    kind: ASSIGNMENT_JOB,
    id: assignmentJobId(numberId),
    payload,
    delayMs: DELAY_MS[when],
  };
}

/** Registers the numbers that were attached to a campaign before the registry had it. */
export async function assignCampaignNumbers(tx: Tx, ledger: Ledger, campaignId: string): Promise<void> {
  const ids = await listNumbersOfCampaign(tx, ledger, campaignId);
  await enqueue(
    tx,
    ids.map((id) => assignmentJob(ledger, id)),
  );
}
