/**
 * Submits queued messages to the carrier, each at most once. A run that cannot know whether an earlier one reached the
 * carrier asks the carrier before it sends. A send whose answer was lost is looked up and never repeated blindly.
 */
import type { Logger } from 'pino';
import type { Carriers } from '../../../carriers/ports/carrier.ts';
import type { MessageFailure, MessagingPort } from '../../../carriers/ports/messaging.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import { allThenThrow } from '../../../lib/all-then-throw.ts';
import { ApiError } from '../../../lib/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import type { Receipt } from './queries.ts';
import { recordReceipts } from './record-receipts.ts';
import { listWaitingMessages, meterAccepted, SUBMIT_KIND, type WaitingMessage } from './send-queries.ts';

type SubmitPayload = {
  message_id: string;
  /** Runs after which the carrier certainly does not have the message. */
  refusals?: number;
  /** Times that the outcome stayed unknown. If set, the carrier may have the message and is asked first. */
  unsure?: number;
};

/** Delays after each time that the carrier was unavailable; after the last one the message fails. */
const RETRY_DELAYS_MS = { test: [500, 1_000, 2_000], live: [5_000, 30_000, 120_000, 600_000] } as const;
/** Delays between questions about an unknown outcome: just under four hours in all, the longest a message is tried. */
const ASK_AGAIN_MS = [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000, 9_900_000] as const;
const BATCH_MAX = 64;

type SubmitContext = Pick<Context, 'db' | 'carriers' | 'log'>;

/** Returns the handler of submit jobs, which runs many jobs at a time. */
export function createSubmitHandler(context: SubmitContext): JobHandler<SubmitPayload> {
  return {
    kind: SUBMIT_KIND,
    queue: 'messaging',
    batchMax: BATCH_MAX,
    run: async (jobs) => {
      const byLedger = Map.groupBy(jobs, (job) => job.ledgerId);
      await allThenThrow([...byLedger].map(([ledgerId, own]) => submit(context, ledgerId, own)));
    },
  };
}

type SubmitJob = Job<SubmitPayload>;

/** The result of a run for one message. `accepted`: the carrier has it. */
type Result =
  | { job: SubmitJob; end: Receipt | null; accepted?: true }
  | { job: SubmitJob; again: { delayMs: number; payload: SubmitPayload } };

async function submit(context: SubmitContext, ledgerId: number, jobs: readonly SubmitJob[]): Promise<void> {
  const ids = jobs.map((job) => job.payload.message_id);
  const [ledger, waiting] = await Promise.all([
    findLedger(context.db, ledgerId),
    listWaitingMessages(context.db, ledgerId, ids),
  ]);
  // The ledger was deleted while its jobs were claimed.
  if (ledger === undefined) return;
  const byId = new Map(waiting.map((message) => [message.id, message]));
  const results = await Promise.all(
    jobs.map((job) => submitOne(context, ledger, job, byId.get(job.payload.message_id))),
  );
  await context.db.transaction((tx) => conclude(tx, ledger, results));
}

async function submitOne(
  { carriers, log }: SubmitContext,
  ledger: Ledger,
  job: SubmitJob,
  message: WaitingMessage | undefined,
): Promise<Result> {
  const { refusals = 0, unsure = 0, message_id } = job.payload;
  // An earlier run sent it, and its receipt arrived before that run ended.
  if (message === undefined) return { job, end: null, ...((unsure > 0 || job.attempt > 1) && { accepted: true }) };
  const carrier = portOf(carriers, ledger, message, log);
  if (carrier === undefined) return retry(job, ledger, refusals, 0);
  // Asked before anything else is decided: a text that the carrier has ends with its receipt.
  if (unsure > 0 || job.attempt > 1) {
    const { found } = await carrier.findSend(ledger, message.id);
    if (found === 'accepted') return { job, end: null, accepted: true };
    if (found === 'undecided') return askAgain(job, unsure);
    // If it were sent now, its outcome might be unknown again, with no time left to ask.
    if (unsure === ASK_AGAIN_MS.length) return { job, end: failed(message_id, 'send_failed') };
  }
  if (message.obstacle !== null) {
    return { job, end: { messageId: message.id, status: 'failed', errorCode: message.obstacle } };
  }
  const answer = await carrier.send(ledger, {
    ref: message.id,
    from: message.from,
    to: message.to,
    body: message.body,
    mediaUrls: message.media.map((item) => item.url),
  });
  if (answer.outcome === 'accepted') return { job, end: null, accepted: true };
  if (answer.outcome === 'rejected') return { job, end: failed(message_id, answer.reason) };
  if (answer.outcome === 'unknown') return askAgain(job, unsure);
  return retry(job, ledger, refusals, answer.retryAfterMs ?? 0);
}

/** Plans the next send after one that the carrier certainly does not have. After the last one the message fails. */
function retry(job: SubmitJob, { mode }: Ledger, refusals: number, atLeastMs: number): Result {
  const delayMs = RETRY_DELAYS_MS[mode][refusals];
  if (delayMs === undefined) return { job, end: failed(job.payload.message_id, 'send_failed') };
  const payload = { ...job.payload, refusals: refusals + 1 };
  return { job, again: { delayMs: Math.max(delayMs, atLeastMs), payload } };
}

/** Returns the messaging port of the message's connection; undefined while that is disabled. */
function portOf(
  carriers: Carriers,
  ledger: Ledger,
  { connectionId }: WaitingMessage,
  log: Logger,
): MessagingPort | undefined {
  try {
    return neverThrowing(carriers.messaging(ledger, connectionId), log);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/**
 * Wraps the carrier so that it never throws: an error becomes `unknown` or `undecided`. One message's error must not
 * end the run while others are being sent.
 */
function neverThrowing(carrier: MessagingPort, log: Logger): MessagingPort {
  return {
    send: (ledger, message) =>
      carrier.send(ledger, message).catch((error: unknown) => {
        log.error(
          { err: error, message: message.ref },
          'the carrier adapter threw in send; the outcome is unknown and will be looked up',
        );
        return { outcome: 'unknown' as const };
      }),
    findSend: (ledger, ref) =>
      carrier.findSend(ledger, ref).catch((error: unknown) => {
        log.error({ err: error, message: ref }, 'the carrier adapter threw in findSend; it will be asked again');
        return { found: 'undecided' as const };
      }),
  };
}

/**
 * Plans the next question to the carrier. After the last one the message expires, unless a receipt has come before:
 * then the receipt counts and the message is metered.
 */
function askAgain(job: SubmitJob, asked: number): Result {
  const delayMs = ASK_AGAIN_MS[asked];
  if (delayMs === undefined) return { job, end: failed(job.payload.message_id, 'expired'), accepted: true };
  return { job, again: { delayMs, payload: { ...job.payload, unsure: asked + 1 } } };
}

function failed(messageId: string, errorCode: MessageFailure): Receipt {
  return { messageId, status: 'failed', errorCode };
}

/** Writes outcomes, events and usage and completes the jobs, in the caller's transaction. */
async function conclude(tx: Tx, ledger: Ledger, results: readonly Result[]): Promise<void> {
  const ends = results.filter((result) => 'end' in result);
  const receipts = ends.flatMap(({ end }) => (end === null ? [] : [end]));
  await recordReceipts(tx, ledger, receipts);
  const accepted = ends.filter((end) => end.accepted).map(({ job }) => job.payload.message_id);
  await meterAccepted(tx, ledger.ledgerId, accepted);
  await completeJobs(
    tx,
    ends.map(({ job }) => job),
  );
  for (const result of results) {
    if ('again' in result) await rescheduleJob(tx, result.job, result.again);
  }
}
