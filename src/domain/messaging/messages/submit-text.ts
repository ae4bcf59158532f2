/**
 * Submits one queued text to the carrier, at most once. A run that cannot know whether an earlier one reached the
 * carrier asks the carrier before it sends. A send whose answer was lost is looked up and never repeated blindly.
 */
import type { Logger } from 'pino';
import type { Carriers } from '../../../carriers/ports/carrier.ts';
import type { MessageFailure, MessagingPort } from '../../../carriers/ports/messaging.ts';
import type { ErrorDetail } from '../../../carriers/ports/outcome.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { NewJob } from '../../../queue/jobs/job.ts';
import { type Attempt, addAttempts } from './attempt-queries.ts';
import type { Receipt } from './queries.ts';
import { recordReceipts } from './record-receipts.ts';
import { meterAccepted, SUBMIT_KIND, type WaitingMessage } from './submit-queries.ts';

export type SubmitPayload = {
  message_id: string;
  /** After this many runs the carrier certainly does not have the message. */
  refusals?: number;
  /** Runs that failed because the operator's account at the carrier does not allow the send. */
  account_refusals?: number;
  /** Times that the outcome stayed unknown. If set, the carrier may have the message and is asked first. */
  unsure?: number;
};

/** A run for one text. From the second attempt on, a run that did not end may have sent it. */
export type SubmitRun = { readonly payload: SubmitPayload; readonly attempt: number };

/**
 * How a run ended. `accepted`: the carrier has the text. `again`: a later run continues with this payload. `attempt` is
 * stored with the text; absent if the carrier was only asked, and if it accepted the text at the first attempt.
 */
export type SubmitOutcome = (
  | { readonly end: Receipt | null; readonly accepted?: true }
  | { readonly again: { readonly delayMs: number; readonly payload: SubmitPayload } }
) & { readonly attempt?: Attempt };

/** Delays after each time that the carrier was unavailable; after the last one the message fails. */
const RETRY_DELAYS_MS = { test: [500, 1_000, 2_000], live: [5_000, 30_000, 120_000, 600_000] } as const;
/**
 * If the operator's account does not allow a text, the text waits until it does: it is sent again at this interval, for
 * four hours.
 */
const ACCOUNT_RETRY_MS = 600_000;
const ACCOUNT_RETRIES_MAX = 24;
/**
 * Delays between questions to the carrier about an unknown outcome. Together they are just under four hours: no message
 * is tried for longer.
 */
const ASK_AGAIN_MS = [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000, 9_900_000] as const;
/** Delay of a message while too many requests to its carrier are in progress, if the answer names no delay. */
const BUSY_MS = 2_000;

export type SubmitContext = Pick<Context, 'db' | 'carriers' | 'log'>;

/**
 * Submits a text. Unless the carrier must be asked first, it makes the request before its first `await`. So texts reach
 * the carrier in the order that their runs start.
 * @param message undefined if it is no longer queued
 */
export async function submitText(
  { carriers, log }: SubmitContext,
  ledger: Ledger,
  { payload, attempt }: SubmitRun,
  message: WaitingMessage | undefined,
): Promise<SubmitOutcome> {
  const { unsure = 0, message_id } = payload;
  const isRepeat = unsure > 0 || attempt > 1;
  // An earlier run sent it, and its receipt arrived before that run ended.
  if (message === undefined) return { end: null, ...(isRepeat && { accepted: true }) };
  const carrier = portOf(carriers, ledger, message, log);
  if (carrier === undefined) return retry(payload, ledger, { reason: 'disabled' });
  // The carrier is asked before anything else is decided: a text that it has ends with its receipt.
  if (isRepeat) {
    const { found } = await carrier.findSend(ledger, message.id);
    const attempt = { outcome: 'accepted', reason: 'confirmed_later' } as const;
    if (found === 'accepted') return { end: null, accepted: true, attempt };
    if (found === 'undecided') return askAgain(payload);
    // If it were sent now and its outcome were unknown again, no time would be left to ask.
    if (unsure === ASK_AGAIN_MS.length) return { end: failed(message_id, 'send_failed') };
  }
  if (message.obstacle !== null) {
    return { end: { messageId: message.id, status: 'failed', errorCode: message.obstacle } };
  }
  const answer = await carrier.send(ledger, {
    ref: message.id,
    from: message.from,
    to: message.to,
    body: message.body,
    mediaUrls: message.media.map((item) => item.url),
  });
  if (answer.outcome === 'accepted') return acceptedNow(payload, attempt);
  if (answer.outcome === 'rejected') return rejected(payload, answer);
  if (answer.outcome === 'unknown') return { ...askAgain(payload), attempt: { outcome: 'unknown', reason: null } };
  // Dialplane itself made no request, because too many to this connection are in progress. The carrier has not refused.
  if (answer.cause === 'busy') return { again: { delayMs: answer.retryAfterMs ?? BUSY_MS, payload } };
  if (answer.cause === 'account') return waitForAccount(payload, answer.errorDetail);
  return retry(payload, ledger, { ...answer, reason: answer.cause ?? 'not_now' });
}

/** An acceptance is stored as an attempt if it was not the first one. */
function acceptedNow(payload: SubmitPayload, run: number): SubmitOutcome {
  const { refusals = 0, account_refusals = 0, unsure = 0 } = payload;
  const isFirst = run === 1 && refusals + account_refusals + unsure === 0;
  return { end: null, accepted: true, ...(!isFirst && { attempt: { outcome: 'accepted', reason: null } }) };
}

type Rejection = { readonly reason: MessageFailure; readonly errorDetail?: ErrorDetail | undefined };

function rejected({ message_id }: SubmitPayload, { reason, errorDetail }: Rejection): SubmitOutcome {
  const isBlocked = reason === 'recipient_opted_out';
  const end = failed(message_id, reason, errorDetail);
  const attempt = { outcome: 'rejected', reason, errorDetail } as const;
  return { end: { ...end, ...(isBlocked && { blocked: 'at_once' as const }) }, attempt };
}

/** Plans the next send of a text that the operator's account does not allow now. */
function waitForAccount(payload: SubmitPayload, errorDetail: ErrorDetail | undefined): SubmitOutcome {
  const { account_refusals: refusals = 0, message_id } = payload;
  const attempt = { outcome: 'unavailable', reason: 'account', errorDetail } as const;
  if (refusals === ACCOUNT_RETRIES_MAX) return { end: failed(message_id, 'send_failed', errorDetail), attempt };
  return { again: { delayMs: ACCOUNT_RETRY_MS, payload: { ...payload, account_refusals: refusals + 1 } }, attempt };
}

type Unavailable = { readonly reason: string; readonly retryAfterMs?: number; readonly errorDetail?: ErrorDetail };

/** Plans the next send of a text that the carrier certainly does not have. After the last attempt the message fails. */
function retry(payload: SubmitPayload, { mode }: Ledger, answer: Unavailable): SubmitOutcome {
  const { retryAfterMs = 0, reason, errorDetail } = answer;
  const attempt = { outcome: 'unavailable', reason, errorDetail } as const;
  const { refusals = 0 } = payload;
  const delayMs = RETRY_DELAYS_MS[mode][refusals];
  if (delayMs === undefined) return { end: failed(payload.message_id, 'send_failed', errorDetail), attempt };
  const next = { ...payload, refusals: refusals + 1 };
  return { again: { delayMs: Math.max(delayMs, retryAfterMs), payload: next }, attempt };
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
function askAgain(payload: SubmitPayload): SubmitOutcome {
  const { unsure: asked = 0 } = payload;
  const delayMs = ASK_AGAIN_MS[asked];
  if (delayMs === undefined) return { end: failed(payload.message_id, 'expired'), accepted: true };
  return { again: { delayMs, payload: { ...payload, unsure: asked + 1 } } };
}

function failed(messageId: string, errorCode: MessageFailure, errorDetail?: ErrorDetail): Receipt {
  return { messageId, status: 'failed', errorCode, errorDetail };
}

/** A text whose run has ended. */
type Submitted = { readonly messageId: string; readonly outcome: SubmitOutcome };

/** Returns the jobs of the texts that are to be submitted again, each alone. */
export function again({ ledgerId }: Ledger, runs: readonly Submitted[]): NewJob[] {
  return runs.flatMap(({ messageId, outcome }) =>
    'again' in outcome
      ? [{ ledgerId, queue: 'messaging', kind: SUBMIT_KIND, id: `${SUBMIT_KIND}:${messageId}`, ...outcome.again }]
      : [],
  );
}

/** Writes the attempts, ends, events and usage of texts whose runs have ended, in the caller's transaction. */
export async function recordOutcomes(tx: Tx, ledger: Ledger, runs: readonly Submitted[]): Promise<void> {
  const receipts = runs.flatMap(({ outcome }) => ('end' in outcome && outcome.end !== null ? [outcome.end] : []));
  const attempts = runs.flatMap(({ messageId, outcome: { attempt } }) => (attempt ? [{ messageId, ...attempt }] : []));
  const changed = [...attempts, ...receipts].map(({ messageId }) => messageId);
  await addAttempts(tx, ledger, attempts, changed);
  await recordReceipts(tx, ledger, receipts);
  const accepted = runs.filter(({ outcome }) => 'end' in outcome && outcome.accepted === true);
  await meterAccepted(
    tx,
    ledger.ledgerId,
    accepted.map(({ messageId }) => messageId),
  );
}
