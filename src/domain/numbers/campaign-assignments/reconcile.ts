import type { NumberAssignment } from '../../../carriers/port.ts';
import type { Context } from '../../../context.ts';
import type { Job, JobHandler } from '../../../jobs/job.ts';
import { completeJobs, rescheduleJob } from '../../../jobs/job-claims.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { lockNumber } from '../phone-numbers/queries.ts';
import { wantedAssignment } from './assignment.ts';
import { ASSIGNMENT_JOB, type AssignmentPayload } from './assignment-job.ts';
import { findAssignment } from './queries.ts';

type JobContext = Pick<Context, 'db' | 'carriers'>;

/**
 * The job that brings the carrier to what is stored. Its commands are idempotent and it looks again before it ends, so
 * that whatever a request did meanwhile, the last word of the carrier is the last of the database.
 */
export function assignmentHandler(context: JobContext): JobHandler<AssignmentPayload> {
  return {
    kind: ASSIGNMENT_JOB,
    queue: 'default',
    run: ([job]) => reconcile(context, job as Job<AssignmentPayload>),
  };
}

async function reconcile({ db, carriers }: JobContext, job: Job<AssignmentPayload>): Promise<void> {
  const { ledger, numberId } = job.payload;
  const row = await findAssignment(db, ledger, numberId);
  if (row === undefined) return;
  const wanted = wantedAssignment(row);
  if (wanted !== 'undecided') await tell({ carriers }, ledger, row.phone_number, wanted);
  await db.transaction(async (tx) => {
    await lockNumber(tx, ledger, numberId);
    const now = await findAssignment(tx, ledger, numberId);
    const changed = now !== undefined && JSON.stringify(wantedAssignment(now)) !== JSON.stringify(wanted);
    if (changed) await rescheduleJob(tx, job, { delayMs: 0 });
    else await completeJobs(tx, [job]);
  });
}

/** Throws until the carrier has it, so that it is told again. */
async function tell(
  { carriers }: Pick<JobContext, 'carriers'>,
  ledger: Ledger,
  phoneNumber: string,
  wanted: NumberAssignment | 'none',
): Promise<void> {
  const registry = carriers.registry(ledger);
  const { outcome } =
    wanted === 'none'
      ? await registry.unassignNumber(ledger, phoneNumber)
      : await registry.assignNumber(ledger, wanted);
  if (outcome !== 'accepted') throw new Error(`the carrier does not have the assignment of a number: ${outcome}`);
}
