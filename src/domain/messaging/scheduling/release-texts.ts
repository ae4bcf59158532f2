/**
 * Sends scheduled texts when their time has come. There is one job for each moment of a ledger. A run sends the texts
 * that the last one released, then releases the next ones, in the order of their acceptance. So the texts of a moment
 * reach the carrier in order, in any process. A ledger has at most one run of a moment in the queue, and other ledgers'
 * work passes it.
 *
 * Texts under a campaign are handed over to the campaign's queue. A text that its carrier refuses for the moment gets a
 * separate job and no longer delays the texts behind it.
 */
import type { Tx } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { monotonicMs } from '../../../lib/time/time.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJobs } from '../../../queue/jobs/job-claims.ts';
import { recordActivities } from '../conversations/activity-queries.ts';
import { previewOf } from '../messages/draft.ts';
import { recordReceipts } from '../messages/record-receipts.ts';
import { RELEASE_KIND } from '../messages/send-queries.ts';
import { listWaitingMessages, type WaitingMessage } from '../messages/submit-queries.ts';
import { again, recordOutcomes, type SubmitContext, type SubmitOutcome, submitText } from '../messages/submit-text.ts';
import { hasTextsFor, releaseTexts } from './queries.ts';

/** Texts of one run: with 64, texts of other ledgers took twice as long to be handed over. */
const TEXTS_MAX = 24;
/**
 * After a run its job pauses for the duration of the run, at most this: busy processors would double the time of other
 * ledgers' work.
 */
const PAUSE_MS_MAX = 100;
/** Maximum runs of one process that wait for slow carriers in addition to the slots of their queue. */
const LINGERING_MAX = 32;

type ReleasePayload = {
  readonly send_at: string;
  /** The texts that the last run released: this one sends them. */
  readonly message_ids?: readonly string[];
};
type ReleaseJob = Job<ReleasePayload>;

/** Returns the handler of the jobs that send scheduled texts. */
export function createReleaseHandler(context: SubmitContext): JobHandler<ReleasePayload> {
  return {
    kind: RELEASE_KIND,
    queue: 'messaging',
    lingeringMax: LINGERING_MAX,
    run: async ([job]) => {
      if (job !== undefined) await runMoment(context, job);
    },
  };
}

/** A text of this run, and how its submission ended. */
type Submitted = { readonly messageId: string; readonly outcome: SubmitOutcome };

async function runMoment(context: SubmitContext, job: ReleaseJob): Promise<void> {
  const { db } = context;
  const ledger = await findLedger(db, job.ledgerId);
  // The ledger was deleted while its job was claimed.
  if (ledger === undefined) return;
  const startMs = monotonicMs();
  const submitted = await submitReleased(context, ledger, job);
  await db.transaction(async (tx) => {
    const sendAt = new Date(job.payload.send_at);
    const released = await releaseNext(tx, ledger, sendAt);
    await recordOutcomes(tx, ledger, submitted);
    await enqueue(tx, again(ledger, submitted));
    if (released.length > 0 || (await hasTextsFor(tx, ledger.ledgerId, sendAt))) {
      const payload: ReleasePayload = { ...job.payload, message_ids: released };
      const delayMs = Math.min(monotonicMs() - startMs, PAUSE_MS_MAX);
      await rescheduleJobs(tx, [{ job, delayMs, payload }]);
    } else await completeJobs(tx, [job]);
  });
}

/**
 * Submits the texts that the last run released, in their order. If an earlier attempt possibly sent some of them, the
 * carrier is asked for each, so each text waits for the previous one.
 */
async function submitReleased(
  context: SubmitContext,
  ledger: Ledger,
  { payload: { message_ids: ids = [] }, attempt }: ReleaseJob,
): Promise<Submitted[]> {
  if (ids.length === 0) return [];
  const waiting = await listWaitingMessages(context.db, ledger.ledgerId, ids);
  const byId = new Map<string, WaitingMessage>(waiting.map((message) => [message.id, message]));
  const submit = async (messageId: string): Promise<Submitted> => {
    const run = { payload: { message_id: messageId }, attempt };
    return { messageId, outcome: await submitText(context, ledger, run, byId.get(messageId)) };
  };
  if (attempt === 1) return await Promise.all(ids.map(submit));
  const submitted: Submitted[] = [];
  for (const id of ids) submitted.push(await submit(id));
  return submitted;
}

/** Releases texts of a moment. Returns the ids of the texts that the next run submits. */
async function releaseNext(tx: Tx, ledger: Ledger, sendAt: Date): Promise<string[]> {
  const texts = await releaseTexts(tx, ledger.ledgerId, { sendAt, textsMax: TEXTS_MAX });
  const sent = texts.filter(({ obstacle }) => obstacle === null);
  await recordActivities(
    tx,
    ledger,
    sent.map(({ conversation_id: id, body, media }) => ({
      id,
      preview: previewOf(body, media.length),
      kind: 'message' as const,
      reopens: false,
    })),
  );
  const refused = texts.flatMap(({ id, obstacle }) =>
    obstacle === null ? [] : [{ messageId: id, status: 'failed' as const, errorCode: obstacle }],
  );
  await recordReceipts(tx, ledger, refused);
  return sent.flatMap(({ id, is_paced: isPaced }) => (isPaced ? [] : [id]));
}
