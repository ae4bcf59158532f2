import type { Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import type { NewJob } from '../../../queue/jobs/job.ts';
import { ledgerFields } from '../phone-numbers/new-jobs.ts';
import { listNumbersOfCampaign } from './queries.ts';

export const ASSIGNMENT_JOB = 'number.assignment';

/** Delay of the job that finishes an attach if its request did not: longer than a request waits for the carrier. */
const FINISH_MS = 30_000;

export type AssignmentPayload = { readonly ledger: Ledger; readonly numberId: string };

export function assignmentJobId(numberId: string): string {
  return `${ASSIGNMENT_JOB}:${numberId}`;
}

/**
 * Makes the job that brings the carrier's assignment of a number to the stored campaign, or to none. With
 * `unless_finished` it runs 30 s later, for a request that is about to attach the number itself.
 */
export function assignmentJob(ledger: Ledger, numberId: string, when: 'now' | 'unless_finished' = 'now'): NewJob {
  const payload: AssignmentPayload = { ledger: ledgerFields(ledger), numberId };
  return {
    ledgerId: ledger.ledgerId,
    queue: 'default',
    kind: ASSIGNMENT_JOB,
    id: assignmentJobId(numberId),
    payload,
    delayMs: when === 'now' ? 0 : FINISH_MS,
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
