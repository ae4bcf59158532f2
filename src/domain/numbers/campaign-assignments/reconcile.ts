import type { Context } from '../../../context.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import { lockNumber, updateNumberRow } from '../phone-numbers/queries.ts';
import { wantedAssignment } from './assignment.ts';
import { ASSIGNMENT_JOB, type AssignmentPayload } from './assignment-job.ts';
import { findAssignment } from './queries.ts';

type JobContext = Pick<Context, 'db' | 'carriers' | 'log'>;
type Wanted = Exclude<ReturnType<typeof wantedAssignment>, 'undecided'>;

/**
 * The job that brings the carrier to what is stored. Its commands are idempotent and it looks again before it ends, so
 * that whatever a request did meanwhile, the last word of the carrier is the last of the database. A number that the
 * carrier will not have in its campaign leaves it here too: attaching it again is the caller's to try.
 */
export function assignmentHandler(context: JobContext): JobHandler<AssignmentPayload> {
  return {
    kind: ASSIGNMENT_JOB,
    queue: 'default',
    run: ([job]) => reconcile(context, job as Job<AssignmentPayload>),
  };
}

async function reconcile(context: JobContext, job: Job<AssignmentPayload>): Promise<void> {
  const { db } = context;
  const { ledger, numberId } = job.payload;
  const row = await findAssignment(db, ledger, numberId);
  if (row === undefined) return;
  const wanted = wantedAssignment(row);
  const refused = wanted === 'undecided' ? null : await tell(context, ledger, row.phone_number, wanted);
  if (refused !== null) {
    const campaignId = wanted === 'none' ? null : row.campaign_id;
    context.log.error({ number_id: numberId, campaign_id: campaignId, reason: refused }, 'number not assigned');
  }
  await db.transaction(async (tx) => {
    const number = await lockNumber(tx, ledger, numberId);
    const now = await findAssignment(tx, ledger, numberId);
    const changed = now !== undefined && JSON.stringify(wantedAssignment(now)) !== JSON.stringify(wanted);
    const isLeaving = !changed && refused !== null && wanted !== 'none' && number !== undefined;
    // Whatever campaign the carrier has the number in still, the next look takes it out of there.
    if (isLeaving) await updateNumberRow(tx, ledger, { ...number, campaign_id: null });
    if (changed || isLeaving) await rescheduleJob(tx, job, { delayMs: 0 });
    else await completeJobs(tx, [job]);
  });
}

/**
 * @returns why the carrier refuses for good, or null once it has it
 * @throws Error while there is no answer, so that it is told again
 */
async function tell(
  { carriers }: Pick<JobContext, 'carriers'>,
  ledger: Ledger,
  phoneNumber: string,
  wanted: Wanted,
): Promise<string | null> {
  const registry = carriers.registry(ledger);
  const outcome =
    wanted === 'none'
      ? await registry.unassignNumber(ledger, phoneNumber)
      : await registry.assignNumber(ledger, wanted);
  if (outcome.outcome === 'accepted') return null;
  if (outcome.outcome === 'rejected') return outcome.reason;
  throw new Error(`the carrier does not have the assignment of a number: ${outcome.outcome}`);
}
