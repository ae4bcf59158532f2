import type { Database } from '../../db/database.ts';
import { findLedger } from '../../db/ledgers.ts';
import { createKeyedBatcher } from '../../lib/concurrency/keyed-batcher.ts';
import { allThenThrow } from '../../lib/errors/all-then-throw.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { Job, JobHandler } from '../../queue/jobs/job.ts';
import { completeJobs } from '../../queue/jobs/job-claims.ts';
import { wake } from '../../queue/worker/wake.ts';
import type { CarrierEvent, CarrierEventSink } from '../ports/carrier.ts';
import type { MessageFailure, MessagingPort, OutboundMessage } from '../ports/messaging.ts';
import type { Outcome } from '../ports/outcome.ts';
import { FAULT_DELAY_S, type FaultKind, listFaultyLedgers, useFaults } from './fault-queries.ts';
import { takesTexts } from './inventory.ts';
import { MAGIC } from './magic-numbers.ts';
import {
  type AcceptedText,
  acceptTexts,
  findTextStatus,
  listTextsInTransit,
  RECEIPT_KIND,
  RECEIPTS_KIND,
  settleTexts,
  type TextInTransit,
} from './message-queries.ts';

const RECEIPT_MS = 1_000;
const REORDER_MS = 2_000;
const BATCH_MAX = 64;

type Answer = Outcome<object, MessageFailure>;
type Handover = { ledger: Ledger; message: OutboundMessage };

/**
 * The messaging capability of test mode. A text is accepted immediately. One second later a durable job reports its
 * receipt. Failures (magic numbers, faults) happen here, so the domain receives them like those of a real carrier.
 */
export function createSimulatedMessaging(db: Database): MessagingPort {
  // The batches of a ledger run one after the other, so its texts arrive in the order they were sent.
  const batcher = createKeyedBatcher<number, Handover, Answer>({
    rowsMax: BATCH_MAX,
    concurrencyMax: 1,
    run: (_, handovers) => acceptHandovers(db, handovers),
  });
  return {
    send: async (ledger, message) => {
      if (message.to === MAGIC.sendFails) return { outcome: 'unavailable' };
      return await batcher.add(ledger.ledgerId, { ledger, message });
    },
    findSend: async ({ ledgerId }, ref) => {
      const status = await findTextStatus(db, ledgerId, ref);
      if (status === undefined) return { found: 'absent' };
      if (status === 'accepted') return { found: 'accepted', receipt: { status: 'sent' } };
      if (status === 'delivered') return { found: 'accepted', receipt: { status } };
      return { found: 'accepted', receipt: { status, failureReason: 'unreachable' } };
    },
  };
}

/** Faults that apply to accepted texts only. A refused text does not use them. */
const FAULTS_OF_ACCEPTED: readonly FaultKind[] = ['send_unknown', 'delay', 'reorder', 'drop'];

async function acceptHandovers(db: Database, handovers: readonly Handover[]): Promise<Answer[]> {
  const ledgerIds = [...new Set(handovers.map(({ ledger }) => ledger.ledgerId))];
  const faulty = await listFaultyLedgers(db, ledgerIds);
  const accepted: AcceptedText[] = [];
  const answers: Answer[] = [];
  for (const { ledger, message } of handovers) {
    const { ledgerId } = ledger;
    const { answer, receiptInMs } = faulty.has(ledgerId) ? await applyFaults(db, ledgerId) : FAULTLESS;
    answers.push(answer);
    // With the outcome `unknown` the carrier has the text, and only the answer is lost.
    if (answer.outcome !== 'unavailable')
      accepted.push({ ledgerId, message, receiptInMs, voiceOnly: !takesTexts(message.to) });
  }
  if (accepted.length > 0) {
    await acceptTexts(db, accepted);
    wake(db, 'jobs', 'messaging', RECEIPT_MS);
  }
  return answers;
}

type Reception = { answer: Answer; receiptInMs: number | null };
const FAULTLESS: Reception = { answer: { outcome: 'accepted' }, receiptInMs: RECEIPT_MS };

async function applyFaults(db: Database, ledgerId: number): Promise<Reception> {
  const refused = await useFaults(db, ledgerId, ['send_unavailable']);
  if (refused.size > 0) return { answer: { outcome: 'unavailable' }, receiptInMs: null };
  const faults = await useFaults(db, ledgerId, FAULTS_OF_ACCEPTED);
  const delay = faults.get('delay');
  const delayedMs = delay === undefined ? 0 : (delay.delaySeconds ?? FAULT_DELAY_S) * 1000;
  // Every second text is delayed, so that the next one overtakes it.
  const reorderedMs = (faults.get('reorder')?.count ?? 0) % 2 === 1 ? REORDER_MS : 0;
  const receiptInMs = faults.has('drop') ? null : RECEIPT_MS + delayedMs + reorderedMs;
  return { answer: faults.has('send_unknown') ? { outcome: 'unknown' } : { outcome: 'accepted' }, receiptInMs };
}

type ReceiptPayload = { readonly ref: string } | { readonly refs: readonly string[] };

/**
 * Creates the handlers of the receipt jobs. They report receipts, and send the replies of handsets that reply. After a
 * failure the texts of the job are reported one by one, so that a failing report does not delay the others.
 */
export function createReceiptHandlers(db: Database, sink: CarrierEventSink): JobHandler<ReceiptPayload>[] {
  const apply = async (ledger: Ledger, refs: readonly string[]): Promise<TextInTransit[]> => {
    const texts = await listTextsInTransit(db, ledger.ledgerId, refs);
    await sink(ledger, texts.flatMap(eventsOf));
    const repeated = await listRepeated(db, ledger.ledgerId, texts);
    if (repeated.length > 0) await sink(ledger, repeated.flatMap(eventsOf));
    return texts;
  };
  const applyAlone = async (ledger: Ledger, refs: readonly string[]): Promise<TextInTransit[]> => {
    const parts: Promise<TextInTransit[]>[] = [];
    for (const ref of refs) {
      const part = apply(ledger, [ref]);
      parts.push(part);
      await Promise.allSettled([part]);
    }
    return (await Promise.all(parts)).flat();
  };
  const report = async (ledgerId: number, jobs: readonly Job<ReceiptPayload>[]) => {
    const ledger = await findLedger(db, ledgerId);
    if (ledger === undefined) return;
    const refs = jobs.flatMap(({ payload }) => ('refs' in payload ? payload.refs : [payload.ref]));
    const isRepeat = jobs.some(({ attempt }) => attempt > 1);
    const texts = isRepeat ? await applyAlone(ledger, refs) : await apply(ledger, refs);
    await db.transaction(async (tx) => {
      await settleTexts(
        tx,
        ledgerId,
        texts.map((text) => ({ ref: text.ref, status: failureOf(text) === null ? 'delivered' : 'failed' })),
      );
      await completeJobs(tx, jobs);
    });
  };
  const run = async (jobs: readonly Job<ReceiptPayload>[]) => {
    const byLedger = Map.groupBy(jobs, (job) => job.ledgerId);
    await allThenThrow([...byLedger].map(([ledgerId, receipts]) => report(ledgerId, receipts)));
  };
  return [
    { kind: RECEIPT_KIND, queue: 'messaging', batchMax: BATCH_MAX, run },
    { kind: RECEIPTS_KIND, queue: 'messaging', run },
  ];
}

/** Returns the texts whose receipt is reported twice. */
async function listRepeated(db: Database, ledgerId: number, texts: readonly TextInTransit[]): Promise<TextInTransit[]> {
  const repeated: TextInTransit[] = [];
  if (!(await listFaultyLedgers(db, [ledgerId])).has(ledgerId)) return repeated;
  for (const text of texts) {
    if ((await useFaults(db, ledgerId, ['duplicate'])).has('duplicate')) repeated.push(text);
  }
  return repeated;
}

/** Returns why an accepted text is not delivered; null if it is delivered. */
function failureOf({ to, unreachable }: TextInTransit): MessageFailure | null {
  if (to === MAGIC.deliveryFails) return 'carrier_rejected';
  return unreachable ? 'unreachable' : null;
}

/** Returns the carrier events of a text: its receipt, and the inbound texts that follow from it. */
function eventsOf(text: TextInTransit): CarrierEvent[] {
  const { ref, from, to, body, media_urls: mediaUrls } = text;
  const failureReason = failureOf(text);
  if (failureReason !== null) return [{ type: 'message.receipt', ref, status: 'failed', failureReason }];
  const events: CarrierEvent[] = [{ type: 'message.receipt', ref, status: 'delivered' }];
  if (text.local) {
    events.push({ type: 'message.received', carrierMessageId: `local:${ref}`, from, to, body, mediaUrls });
  }
  if (to === MAGIC.repliesStop) {
    // All replies to one sender have the same id, so the domain accepts only the first.
    const reply = { from: to, to: from, body: 'STOP', mediaUrls: [] };
    events.push({ type: 'message.received', carrierMessageId: `reply:${to}:${from}`, ...reply });
  }
  return events;
}
