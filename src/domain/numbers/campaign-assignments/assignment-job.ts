import type { Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import type { NewJob } from '../../../queue/jobs/job.ts';
import { bareLedger } from '../bare-ledger.ts';
import { listNumbersOfCampaign } from './queries.ts';

export const ASSIGNMENT_JOB = 'number.assignment';

/** Until the job looks after an attach whose request did not finish it: longer than a carrier is waited for. */
const FINISH_MS = 30_000;

export type AssignmentPayload = { readonly ledger: Ledger; readonly numberId: string };

export function assignmentJobName(numberId: string): string {
  return `${ASSIGNMENT_JOB}:${numberId}`;
}

/** Brings the carrier to what is stored: the number's campaign, or none. `when` it is an attach under way, later. */
export function assignmentJob(ledger: Ledger, numberId: string, when: 'now' | 'unless_finished' = 'now'): NewJob {
  const payload: AssignmentPayload = { ledger: bareLedger(ledger), numberId };
  return {
    ledgerId: ledger.ledgerId,
    queue: 'default',
    kind: ASSIGNMENT_JOB,
    id: assignmentJobName(numberId),
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
