/**
 * Fetches audio that has ended at the carrier and keeps it, as the recording of the call or as a voicemail. The blob is
 * written first, under a key that a repeated run uses again. Then the rows, the event and the end of the job are
 * written together. So the event is emitted once, and only for audio that can be fetched.
 */
import { WAV_CONTENT_TYPE } from '../../../audio/wav.ts';
import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Context } from '../../../context.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import type { Speech } from '../../../speech/port.ts';
import { emitEvent } from '../../events/index.ts';
import { recordActivities } from '../../messaging/index.ts';
import { addCallResults, type CallFacts, lockCall } from '../calls/queries.ts';
import { voicemailPreview } from '../conversation-previews.ts';
import { attemptModel, type ModelOutcome, storableText } from '../post-call/model-attempt.ts';
import { insertVoicemail } from '../voicemails/queries.ts';
import { audioPath } from './audio-link.ts';
import { findSource, insertRecording, keepCallRecording, type NewRecording } from './queries.ts';

export const KEEP_AUDIO = 'keep-audio';
/** `recordingId` names the audio here and at the carrier. `announced`: both parties heard the whole announcement. */
export type KeepAudio = { readonly callId: string; readonly recordingId: string; readonly durationMs: number } & (
  | { readonly purpose: 'call'; readonly announced: boolean }
  | { readonly purpose: 'voicemail'; readonly transcribe: boolean }
);

/** `speechTries`: failed attempts to transcribe the message. */
type Payload = KeepAudio & { readonly speechTries?: number };
type KeepJob = Job<Payload>;
type KeepContext = Pick<Context, 'db' | 'carriers' | 'blobs' | 'log'>;

/**
 * The most attempts, which take about three days. If the carrier has not returned the audio by then, it does not have
 * it.
 */
const ATTEMPTS_MAX = 900;
/**
 * The most fetches of one process that wait for slow carriers, in addition to the slots of their queue. The number is
 * small because the audio is in memory.
 */
const LINGERING_MAX = 8;

/** The handler of KEEP_AUDIO. */
export function createAudioKeeper(context: KeepContext, speech: Speech): JobHandler<Payload> {
  const { db, blobs } = context;
  return {
    kind: KEEP_AUDIO,
    queue: 'audio',
    lingeringMax: LINGERING_MAX,
    run: async ([job]) => {
      if (job === undefined) return;
      const { payload } = job;
      const ledger = await findLedger(db, job.ledgerId);
      // If a run lost its claim after its commit, the job still exists and has nothing left to do.
      const source = ledger && (await findSource(db, job, payload));
      if (ledger === undefined || source === undefined || source.is_kept) return;
      const audio = await fetchAudio(context, { ledger, connectionId: source.connection_id }, job);
      if (audio === undefined) return logMissingAudio(context, job);
      const spoken = await transcribeMessage(context, speech, { ledger, job, audio });
      if (spoken.outcome === 'again') {
        const again = { ...payload, speechTries: (payload.speechTries ?? 0) + 1 };
        return db.transaction((tx) => rescheduleJob(tx, job, { delayMs: spoken.inMs, payload: again }));
      }
      const transcript = spoken.outcome === 'done' ? spoken.result : null;
      // The blob is not written while the message waits for its transcript: if the ledger is emptied, the job is
      // deleted and nothing would remove the blob.
      const key = `${job.ledgerId}/${payload.recordingId}.wav`;
      await blobs.put(key, audio, { contentType: WAV_CONTENT_TYPE });
      const isKept = await keep(db, job, { key, transcript, tenantId: source.tenant_id });
      if (!isKept) await blobs.remove(key);
    },
  };
}

async function fetchAudio(
  { carriers, log }: KeepContext,
  { ledger, connectionId }: { readonly ledger: Ledger; readonly connectionId: ConnectionId },
  job: KeepJob,
) {
  try {
    return await carriers.voice(ledger, connectionId).fetchRecording(ledger, job.payload.recordingId);
  } catch (error) {
    if (job.attempt < ATTEMPTS_MAX) throw error;
    log.error({ err: error, recording: job.payload.recordingId }, 'carrier does not return the audio; none is kept');
    return undefined;
  }
}

async function logMissingAudio({ db }: KeepContext, job: KeepJob): Promise<void> {
  const { callId, purpose, recordingId } = job.payload;
  await db.transaction(async (tx) => {
    const failed = purpose === 'call' ? 'recording' : 'voicemail';
    const detail = { failed, reason: 'no_audio', recording_id: recordingId };
    await addCallResults(tx, job, callId, { log: { type: 'failed', detail } });
    await completeJobs(tx, [job]);
  });
}

/** Returns the transcript of a message, or null if none is requested. */
async function transcribeMessage(
  { log }: KeepContext,
  speech: Speech,
  { ledger, job, audio }: { ledger: Ledger; job: KeepJob; audio: Uint8Array },
): Promise<ModelOutcome<string | null>> {
  const { payload } = job;
  const toText = payload.purpose === 'voicemail' && payload.transcribe ? speech.toText(ledger) : undefined;
  if (toText === undefined) return { outcome: 'done', result: null };
  const { callId: callRef, recordingId: ref, speechTries: tries = 0 } = payload;
  const source = { kind: 'recording', ref, callRef } as const;
  return await attemptModel({ tries, log, what: { recording: ref } }, async (signal) => {
    const text = await toText.transcribe(ledger, { source, audio: async () => audio, signal });
    return storableText(text ?? '') || null;
  });
}

type Kept = { readonly key: string; readonly transcript: string | null };

/** @returns false if the call and its job are gone, because their ledger was emptied */
async function keep(
  db: Database,
  job: KeepJob,
  { tenantId, key, transcript }: Kept & { readonly tenantId: string },
): Promise<boolean> {
  const { payload } = job;
  if (payload.purpose === 'call') {
    return await keepCallRecording(db, job, tenantId, newRecording(payload, key, payload.announced));
  }
  return await db.transaction(async (tx) => {
    const call = await lockCall(tx, job, payload.callId);
    if (call === undefined) return false;
    await keepVoicemail(tx, job, payload, { key, transcript, call });
    await completeJobs(tx, [job]);
    return true;
  });
}

type VoicemailPayload = Extract<Payload, { purpose: 'voicemail' }>;

async function keepVoicemail(
  tx: Tx,
  job: KeepJob,
  payload: VoicemailPayload,
  { key, call, transcript }: Kept & { readonly call: CallFacts },
): Promise<void> {
  const { callId, recordingId, durationMs } = payload;
  const { tenant_id: tenantId, conversation_id: conversationId, from } = call;
  if (!(await insertRecording(tx, job, tenantId, newRecording(payload, key, false)))) return;
  // The id is made now, and not at the start of the call. Lists and timelines are ordered by id, so they show
  // voicemails in the order that callers left them.
  const id = newId('voicemail');
  const of = { tenantId, callId, conversationId, recordingId, from };
  const row = await insertVoicemail(tx, job, { id, ...of, durationMs, transcript });
  if (conversationId !== null) {
    const preview = voicemailPreview(row.duration_seconds);
    await recordActivities(tx, job, [{ id: conversationId, preview, kind: 'voicemail', reopens: true }]);
  }
  const detail = { voicemail_id: id, recording_id: recordingId };
  await addCallResults(tx, job, callId, { voicemailId: id, log: { type: 'voicemail_saved', detail } });
  await emitEvent(tx, job.ledgerId, {
    type: 'voicemail.created',
    tenantId,
    resourceId: id,
    data: { ...row, audio_url: audioPath('voicemails', id), recording_id: recordingId },
  });
}

function newRecording(
  { callId, recordingId: id, durationMs }: Payload,
  blobKey: string,
  consentAnnounced: boolean,
): NewRecording {
  return { id, callId, durationMs, consentAnnounced, blobKey };
}
