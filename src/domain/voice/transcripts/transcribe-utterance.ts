/**
 * Transcribes utterances that the carrier reports without text. Utterances of a call are transcribed concurrently. They
 * enter its transcript in the order of their ends: an early text waits for the texts before it. Each utterance enters
 * once, with its event, in the transaction that deletes it from the waiting utterances.
 */
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import type { Speech } from '../../../speech/port.ts';
import { lockCall } from '../calls/queries.ts';
import { attemptModel, type ModelOutcome, storableText } from '../post-call/model-attempt.ts';
import { isOpen, settleUtterance, TRANSCRIBE_UTTERANCE, type TranscribeUtterance } from './queries.ts';
import { transcribeUtterances } from './transcribe.ts';
import { dropUtterance, fetchUtterance } from './utterance-audio.ts';

/** `tries`: failed attempts so far. */
type Payload = TranscribeUtterance & { readonly tries?: number };
type Work = Pick<Context, 'db' | 'carriers' | 'blobs' | 'log'>;

/** The handler of TRANSCRIBE_UTTERANCE. */
export function createUtteranceTranscriber(context: Work, speech: Speech): JobHandler<Payload> {
  const { db } = context;
  return {
    kind: TRANSCRIBE_UTTERANCE,
    queue: 'audio',
    run: async ([job]) => {
      if (job === undefined) return;
      const { callId, ref, tries = 0 } = job.payload;
      if (!(await isOpen(db, job, callId, ref))) return db.transaction((tx) => finishUtterance(tx, job, null));
      const ledger = await findLedger(db, job.ledgerId);
      if (ledger === undefined) return;
      const spoken = await transcribe(context, speech, { ledger, job });
      if (spoken.outcome === 'again') {
        const payload = { ...job.payload, tries: tries + 1 };
        return db.transaction((tx) => rescheduleJob(tx, job, { delayMs: spoken.inMs, payload }));
      }
      const text = spoken.outcome === 'done' ? spoken.result : '';
      await db.transaction((tx) => finishUtterance(tx, job, text));
      await dropUtterance(context, ledger, { callRef: callId, utteranceRef: ref });
    },
  };
}

/** Returns the words of the utterance; none if the ledger has no speech-to-text. */
async function transcribe(
  context: Work,
  speech: Speech,
  { ledger, job }: { ledger: Ledger; job: Job<Payload> },
): Promise<ModelOutcome<string>> {
  const { callId: callRef, ref, tries = 0 } = job.payload;
  const toText = speech.toText(ledger);
  if (toText === undefined) return { outcome: 'done', result: '' };
  const source = { kind: 'utterance', ref, callRef } as const;
  const audio = () => fetchUtterance(context, ledger, { callRef, utteranceRef: ref });
  return await attemptModel({ tries, log: context.log, what: { call: callRef, utterance: ref } }, async (signal) =>
    storableText((await toText.transcribe(ledger, { source, audio, signal })) ?? ''),
  );
}

/** @param text the new text of the job's utterance; null if it has one already */
async function finishUtterance(tx: Tx, job: Job<Payload>, text: string | null): Promise<void> {
  const { callId, ref } = job.payload;
  // The lock comes before any write. Events are read in the order of their ids, so the later of two transactions must
  // get the later id.
  await lockCall(tx, job, callId);
  if (text !== null) await settleUtterance(tx, job, { callId, ref, text });
  await transcribeUtterances(tx, job, callId);
  await completeJobs(tx, [job]);
}
