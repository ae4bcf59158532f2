import type { Assigned, Outcome } from '../../../carriers/ports/outcome.ts';
import type { Context } from '../../../context.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { CARRIER_JOBS_LINGERING, type Job, type JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import { lockNumber, updateNumberRow } from '../phone-numbers/queries.ts';
import { setCampaignPending } from '../phone-numbers/report-queries.ts';
import { PENDING_CHECK_MS } from '../phone-numbers/rules.ts';
import { wantedAssignment } from './assignment.ts';
import { ASSIGNMENT_JOB, type AssignmentPayload } from './new-jobs.ts';
import { type AssignmentRow, findAssignment } from './queries.ts';
import { confirmCampaign, refuseCampaign } from './settle-assignment.ts';

type JobContext = Pick<Context, 'db' | 'carriers' | 'log'>;
type Wanted = Exclude<ReturnType<typeof wantedAssignment>, 'undecided'>;

/**
 * Returns the handler of the job that brings the carrier to the stored assignment. Its commands are idempotent. Before
 * it ends it reads the number again, so that the carrier's last command matches the database even if a request changed
 * the number concurrently. If the carrier refuses the number for its campaign, the number is detached here too; the
 * caller may attach it again. While the carrier has yet to confirm an assignment, the job asks again from time to time.
 */
export function assignmentHandler(context: JobContext): JobHandler<AssignmentPayload> {
  return {
    kind: ASSIGNMENT_JOB,
    queue: 'default',
    lingeringMax: CARRIER_JOBS_LINGERING,
    run: ([job]) => reconcile(context, job as Job<AssignmentPayload>),
  };
}

async function reconcile(context: JobContext, job: Job<AssignmentPayload>): Promise<void> {
  const { db } = context;
  const { ledger, numberId } = job.payload;
  const row = await findAssignment(db, ledger, numberId);
  if (row === undefined) return;
  const wanted = wantedAssignment(row);
  const answer = wanted === 'undecided' ? ANSWERED : await requestAssignment(context, ledger, row, wanted);
  const { refused } = answer;
  if (refused !== null) {
    const campaignId = wanted === 'none' ? null : row.campaign_id;
    context.log.error(
      { number_id: numberId, campaign_id: campaignId, reason: refused },
      'the carrier refused the campaign assignment of a number',
    );
  }
  await db.transaction(async (tx) => {
    const number = await lockNumber(tx, ledger, numberId);
    const now = await findAssignment(tx, ledger, numberId);
    const changed = now !== undefined && JSON.stringify(wantedAssignment(now)) !== JSON.stringify(wanted);
    if (changed) return rescheduleJob(tx, job, { delayMs: 0 });
    if (number === undefined || typeof wanted === 'string') return completeJobs(tx, [job]);
    if (refused !== null) {
      const wasPending = await refuseCampaign(tx, ledger, number);
      if (!wasPending) await updateNumberRow(tx, ledger, { ...number, campaign_id: null });
      // The next run removes the number from every campaign that it still has at the carrier.
      return rescheduleJob(tx, job, { delayMs: 0 });
    }
    const { campaignRef: campaignId } = wanted;
    if (!answer.isPending) {
      await confirmCampaign(tx, ledger, { id: numberId, campaignId });
      return completeJobs(tx, [job]);
    }
    await setCampaignPending(tx, ledger, { id: numberId, campaignId, isPending: true });
    return rescheduleJob(tx, job, { delayMs: PENDING_CHECK_MS });
  });
}

/** The carrier's answer: the reason of a final refusal, or null; and whether it has yet to confirm the assignment. */
type Answer = { readonly refused: string | null; readonly isPending: boolean };
const ANSWERED: Answer = { refused: null, isPending: false };

/**
 * Sends the wanted assignment to the carrier.
 * @throws Error if there is no outcome, so that the job runs again
 */
async function requestAssignment(
  { carriers }: Pick<JobContext, 'carriers'>,
  ledger: Ledger,
  { phone_number: phoneNumber, messaging_connection_id: connection }: AssignmentRow,
  wanted: Wanted,
): Promise<Answer> {
  const registry = carriers.registry(ledger, connection);
  const outcome: Outcome<Assigned> =
    wanted === 'none'
      ? await registry.unassignNumber(ledger, phoneNumber)
      : await registry.assignNumber(ledger, wanted);
  if (outcome.outcome === 'accepted') return { refused: null, isPending: outcome.pending === true };
  if (outcome.outcome === 'rejected') return { refused: outcome.reason, isPending: false };
  throw new Error(`the assignment of a number has no outcome yet: ${outcome.outcome}`);
}
