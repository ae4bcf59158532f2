import type { Found, Outcome, Registered } from '../../../carriers/ports/outcome.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { answerPending } from '../../../http/writes/idempotency.ts';
import { CARRIER_JOBS_LINGERING, type Job, type JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import {
  isPolled,
  type OpenRegistration,
  POLL_MS,
  type Registration,
  type RegistrationPayload,
} from './registration.ts';

/** Delay before a registration is submitted again after the registry could not accept it. */
const RETRY_MS = 60_000;

type JobContext = Pick<Context, 'db' | 'cipher' | 'carriers' | 'settings'>;

/**
 * Returns the handler of the jobs that complete registrations of one kind. A job finishes an incomplete request,
 * submits a registration that never arrived, and then polls every five minutes until the registry has decided.
 */
export function createRegistrationHandler<Review extends { readonly status: string }>(
  context: JobContext,
  registration: Registration<Review>,
): JobHandler<RegistrationPayload> {
  return {
    kind: registration.kind,
    queue: 'default',
    lingeringMax: CARRIER_JOBS_LINGERING,
    run: ([job]) => complete(context, registration, job as Job<RegistrationPayload>),
  };
}

async function complete<Review extends { readonly status: string }>(
  context: JobContext,
  registration: Registration<Review>,
  job: Job<RegistrationPayload>,
): Promise<void> {
  const { ledger, id, pending } = job.payload;
  const loaded = await registration.load(context.db, ledger, id);
  if (loaded === undefined) return;
  const answer = loaded.open === null ? null : await askRegistry(context, registration, job, loaded.open);
  await context.db.transaction(async (tx) => {
    const nextMs = answer === null ? null : await conclude(tx, registration, job, answer);
    if (pending !== null) await answerPending(context, tx, pending, { result: loaded.reply });
    if (nextMs === null) await completeJobs(tx, [job]);
    else await rescheduleJob(tx, job, { delayMs: nextMs, payload: { ...job.payload, pending: null } });
  });
}

type Answer<Review> = { readonly outcome: Outcome<Registered>; readonly review: Review | undefined };

/**
 * Asks the registry for the registration, and submits it if the registry does not have it. Throws if it is undecided.
 */
async function askRegistry<Review extends { readonly status: string }>(
  { carriers }: JobContext,
  registration: Registration<Review>,
  { payload: { ledger, id } }: Job<RegistrationPayload>,
  open: OpenRegistration,
): Promise<Answer<Review>> {
  const registry = carriers.registry(ledger, open.connectionId);
  const found: Found<Registered & { readonly review: Review }> = await registration.find(registry, ledger, id);
  if (found.found === 'accepted') {
    return { outcome: { outcome: 'accepted', carrierRef: found.carrierRef }, review: found.review };
  }
  if (found.found === 'undecided') throw new Error(`the registry cannot say yet whether it has ${id}`);
  return { outcome: await open.create(registry), review: undefined };
}

/** Writes the registry's answer. @returns milliseconds until the next poll, or null if the registration is complete */
async function conclude<Review extends { readonly status: string }>(
  tx: Tx,
  registration: Registration<Review>,
  { payload: { ledger, id } }: Job<RegistrationPayload>,
  { outcome, review }: Answer<Review>,
): Promise<number | null> {
  if (outcome.outcome === 'unavailable') return Math.max(RETRY_MS, outcome.retryAfterMs ?? 0);
  if (outcome.outcome === 'unknown') return RETRY_MS;
  if (outcome.outcome === 'rejected') {
    await registration.refuse(tx, ledger, id, outcome.reason);
    return null;
  }
  await registration.accept(tx, ledger, id, outcome.carrierRef);
  if (review !== undefined) await registration.review(tx, ledger, id, review);
  const isDecided = review !== undefined && review.status !== 'pending';
  return !isDecided && isPolled(ledger) ? POLL_MS : null;
}
