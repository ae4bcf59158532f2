import type { Party, VoiceEvent } from '../../../../carriers/ports/voice.ts';
import type { Context } from '../../../../context.ts';
import type { Ledger } from '../../../../lib/scope.ts';
import { findTranscribedLeg } from '../../transcripts/queries.ts';
import { storeUtterance } from '../../transcripts/utterance-audio.ts';
import { applyVoiceEvents } from './call-inputs.ts';

/** An utterance that the gateway has cut. */
export type CutUtterance = {
  readonly callId: string;
  readonly party: Party;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** Mu-law, with some audio before the start and after the end. */
  readonly audio: Uint8Array;
};

type KeepContext = Pick<Context, 'db' | 'carriers' | 'blobs'>;

/**
 * Keeps the audio of an utterance and reports it as the event `leg.utterance`, which starts its transcription. Drops an
 * utterance of a call that is not transcribed.
 * @throws BlobError, and the errors of the database; nothing is reported then
 */
export async function keepCutUtterance(context: KeepContext, ledger: Ledger, utterance: CutUtterance): Promise<void> {
  const { callId: callRef, party, startedAt, endedAt, audio } = utterance;
  const legRef = await findTranscribedLeg(context.db, ledger, callRef, party);
  if (legRef === undefined) return;
  const utteranceRef = await storeUtterance(context, ledger, audio);
  const event: VoiceEvent = { type: 'leg.utterance', callRef, legRef, utteranceRef, text: null, startedAt, endedAt };
  await context.db.transaction((tx) => applyVoiceEvents(context)(tx, ledger, [event]));
}
