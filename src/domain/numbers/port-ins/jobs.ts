import type { Outcome } from '../../../carriers/ports/outcome.ts';
import type { PortInOrder, PortingPort } from '../../../carriers/ports/porting.ts';
import type { Context } from '../../../context.ts';
import { answerPending } from '../../../http/writes/idempotency.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import { CARRIER_JOBS_LINGERING, type Job, type JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs } from '../../../queue/jobs/job-claims.ts';
import { expiryHandler } from '../port-in-documents/delete-documents.ts';
import { readDocuments } from '../port-in-documents/read-documents.ts';
import { settleCancel } from './cancel-port-in.ts';
import { CANCEL_JOB, type CancelPayload, immediateCancelJob, SUBMIT_JOB, type SubmitPayload } from './new-jobs.ts';
import { openPin } from './pin.ts';
import { findWholePortIn, type WholePortIn } from './queries.ts';
import { recordReport } from './record-report.ts';
import { hasEnded } from './rules.ts';

type JobContext = Pick<Context, 'db' | 'blobs' | 'cipher' | 'carriers' | 'log' | 'settings'>;

/** Returns the job handlers of port-ins: submissions to the carrier, cancellations, the expiry of documents. */
export function portInJobs(context: JobContext): JobHandler[] {
  const shared = { queue: 'default', lingeringMax: CARRIER_JOBS_LINGERING } as const;
  return [
    { ...shared, kind: SUBMIT_JOB, run: ([job]) => sendSubmission(context, job as Job<SubmitPayload>) },
    { ...shared, kind: CANCEL_JOB, run: ([job]) => finishCancel(context, job as Job<CancelPayload>) },
    expiryHandler(context) as JobHandler,
  ];
}

/**
 * Sends a submission to the carrier, unless the port-in has ended or was submitted again. If the carrier refuses it,
 * the port-in becomes `action_needed`, as after such a report. Throws without an outcome, so that the job runs again.
 */
async function sendSubmission(context: JobContext, job: Job<SubmitPayload>): Promise<void> {
  const { ledger, portInId, attempt } = job.payload;
  const whole = await findWholePortIn(context.db, ledger, portInId);
  if (whole === undefined || whole.hidden.attempt !== attempt || hasEnded(whole.portIn.status)) return;
  const outcome = await submit(context, ledger, whole);
  if (outcome.outcome === 'accepted') return retractIfCancelled(context, ledger, portInId);
  if (outcome.outcome !== 'rejected') throw new Error(`no outcome yet for ${portInId}: ${outcome.outcome}`);
  const { reason: detail, missingDocuments = [] } = outcome;
  const report = { status: 'action_needed', detail, missingDocuments } as const;
  await context.db.transaction(async (tx) => {
    await recordReport(tx, ledger, { ref: portInId, attempt, report });
    await completeJobs(tx, [job]);
  });
}

/** Cancels again at the carrier: a cancellation that ran before this submission found nothing to cancel there. */
async function retractIfCancelled({ db }: JobContext, ledger: Ledger, portInId: string): Promise<void> {
  const whole = await findWholePortIn(db, ledger, portInId);
  if (whole?.portIn.status === 'cancelled') await enqueue(db, [immediateCancelJob(ledger, portInId)]);
}

async function submit(
  context: JobContext,
  ledger: Ledger,
  whole: WholePortIn,
): ReturnType<PortingPort['submitPortIn']> {
  const carrier = context.carriers.porting(ledger, whole.hidden.connectionId);
  const order = await orderOf(context, ledger, whole);
  const found = await carrier.findPortIn(ledger, order);
  if (found.found === 'accepted') return { outcome: 'accepted' };
  if (found.found === 'undecided') return { outcome: 'unknown' };
  return carrier.submitPortIn(ledger, order);
}

async function orderOf(context: JobContext, ledger: Ledger, { portIn, hidden }: WholePortIn): Promise<PortInOrder> {
  const { cipher } = context;
  return {
    ref: portIn.id,
    attempt: hidden.attempt,
    submittedAt: hidden.submittedAt as Date,
    tenant: { id: portIn.tenant_id, name: hidden.tenantName },
    phoneNumbers: portIn.phone_numbers,
    entityName: portIn.entity_name,
    authorizedPerson: portIn.authorized_person,
    billingPhoneNumber: portIn.billing_phone_number,
    accountNumber: portIn.account_number,
    pin: hidden.pin === null ? null : openPin(cipher, ledger, portIn.id, hidden.pin),
    serviceAddress: portIn.service_address,
    documents: await readDocuments(context, ledger, portIn.id),
  };
}

/** Finishes a cancellation whose request ended without an outcome, or sends a recorded one to the carrier. */
async function finishCancel(context: JobContext, job: Job<CancelPayload>): Promise<void> {
  const { db, log } = context;
  const { ledger, portInId, pending } = job.payload;
  const whole = await findWholePortIn(db, ledger, portInId);
  if (whole === undefined) return;
  const isSubmitted = whole.hidden.attempt > 0;
  const outcome: Outcome<object> = isSubmitted
    ? await context.carriers.porting(ledger, whole.hidden.connectionId).cancelPortIn(ledger, portInId)
    : { outcome: 'accepted' };
  if (outcome.outcome === 'unavailable' || outcome.outcome === 'unknown') {
    throw new Error(`no outcome yet for the cancellation of ${portInId}: ${outcome.outcome}`);
  }
  if (outcome.outcome === 'rejected' && whole.portIn.status === 'cancelled') {
    log.error(
      { port_in_id: portInId, reason: outcome.reason },
      'the carrier refused to cancel a port-in that is cancelled here',
    );
  }
  await db.transaction(async (tx) => {
    const settlement = await settleCancel(tx, ledger, portInId, outcome);
    await completeJobs(tx, [job]);
    if (pending !== null) await answerPending(context, tx, pending, settlement);
  });
}
