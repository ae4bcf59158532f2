import type { Context } from '../../../context.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { CARRIER_JOBS_LINGERING, type Job, type JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import { lockNumber, updateNumberRow } from '../phone-numbers/queries.ts';
import { wantedAssignment } from './assignment.ts';
import { ASSIGNMENT_JOB, type AssignmentPayload } from './new-jobs.ts';
import { type AssignmentRow, findAssignment } from './queries.ts';

type JobContext = Pick<Context, 'db' | 'carriers' | 'log'>;
type Wanted = Exclude<ReturnType<typeof wantedAssignment>, 'undecided'>;

/**
 * Returns the handler of the job that brings the carrier to the stored assignment. Its commands are idempotent. Before
 * it ends it reads the number again, so that the carrier's last command matches the database even if a request changed
 * the number concurrently. If the carrier refuses the number for its campaign, the number is detached here too; the
 * caller may attach it again.
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
  const refused = wanted === 'undecided' ? null : await requestAssignment(context, ledger, row, wanted);
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
    const isLeaving = !changed && refused !== null && wanted !== 'none' && number !== undefined;
    // The next run removes the number from any campaign that the carrier still has it in.
    if (isLeaving) await updateNumberRow(tx, ledger, { ...number, campaign_id: null });
    if (changed || isLeaving) await rescheduleJob(tx, job, { delayMs: 0 });
    else await completeJobs(tx, [job]);
  });
}

/**
 * Sends the wanted assignment to the carrier.
 * @returns the reason of a final refusal, or null once the carrier has the assignment
 * @throws Error if there is no outcome, so that the job runs again
 */
async function requestAssignment(
  { carriers }: Pick<JobContext, 'carriers'>,
  ledger: Ledger,
  { phone_number: phoneNumber, messaging_connection_id: connection }: AssignmentRow,
  wanted: Wanted,
): Promise<string | null> {
  const registry = carriers.registry(ledger, connection);
  const outcome =
    wanted === 'none'
      ? await registry.unassignNumber(ledger, phoneNumber)
      : await registry.assignNumber(ledger, wanted);
  if (outcome.outcome === 'accepted') return null;
  if (outcome.outcome === 'rejected') return outcome.reason;
  throw new Error(`the assignment of a number has no outcome yet: ${outcome.outcome}`);
}
