import type { Found, Outcome, Registered } from '../../../carriers/ports/outcome.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { answerPending } from '../../../http/writes/idempotency.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import {
  isPolled,
  type OpenRegistration,
  POLL_MS,
  type Registration,
  type RegistrationPayload,
} from './registration.ts';

/** Before a registration is handed in again that the registry could not take. */
const RETRY_MS = 60_000;

type JobContext = Pick<Context, 'db' | 'cipher' | 'carriers'>;

/**
 * The job that sees registrations of one kind through: finishes what a request left, hands in what never arrived, and
 * then looks every five minutes until the registry has decided.
 */
export function createRegistrationHandler<Review extends { readonly status: string }>(
  context: JobContext,
  registration: Registration<Review>,
): JobHandler<RegistrationPayload> {
  return {
    kind: registration.kind,
    queue: 'default',
    run: ([job]) => see(context, registration, job as Job<RegistrationPayload>),
  };
}

async function see<Review extends { readonly status: string }>(
  context: JobContext,
  registration: Registration<Review>,
  job: Job<RegistrationPayload>,
): Promise<void> {
  const { ledger, id, pending } = job.payload;
  const loaded = await registration.load(context.db, ledger, id);
  if (loaded === undefined) return;
  const seen = loaded.open === null ? null : await look(context, registration, job, loaded.open);
  await context.db.transaction(async (tx) => {
    const againMs = seen === null ? null : await conclude(tx, registration, job, seen);
    if (pending !== null) await answerPending(context, tx, pending, { result: loaded.reply });
    if (againMs === null) await completeJobs(tx, [job]);
    else await rescheduleJob(tx, job, { delayMs: againMs, payload: { ...job.payload, pending: null } });
  });
}

type Seen<Review> = { readonly outcome: Outcome<Registered>; readonly review: Review | undefined };

/** Asks what became of it, and hands it in if the registry has never seen it. Throws while the registry cannot tell. */
async function look<Review extends { readonly status: string }>(
  { carriers }: JobContext,
  registration: Registration<Review>,
  { payload: { ledger, id } }: Job<RegistrationPayload>,
  open: OpenRegistration,
): Promise<Seen<Review>> {
  const registry = carriers.registry(ledger);
  const found: Found<Registered & { readonly review: Review }> = await registration.find(registry, ledger, id);
  if (found.found === 'accepted') {
    return { outcome: { outcome: 'accepted', carrierRef: found.carrierRef }, review: found.review };
  }
  if (found.found === 'undecided') throw new Error(`the registry cannot tell what became of ${id}`);
  return { outcome: await open.create(registry), review: undefined };
}

/** @returns milliseconds until the next look, or null when it is done */
async function conclude<Review extends { readonly status: string }>(
  tx: Tx,
  registration: Registration<Review>,
  { payload: { ledger, id } }: Job<RegistrationPayload>,
  { outcome, review }: Seen<Review>,
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
