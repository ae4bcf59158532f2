/**
 * Summarizes a transcribed call after its end, once every leg is hung up and every utterance is transcribed or has
 * failed. A call gets one summary. If no model makes it, the plain summary is used.
 */
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import type { Ledger, Mode } from '../../../lib/scope.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import { plainSummary } from '../../../speech/plain-summary.ts';
import type { Speech } from '../../../speech/port.ts';
import { lockCall } from '../calls/queries.ts';
import { attemptModel, type ModelOutcome, storableText } from '../post-call/model-attempt.ts';
import { nextCheckMs } from './rules.ts';
import { type CallToSummarize, findCallToSummarize, writeSummary } from './summary-queries.ts';

export const SUMMARIZE_CALL = 'summarize-call';
export type SummarizeCall = { readonly callId: string };

/** `looks`: how often utterances waited for their text. `tries`: how often the model failed. */
type Payload = SummarizeCall & { readonly looks?: number; readonly tries?: number };
type SummaryJob = Job<Payload>;

/**
 * Live carriers report the last words shortly after the hang-up; the simulated carrier reports them with the hang-up.
 */
export const LAST_WORDS_MS: Readonly<Record<Mode, number>> = { live: 5_000, test: 0 };

/**
 * The time between two checks whether all commands of the call were dispatched. The simulated carrier takes commands
 * within milliseconds. A live carrier that needs longer than this is slow.
 */
const HANG_UP_CHECK_MS: Readonly<Record<Mode, number>> = { live: 2_000, test: 100 };

/** The handler of SUMMARIZE_CALL. */
export function createCallSummarizer({ db, log }: Pick<Context, 'db' | 'log'>, speech: Speech): JobHandler<Payload> {
  const again = (job: SummaryJob, delayMs: number, changes: Partial<Payload>) =>
    db.transaction((tx) => rescheduleJob(tx, job, { delayMs, payload: { ...job.payload, ...changes } }));
  return {
    kind: SUMMARIZE_CALL,
    queue: 'audio',
    run: async ([job]) => {
      if (job === undefined) return;
      const { callId, looks = 0, tries = 0 } = job.payload;
      const ledger = await findLedger(db, job.ledgerId);
      const call = ledger && (await findCallToSummarize(db, job, callId));
      if (ledger === undefined || call === undefined || call.summary !== null) return;
      // The other checks come after a pause. By then the hang-ups are done, and most utterances have their text.
      const earlyMs = LAST_WORDS_MS[ledger.mode] - call.ended_ms_ago;
      if (earlyMs > 0) return again(job, earlyMs, {});
      if (call.is_under_way) return again(job, HANG_UP_CHECK_MS[ledger.mode], {});
      if (call.waiting > 0) return again(job, nextCheckMs(looks), { looks: looks + 1 });
      const { segments } = call;
      const made = await summarize(speech, ledger, { callId, call }, { tries, log });
      if (made.outcome === 'again') return again(job, made.inMs, { tries: tries + 1 });
      const plain = plainSummary(segments, { durationSeconds: call.duration_seconds ?? 0 });
      const summary = made.outcome === 'done' ? made.result : plain;
      await db.transaction((tx) => write(tx, job, { summary, segments: segments.length }));
    },
  };
}

type Transcribed = { callId: string; call: CallToSummarize };

async function summarize(
  speech: Speech,
  ledger: Ledger,
  { callId, call }: Transcribed,
  { tries, log }: Pick<Parameters<typeof attemptModel>[0], 'tries' | 'log'>,
): Promise<ModelOutcome<string>> {
  const summarizer = speech.summarizer(ledger);
  if (summarizer === undefined || call.segments.length === 0) return { outcome: 'givenUp' };
  const { direction, duration_seconds, segments } = call;
  const facts = { callRef: callId, direction, durationSeconds: duration_seconds ?? 0 };
  return await attemptModel({ tries, log, what: { call: callId } }, async (signal) =>
    storableText(await summarizer.summarize(ledger, { segments, call: facts, signal })),
  );
}

async function write(tx: Tx, job: SummaryJob, made: { summary: string; segments: number }): Promise<void> {
  const { callId } = job.payload;
  const call = await lockCall(tx, job, callId);
  if (call === undefined || call.summary !== null) return completeJobs(tx, [job]);
  const isWritten = await writeSummary(tx, job, { callId, tenantId: call.tenant_id, ...made });
  // An utterance came late, so the job makes the summary again, with this utterance.
  if (!isWritten) await rescheduleJob(tx, job, { delayMs: 0 });
}
