/**
 * Sums up a transcribed call that has ended, once everybody is hung up and every utterance written down or given up. There is one summary to
 * a call, whatever comes later, and where no model makes one a plain one is made.
 */
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import type { Ledger, Mode } from '../../../lib/scope.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import { plainSummary } from '../../../speech/plain-summary.ts';
import type { Speech, SummaryRequest } from '../../../speech/port.ts';
import { emitEvent, type NewEvent } from '../../events/index.ts';
import { AUDIO_QUEUE, SUMMARIZE_CALL, type SummarizeCall } from '../calls/effects.ts';
import { findCall } from '../calls/queries.ts';
import { noteOnCall } from '../calls/write-queries.ts';
import { attemptModel, type ModelOutcome, storableText } from '../post-call/model-attempt.ts';
import { lockCall } from '../post-call/queries.ts';
import { type CallToSumUp, countUtterances, findCallToSumUp, listSegments } from './queries.ts';
import { nextLookMs } from './rules.ts';

/** `looks`: how often utterances still waited. `tries`: how often the model failed. */
type Payload = SummarizeCall & { readonly looks?: number; readonly tries?: number };
type SummaryJob = Job<Payload>;

/** Carriers report the last words a moment after they have hung up; the simulated one with it. */
const LAST_WORDS_MS: Readonly<Record<Mode, number>> = { live: 5_000, test: 0 };

/** The carrier is told within milliseconds, unless it is away. */
const HANG_UP_LOOK_MS = 100;

/** The handler of SUMMARIZE_CALL. */
export function createCallSummarizer({ db, log }: Pick<Context, 'db' | 'log'>, speech: Speech): JobHandler<Payload> {
  const again = (job: SummaryJob, delayMs: number, changes: Partial<Payload>) =>
    db.transaction((tx) => rescheduleJob(tx, job, { delayMs, payload: { ...job.payload, ...changes } }));
  return {
    kind: SUMMARIZE_CALL,
    queue: AUDIO_QUEUE,
    run: async ([job]) => {
      if (job === undefined) return;
      const { callId, looks = 0, tries = 0 } = job.payload;
      const ledger = await findLedger(db, job.ledgerId);
      const call = ledger && (await findCallToSumUp(db, job, callId));
      if (ledger === undefined || call === undefined || call.summary !== null) return;
      if (call.is_under_way) return again(job, HANG_UP_LOOK_MS, {});
      if (call.waiting > 0) return again(job, nextLookMs(looks), { looks: looks + 1 });
      const earlyMs = LAST_WORDS_MS[ledger.mode] - call.ended_ms_ago;
      if (earlyMs > 0) return again(job, earlyMs, {});
      const segments = await listSegments(db, job, callId);
      const summed = await sumUp(speech, ledger, { callId, call, segments }, { tries, log });
      if (summed.outcome === 'again') return again(job, summed.inMs, { tries: tries + 1 });
      const plain = plainSummary(segments, { durationSeconds: call.duration_seconds ?? 0 });
      const summary = summed.outcome === 'done' ? summed.result : plain;
      await db.transaction((tx) => write(tx, job, { summary, segments: segments.length }));
    },
  };
}

type Talk = { callId: string; call: CallToSumUp; segments: SummaryRequest['segments'] };

async function sumUp(
  speech: Speech,
  ledger: Ledger,
  { callId, call, segments }: Talk,
  { tries, log }: Pick<Parameters<typeof attemptModel>[0], 'tries' | 'log'>,
): Promise<ModelOutcome<string>> {
  const summarizer = speech.summarizer(ledger);
  if (summarizer === undefined || segments.length === 0) return { outcome: 'givenUp' };
  const { direction, duration_seconds } = call;
  const facts = { callRef: callId, direction, durationSeconds: duration_seconds ?? 0 };
  return attemptModel({ tries, log, what: { call: callId } }, async (signal) =>
    storableText(await summarizer.summarize(ledger, { segments, call: facts, signal })),
  );
}

async function write(tx: Tx, job: SummaryJob, made: { summary: string; segments: number }): Promise<void> {
  const { callId } = job.payload;
  const call = await lockCall(tx, job, callId);
  if (call !== undefined && call.summary === null) {
    const { waiting, written } = await countUtterances(tx, job, callId);
    // Something more was said, and came late: it belongs into the summary.
    if (waiting > 0 || written !== made.segments) return rescheduleJob(tx, job, { delayMs: 0 });
    await noteOnCall(tx, job, callId, { summary: made.summary });
    const data = (await findCall(tx, job, callId)) as NewEvent['data'];
    await emitEvent(tx, job.ledgerId, { type: 'call.summary', tenantId: call.tenant_id, resourceId: callId, data });
  }
  await completeJobs(tx, [job]);
}
