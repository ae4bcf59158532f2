/**
 * The audio of utterances until they are transcribed. It is at the carrier, or in the blob store if the gateway has cut
 * the utterance. If a carrier cuts no utterances, the gateway cuts all of them. If a carrier cuts them, the gateway
 * cuts only the speech of web clients. So one call may have both kinds.
 */
import { buffer } from 'node:stream/consumers';
import { decodeMulaw } from '../../../audio/mulaw.ts';
import { encodeWav, WAV_CONTENT_TYPE } from '../../../audio/wav.ts';
import type { VoicePort } from '../../../carriers/ports/voice.ts';
import type { Context } from '../../../context.ts';
import { isId, newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { dropBlobs } from '../../../queue/jobs/drop-blobs.ts';
import { findCallConnection } from '../calls/queries.ts';

/** After this time the blob is removed in any case. Attempts to transcribe an utterance take minutes. */
const KEPT_MS_MAX = 24 * 3_600_000;

/** Stores the audio of an utterance that the gateway has cut, as mu-law. Returns the name of the utterance. */
export async function storeUtterance(
  { db, blobs }: Pick<Context, 'db' | 'blobs'>,
  ledger: Ledger,
  audio: Uint8Array,
): Promise<string> {
  const utteranceRef = newId('utterance');
  const key = keyOf(ledger, utteranceRef);
  // The removal is planned before the audio is stored. So a process that is killed after the `put` leaves no audio
  // behind.
  await dropBlobs(db, [key], { delayMs: KEPT_MS_MAX });
  await blobs.put(key, encodeWav(decodeMulaw(audio)), { contentType: WAV_CONTENT_TYPE });
  return utteranceRef;
}

type UtteranceName = { readonly callRef: string; readonly utteranceRef: string };
type AudioContext = Pick<Context, 'db' | 'carriers' | 'blobs'>;

/** Returns the audio of an utterance as WAV; undefined if there is none. */
export async function fetchUtterance(
  context: AudioContext,
  ledger: Ledger,
  utterance: UtteranceName,
): Promise<Uint8Array | undefined> {
  const { utteranceRef } = utterance;
  const blob = isId('utterance', utteranceRef) ? await context.blobs.get(keyOf(ledger, utteranceRef)) : undefined;
  if (blob !== undefined) return await buffer(blob.stream);
  // A carrier may use ids of the same form.
  return await (await portOf(context, ledger, utterance)).fetchUtterance?.(ledger, utterance);
}

/**
 * Removes the audio of an utterance that no longer needs it. A failure is logged, and a job removes the audio later.
 */
export async function dropUtterance(
  { blobs, log }: Pick<Context, 'blobs' | 'log'>,
  ledger: Ledger,
  utterance: UtteranceName,
): Promise<void> {
  const { utteranceRef } = utterance;
  try {
    if (isId('utterance', utteranceRef)) await blobs.remove(keyOf(ledger, utteranceRef));
  } catch (error) {
    log.warn(
      { err: error, call: utterance.callRef },
      'could not delete the audio of an utterance; it is deleted within a day',
    );
  }
}

async function portOf({ db, carriers }: AudioContext, ledger: Ledger, { callRef }: UtteranceName): Promise<VoicePort> {
  return carriers.voice(ledger, await findCallConnection(db, ledger, callRef));
}

/** Returns the keys of the audio of utterances that the gateway has cut. */
export function utteranceBlobs(ledger: Pick<Ledger, 'ledgerId'>, utteranceRefs: readonly string[]): string[] {
  return utteranceRefs.filter((ref) => isId('utterance', ref)).map((ref) => keyOf(ledger, ref));
}

function keyOf({ ledgerId }: Pick<Ledger, 'ledgerId'>, utteranceRef: string): string {
  return `${ledgerId}/${utteranceRef}.wav`;
}
