/**
 * Submits queued messages to the carrier, each at most once. A run that cannot know whether an earlier one reached the
 * carrier asks the carrier before it sends. A send whose answer was lost is looked up and never repeated blindly.
 *
 * Messages are read together and concluded as their answers come: those that are answered at about the same moment
 * share a transaction, and none waits for one whose carrier is slow.
 */
import type { Logger } from 'pino';
import type { Carriers } from '../../../carriers/ports/carrier.ts';
import type { MessageFailure, MessagingPort } from '../../../carriers/ports/messaging.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';

import { ApiError } from '../../../lib/errors.ts';
import { createKeyedBatcher, type KeyedBatcher } from '../../../lib/keyed-batcher.ts';

import type { Ledger } from '../../../lib/scope.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJobs } from '../../../queue/jobs/job-claims.ts';
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
/** Delay of a message that found too many requests to its carrier in progress, if none is named. */
const BUSY_MS = 2_000;
const BATCH_MAX = 64;
/** Most messages in one process that wait for slow carriers beside the slots of their queue. */
const LINGERING_MAX = 4_096;
/** Transactions of one ledger that conclude messages concurrently. */
const CONCLUSIONS_MAX = 2;

type SubmitContext = Pick<Context, 'db' | 'carriers' | 'log'>;

/** Returns the handler of submit jobs, which runs many jobs at a time. */
export function createSubmitHandler(context: SubmitContext): JobHandler<SubmitPayload> {
  const conclusions = createConclusions(context);
  return {
    kind: SUBMIT_KIND,
    queue: 'messaging',
    batchMax: BATCH_MAX,
    lingeringMax: LINGERING_MAX,
    run: (jobs) => {
      const byLedger = Map.groupBy(jobs, (job) => job.ledgerId);
      const read = new Map([...byLedger].map(([ledgerId, own]) => [ledgerId, readMessages(context, ledgerId, own)]));
      return jobs.map(async (job) => {
        const own = await read.get(job.ledgerId);
        // The ledger was deleted while its jobs were claimed.
        if (own === undefined) return;
        const result = await submitOne(context, own.ledger, job, own.byId.get(job.payload.message_id));
        await conclusions.add(job.ledgerId, { ledger: own.ledger, result });
      });
    },
  };
}

type SubmitJob = Job<SubmitPayload>;

/** The result of a run for one message. `accepted`: the carrier has it. */
type Result =
  | { job: SubmitJob; end: Receipt | null; accepted?: true }
  | { job: SubmitJob; again: { delayMs: number; payload: SubmitPayload } };

type Conclusion = { readonly ledger: Ledger; readonly result: Result };

/** What a run knows of the messages of one ledger: those that are still waiting, by their ids. */
type Messages = {
  readonly ledger: Ledger;
  readonly byId: ReadonlyMap<string, WaitingMessage>;
};

async function readMessages(
  { db }: SubmitContext,
  ledgerId: number,
  jobs: readonly SubmitJob[],
): Promise<Messages | undefined> {
  const ids = jobs.map((job) => job.payload.message_id);
  const [ledger, waiting] = await Promise.all([findLedger(db, ledgerId), listWaitingMessages(db, ledgerId, ids)]);
  if (ledger === undefined) return undefined;
  return { ledger, byId: new Map(waiting.map((message) => [message.id, message])) };
}

/** Concludes messages of one ledger together. A message that cannot be concluded fails alone. */
function createConclusions({ db }: SubmitContext): KeyedBatcher<number, Conclusion, undefined> {
  return createKeyedBatcher({
    rowsMax: BATCH_MAX,
    concurrencyMax: CONCLUSIONS_MAX,
    run: async (_, conclusions) => {
      const [{ ledger }] = conclusions as [Conclusion];
      const results = conclusions.map(({ result }) => result);
      await db.transaction((tx) => conclude(tx, ledger, results));
      return conclusions.map(() => undefined);
    },
    // Without a database no single message is at fault.
    retriesAlone: (error) => !(error instanceof ApiError && error.code === 'database_unavailable'),
  });
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
  // Dialplane itself makes no more requests of this connection for the moment: the carrier has refused nothing.
  if (answer.cause === 'busy') return { job, again: { delayMs: answer.retryAfterMs ?? BUSY_MS, payload: job.payload } };
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
  await rescheduleJobs(
    tx,
    results.flatMap((result) => ('again' in result ? [{ job: result.job, ...result.again }] : [])),
  );
}
