/**
 * Makes what somebody said into text where the carrier does not. Utterances of a call are made into text side by side, and written in the order in
 * which they ended: one whose text is there early waits for those before it. Each is written once, with its event, in
 * the transaction that takes it from the list of what is still to be written.
 */
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import type { Speech } from '../../../speech/port.ts';
import { AUDIO_QUEUE, TRANSCRIBE_UTTERANCE, type TranscribeUtterance } from '../calls/effects.ts';
import { attemptModel, type ModelOutcome, storableText } from '../post-call/model-attempt.ts';
import { isOpen, settleUtterance } from './queries.ts';
import { writeDown } from './transcribe.ts';

/** `tries`: how often it failed before. */
type Payload = TranscribeUtterance & { readonly tries?: number };
type Work = Pick<Context, 'db' | 'carriers' | 'log'>;

/** The handler of TRANSCRIBE_UTTERANCE. */
export function createUtteranceTranscriber(context: Work, speech: Speech): JobHandler<Payload> {
  const { db } = context;
  return {
    kind: TRANSCRIBE_UTTERANCE,
    queue: AUDIO_QUEUE,
    run: async ([job]) => {
      if (job === undefined) return;
      const { callId, ref, tries = 0 } = job.payload;
      if (!(await isOpen(db, job, callId, ref))) return db.transaction((tx) => finishUtterance(tx, job, null));
      const ledger = await findLedger(db, job.ledgerId);
      if (ledger === undefined) return;
      const heard = await hear(context, speech, { ledger, job });
      if (heard.outcome === 'again') {
        const payload = { ...job.payload, tries: tries + 1 };
        return db.transaction((tx) => rescheduleJob(tx, job, { delayMs: heard.inMs, payload }));
      }
      const text = heard.outcome === 'done' ? heard.result : '';
      await db.transaction((tx) => finishUtterance(tx, job, text));
    },
  };
}

/** The words; none where nothing listens. */
async function hear(
  { carriers, log }: Work,
  speech: Speech,
  { ledger, job }: { ledger: Ledger; job: Job<Payload> },
): Promise<ModelOutcome<string>> {
  const { callId: callRef, ref, tries = 0 } = job.payload;
  const toText = speech.toText(ledger);
  if (toText === undefined) return { outcome: 'done', result: '' };
  const source = { kind: 'utterance', ref, callRef } as const;
  const audio = () => carriers.voice(ledger).fetchUtterance(ledger, { callRef, utteranceRef: ref });
  return attemptModel({ tries, log, what: { call: callRef, utterance: ref } }, async (signal) =>
    storableText((await toText.transcribe(ledger, { source, audio, signal })) ?? ''),
  );
}

/** @param text of the job's own utterance, where it had none yet */
async function finishUtterance(tx: Tx, job: Job<Payload>, text: string | null): Promise<void> {
  const { callId, ref } = job.payload;
  if (text !== null) await settleUtterance(tx, job, { callId, ref, text });
  await writeDown(tx, job, callId);
  await completeJobs(tx, [job]);
}
