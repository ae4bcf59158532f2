import type { OrderedNumber } from '../../../carriers/ports/numbers.ts';
import type { Context } from '../../../context.ts';
import { answerPending } from '../../../http/writes/idempotency.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { CARRIER_JOBS_LINGERING, type Job, type JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import { wantedAssignment } from '../campaign-assignments/assignment.ts';
import { findAssignment } from '../campaign-assignments/queries.ts';
import { assignmentHandler } from '../campaign-assignments/reconcile.ts';
import { ORDER_JOB, type OrderJobPayload, RELEASE_JOB, type ReleaseJobPayload } from './new-jobs.ts';
import { numberMonthJob } from './number-months.ts';
import { findNumberOrder, type NumberOrderRow } from './queries.ts';
import { RELEASE_RETRY_MS } from './rules.ts';
import { type AssignmentOutcome, type OrderOutcome, settleOrder } from './settle-order.ts';

type JobContext = Pick<Context, 'db' | 'cipher' | 'carriers' | 'log' | 'metrics' | 'settings'>;

/** Returns the job handlers of numbers: finishing orders, releases at the carrier, months, campaign assignments. */
export function numberJobs(context: JobContext) {
  return [
    handlerOf<OrderJobPayload>(ORDER_JOB, (job) => reconcileOrder(context, job)),
    handlerOf<ReleaseJobPayload>(RELEASE_JOB, (job) => requestRelease(context, job)),
    numberMonthJob(context),
    assignmentHandler(context),
  ] as const;
}

function handlerOf<Payload>(kind: string, run: (job: Job<Payload>) => Promise<void>): JobHandler<Payload> {
  return {
    kind,
    queue: 'default',
    lingeringMax: CARRIER_JOBS_LINGERING,
    run: ([job]) => run(job as Job<Payload>),
  };
}

/**
 * Finishes an order whose request ended without an outcome: asks the carrier for its outcome, places it if it never
 * arrived, and stores the reply for the Idempotency-Key. Throws while the carrier has no outcome, so that the job runs
 * again.
 */
async function reconcileOrder(context: JobContext, job: Job<OrderJobPayload>): Promise<void> {
  const { ledger, numberId, pending } = job.payload;
  const row = await findNumberOrder(context.db, ledger, numberId);
  if (row === undefined) return;
  const outcome = await outcomeOf(context, ledger, numberId, row);
  await context.db.transaction(async (tx) => {
    const settlement = await settleOrder(tx, { ledger, numberId, by: 'reconciler' }, outcome);
    await completeJobs(tx, [job]);
    if (pending !== null) await answerPending(context, tx, pending, settlement);
  });
}

async function outcomeOf(context: JobContext, ledger: Ledger, ref: string, row: NumberOrderRow): Promise<OrderOutcome> {
  const carrier = context.carriers.numbers(ledger, row.connection_id);
  const order = { ref, phoneNumber: row.phone_number, tenant: row.tenant };
  const found = await carrier.findOrder(ledger, order);
  if (found.found === 'accepted') return accepted(context, ledger, ref, found);
  if (found.found === 'undecided') throw new Error(`the carrier has not decided on the order of ${ref}`);
  const isWanted = row.status === 'pending' && row.is_recent;
  if (!isWanted) return { outcome: 'rejected', reason: 'number_unavailable' };
  const outcome = await carrier.order(ledger, order);
  if (outcome.outcome === 'accepted') return accepted(context, ledger, ref, outcome);
  if (outcome.outcome === 'rejected') return outcome;
  throw new Error(`the order of ${ref} has no outcome yet: ${outcome.outcome}`);
}

async function accepted(
  context: JobContext,
  ledger: Ledger,
  numberId: string,
  { carrierRef, capabilities }: OrderedNumber,
): Promise<OrderOutcome> {
  return { outcome: 'accepted', carrierRef, capabilities, assigned: await assign(context, ledger, numberId) };
}

/** Registers an ordered number to its campaign. Throws without an outcome, so that the job runs again. */
async function assign(
  { db, carriers }: JobContext,
  ledger: Ledger,
  numberId: string,
): Promise<AssignmentOutcome | null> {
  const row = await findAssignment(db, ledger, numberId);
  const assignment = row?.status === 'pending' ? wantedAssignment({ ...row, status: 'active' }) : 'none';
  if (typeof assignment === 'string') return null;
  const outcome = await carriers
    .registry(ledger, row?.messaging_connection_id ?? null)
    .assignNumber(ledger, assignment);
  if (outcome.outcome === 'accepted' || outcome.outcome === 'rejected') return { assignment, outcome };
  throw new Error(`the assignment of ${numberId} has no outcome yet: ${outcome.outcome}`);
}

/**
 * Releases a number at the carrier. Throws without an outcome, so that the job runs again. A refusal is retried for a
 * day, because a lock or an open bill may hold the number; then an error is logged for the operator: the number is
 * still paid for.
 */
async function requestRelease(context: JobContext, job: Job<ReleaseJobPayload>): Promise<void> {
  const { db, carriers, log, metrics } = context;
  const { ledger, numberId, refusals = 0 } = job.payload;
  const row = await findNumberOrder(db, ledger, numberId);
  if (row === undefined || row.carrier_ref === null) return;
  const number = { phoneNumber: row.phone_number, carrierRef: row.carrier_ref };
  const outcome = await carriers.numbers(ledger, row.connection_id).release(ledger, number);
  if (outcome.outcome === 'accepted') return;
  if (outcome.outcome === 'rejected') {
    const about = { number_id: numberId, reason: outcome.reason };
    const delayMs = RELEASE_RETRY_MS[refusals];
    if (delayMs === undefined) {
      metrics.releasesRefused.inc();
      log.error(about, 'the carrier refused to release a number for a day; release it at the carrier by hand');
      return;
    }
    log.warn({ ...about, retry_in_ms: delayMs }, 'the carrier refused to release a number; it is asked again');
    const payload: ReleaseJobPayload = { ...job.payload, refusals: refusals + 1 };
    return db.transaction((tx) => rescheduleJob(tx, job, { delayMs, payload }));
  }
  throw new Error(`the release of ${numberId} has no outcome yet: ${outcome.outcome}`);
}
