import type { Database } from '../../db/database.ts';
import { findLedger } from '../../db/ledgers.ts';
import { allThenThrow } from '../../lib/all-then-throw.ts';
import { createBatcher } from '../../lib/batcher.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { Job, JobHandler } from '../../queue/jobs/job.ts';
import { completeJobs } from '../../queue/jobs/job-claims.ts';
import { wake } from '../../queue/worker/wake.ts';
import type { CarrierEvent, CarrierEventSink } from '../ports/carrier.ts';
import type { MessageFailure, MessagingPort, OutboundMessage } from '../ports/messaging.ts';
import type { Outcome } from '../ports/outcome.ts';
import { FAULT_DELAY_S, type FaultKind, listFaultyLedgers, strike } from './fault-queries.ts';
import { takesTexts } from './inventory.ts';
import { MAGIC } from './magic-numbers.ts';
import {
  type AcceptedText,
  acceptTexts,
  isTextKnown,
  listTextsOnTheirWay,
  RECEIPT_KIND,
  settleTexts,
  type TextOnItsWay,
} from './message-queries.ts';

const RECEIPT_MS = 1_000;
const REORDER_MS = 2_000;
const BATCH_MAX = 64;

type Answer = Outcome<object, MessageFailure>;
type Handover = { ledger: Ledger; message: OutboundMessage };

/**
 * Texts over the simulated network: taken at once, reported on a second later by a durable job. The network's own
 * misfortunes (magic numbers, faults) happen here, so that the domain meets them as it would a carrier's.
 */
export function createSimulatedMessaging(db: Database): MessagingPort {
  const batcher = createBatcher<Handover, Answer>({
    rowsMax: BATCH_MAX,
    concurrencyMax: 2,
    run: (handovers) => takeOver(db, handovers),
  });
  return {
    send: async (ledger, message) => {
      if (message.to === MAGIC.sendFails) return { outcome: 'unavailable' };
      return batcher.add({ ledger, message });
    },
    findSend: async ({ ledgerId }, ref) => ({ found: (await isTextKnown(db, ledgerId, ref)) ? 'accepted' : 'absent' }),
  };
}

/** Those that a text meets once it is taken: one that is turned away uses none of them up. */
const TAKEN_FAULTS: readonly FaultKind[] = ['send_unknown', 'delay', 'reorder', 'drop'];

async function takeOver(db: Database, handovers: readonly Handover[]): Promise<Answer[]> {
  const ledgerIds = [...new Set(handovers.map(({ ledger }) => ledger.ledgerId))];
  const faulty = await listFaultyLedgers(db, ledgerIds);
  const accepted: AcceptedText[] = [];
  const answers: Answer[] = [];
  for (const { ledger, message } of handovers) {
    const { ledgerId } = ledger;
    const { answer, receiptInMs } = faulty.has(ledgerId) ? await meetFaults(db, ledgerId) : SMOOTH;
    answers.push(answer);
    // An answer that is lost is the network's secret: it has the text all the same.
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
const SMOOTH: Reception = { answer: { outcome: 'accepted' }, receiptInMs: RECEIPT_MS };

async function meetFaults(db: Database, ledgerId: number): Promise<Reception> {
  const turnedAway = await strike(db, ledgerId, ['send_unavailable']);
  if (turnedAway.size > 0) return { answer: { outcome: 'unavailable' }, receiptInMs: null };
  const struck = await strike(db, ledgerId, TAKEN_FAULTS);
  const delay = struck.get('delay');
  const delayedMs = delay === undefined ? 0 : (delay.delaySeconds ?? FAULT_DELAY_S) * 1000;
  // Every other one is overtaken by the next.
  const overtakenMs = (struck.get('reorder')?.count ?? 0) % 2 === 1 ? REORDER_MS : 0;
  const receiptInMs = struck.has('drop') ? null : RECEIPT_MS + delayedMs + overtakenMs;
  return { answer: struck.has('send_unknown') ? { outcome: 'unknown' } : { outcome: 'accepted' }, receiptInMs };
}

type ReceiptPayload = { ref: string };

/** Reports on texts when their receipts fall due, and plays the handsets that answer. */
export function createReceiptHandler(db: Database, sink: CarrierEventSink): JobHandler<ReceiptPayload> {
  const report = async (ledgerId: number, jobs: readonly Job<ReceiptPayload>[]) => {
    const ledger = await findLedger(db, ledgerId);
    if (ledger === undefined) return;
    const texts = await listTextsOnTheirWay(
      db,
      ledgerId,
      jobs.map((job) => job.payload.ref),
    );
    const events = texts.flatMap(eventsOf);
    await sink(ledger, events);
    const repeated = await listRepeated(db, ledgerId, texts);
    if (repeated.length > 0) await sink(ledger, repeated.flatMap(eventsOf));
    await db.transaction(async (tx) => {
      await settleTexts(
        tx,
        ledgerId,
        texts.map((text) => ({ ref: text.ref, status: failureOf(text) === null ? 'delivered' : 'failed' })),
      );
      await completeJobs(tx, jobs);
    });
  };
  return {
    kind: RECEIPT_KIND,
    queue: 'messaging',
    batchMax: BATCH_MAX,
    run: async (jobs) => {
      const byLedger = Map.groupBy(jobs, (job) => job.ledgerId);
      await allThenThrow([...byLedger].map(([ledgerId, own]) => report(ledgerId, own)));
    },
  };
}

/** The texts that are reported on twice. */
async function listRepeated(db: Database, ledgerId: number, texts: readonly TextOnItsWay[]): Promise<TextOnItsWay[]> {
  const repeated: TextOnItsWay[] = [];
  if (!(await listFaultyLedgers(db, [ledgerId])).has(ledgerId)) return repeated;
  for (const text of texts) {
    if ((await strike(db, ledgerId, ['duplicate'])).has('duplicate')) repeated.push(text);
  }
  return repeated;
}

/** Why a text that was taken does not arrive, if so. */
function failureOf({ to, unreachable }: TextOnItsWay): MessageFailure | null {
  if (to === MAGIC.deliveryFails) return 'carrier_rejected';
  return unreachable ? 'unreachable' : null;
}

/** What the network reports of a text that has arrived, or has not. */
function eventsOf(text: TextOnItsWay): CarrierEvent[] {
  const { ref, from, to, body, media_urls: mediaUrls } = text;
  const failureReason = failureOf(text);
  if (failureReason !== null) return [{ type: 'message.receipt', ref, status: 'failed', failureReason }];
  const events: CarrierEvent[] = [{ type: 'message.receipt', ref, status: 'delivered' }];
  if (text.local) {
    events.push({ type: 'message.received', carrierMessageId: `local:${ref}`, from, to, body, mediaUrls });
  }
  if (to === MAGIC.repliesStop) {
    // One id for each sender: whatever else reaches this person, the domain takes the reply to the first text only.
    const reply = { from: to, to: from, body: 'STOP', mediaUrls: [] };
    events.push({ type: 'message.received', carrierMessageId: `reply:${to}:${from}`, ...reply });
  }
  return events;
}
