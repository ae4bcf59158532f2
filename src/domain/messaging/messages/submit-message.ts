/**
 * Takes queued messages to the carrier. A message is handed over once: a run that cannot know whether an earlier one
 * reached the carrier asks before it sends, and an answer that was lost is looked up, never sent again blindly.
 */
import type { Logger } from 'pino';
import type { MessageFailure, MessagingPort } from '../../../carriers/ports/messaging.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import { allThenThrow } from '../../../lib/all-then-throw.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import { meterAccepted } from './meter-queries.ts';
import { listWaitingMessages, type Receipt, type WaitingMessage } from './queries.ts';
import { recordReceipts } from './record-receipts.ts';
import { SUBMIT_KIND } from './send-queries.ts';

type SubmitPayload = {
  message_id: string;
  /** Runs that ended with the carrier certainly not having it. */
  refusals?: number;
  /** The carrier may have it: ask first. */
  unsure?: number;
};

/** Waits after each time that the carrier could not take it; after the last one the message has failed. */
const RETRY_DELAYS_MS = { test: [500, 1_000, 2_000], live: [5_000, 30_000, 120_000, 600_000] } as const;
/** Not quite four hours in all: nothing goes out later than that after it was accepted. */
const ASK_AGAIN_MS = [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000, 9_900_000] as const;
const BATCH_MAX = 64;

type SubmitContext = Pick<Context, 'db' | 'carriers' | 'log'>;

/** The job that submits messages, many at a time. */
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

/** What a run found out about one message. `accepted`: the carrier has it. */
type Result =
  | { job: SubmitJob; end: Receipt | null; accepted?: true }
  | { job: SubmitJob; again: { delayMs: number; payload: SubmitPayload } };

async function submit(context: SubmitContext, ledgerId: number, jobs: readonly SubmitJob[]): Promise<void> {
  const ids = jobs.map((job) => job.payload.message_id);
  const [ledger, waiting] = await Promise.all([
    findLedger(context.db, ledgerId),
    listWaitingMessages(context.db, ledgerId, ids),
  ]);
  // The ledger was emptied while its jobs were in hand.
  if (ledger === undefined) return;
  const byId = new Map(waiting.map((message) => [message.id, message]));
  const carrier = careful(context.carriers.messaging(ledger), context.log);
  const results = await Promise.all(
    jobs.map((job) => submitOne(carrier, ledger, job, byId.get(job.payload.message_id))),
  );
  await context.db.transaction((tx) => conclude(tx, ledger, results));
}

async function submitOne(
  carrier: MessagingPort,
  ledger: Ledger,
  job: SubmitJob,
  message: WaitingMessage | undefined,
): Promise<Result> {
  const { refusals = 0, unsure = 0, message_id } = job.payload;
  // A run before this one handed it over, and the receipt was here sooner than that run's end.
  if (message === undefined) return { job, end: null, ...((unsure > 0 || job.attempt > 1) && { accepted: true }) };
  // Asked before anything else is decided: a text that is out has the end that its receipt brings.
  if (unsure > 0 || job.attempt > 1) {
    const { found } = await carrier.findSend(ledger, message.id);
    if (found === 'accepted') return { job, end: null, accepted: true };
    if (found === 'undecided') return askAgain(job, unsure);
    // Sent now, it might once more be nobody knows where, with no time left to find out.
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
  const delayMs = RETRY_DELAYS_MS[ledger.mode][refusals];
  if (delayMs === undefined) return { job, end: failed(message_id, 'send_failed') };
  const payload = { message_id, refusals: refusals + 1 };
  return { job, again: { delayMs: Math.max(delayMs, answer.retryAfterMs ?? 0), payload } };
}

/**
 * The carrier, whose failures to answer are answers too: what a thrown error leaves open is `unknown` or `undecided`.
 * One message's error must not end the run while the others are still on their way out.
 */
function careful(carrier: MessagingPort, log: Logger): MessagingPort {
  return {
    send: (ledger, message) =>
      carrier.send(ledger, message).catch((error: unknown) => {
        log.error({ err: error, message: message.ref }, 'the carrier adapter threw in send: the outcome is unknown');
        return { outcome: 'unknown' as const };
      }),
    findSend: (ledger, ref) =>
      carrier.findSend(ledger, ref).catch((error: unknown) => {
        log.error({ err: error, message: ref }, 'the carrier adapter threw in findSend: it is asked again');
        return { found: 'undecided' as const };
      }),
  };
}

/** A message whose fate stays open expires when asking has led nowhere. A receipt that is quicker wins, and is metered. */
function askAgain(job: SubmitJob, asked: number): Result {
  const delayMs = ASK_AGAIN_MS[asked];
  if (delayMs === undefined) return { job, end: failed(job.payload.message_id, 'expired'), accepted: true };
  return { job, again: { delayMs, payload: { ...job.payload, unsure: asked + 1 } } };
}

function failed(messageId: string, errorCode: MessageFailure): Receipt {
  return { messageId, status: 'failed', errorCode };
}

/** Outcome, event, usage and the end of the jobs in one transaction. */
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
