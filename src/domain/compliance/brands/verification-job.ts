import type { Context } from '../../../context.ts';
import { answerPending } from '../../../http/writes/idempotency.ts';
import { CARRIER_JOBS_LINGERING, type Job, type JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs } from '../../../queue/jobs/job-claims.ts';
import { findBrandRegistration } from './queries.ts';
import { recordVerification, unavailable, VERIFICATION_JOB, type VerificationPayload } from './verification.ts';

type JobContext = Pick<Context, 'db' | 'cipher' | 'carriers' | 'settings'>;

/**
 * Returns the handler of the jobs that finish a verification step which a crash interrupted. The job asks the registry
 * for the state of the brand. If the brand is not decided, the key of the request becomes free, and the caller can
 * repeat the request.
 */
export function createVerificationHandler(context: JobContext): JobHandler<VerificationPayload> {
  return {
    kind: VERIFICATION_JOB,
    queue: 'default',
    lingeringMax: CARRIER_JOBS_LINGERING,
    run: ([job]) => finish(context, job as Job<VerificationPayload>),
  };
}

async function finish(context: JobContext, job: Job<VerificationPayload>): Promise<void> {
  const { db, carriers } = context;
  const { ledger, id, pending } = job.payload;
  const registration = await findBrandRegistration(db, ledger, id);
  if (registration === undefined) return;
  const found = await carriers.registry(ledger, registration.connectionId).findBrand(ledger, id);
  if (found.found === 'undecided') throw new Error(`the registry cannot say yet how far ${id} is`);
  await db.transaction(async (tx) => {
    const settlement =
      found.found === 'accepted' ? await recordVerification(tx, ledger, id, found) : { refusal: unavailable() };
    const isOpen = 'result' in settlement && settlement.result.status === 'pending_vetting';
    if (pending !== null) await answerPending(context, tx, pending, isOpen ? { refusal: unavailable() } : settlement);
    await completeJobs(tx, [job]);
  });
}
