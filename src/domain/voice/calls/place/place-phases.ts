/** The write that places a call. Speech and audio are prepared before the write, so that the carrier finds them. */
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../db/database.ts';
import type { PreparedPhases } from '../../../../http/writes/phases.ts';
import type { Scope } from '../../../../lib/scope.ts';
import type { ModelError, Speech } from '../../../../speech/port.ts';
import { requireRecognition } from '../../relays/start-relay.ts';
import { announcementText } from '../machine/announcements.ts';
import { type FetchedMessage, fetchMessage, messageOf } from '../machine-detection.ts';
import { requireSpoken, speakAhead } from '../request-speech.ts';
import type { Call, PlaceCall } from '../schema.ts';
import { judgeCall, placeCall } from './place-call.ts';

/** The failed speech, if any, and the fetched audio of a message. */
type Prepared = { readonly failure: ModelError | undefined; readonly message: FetchedMessage | undefined };
const NOTHING: Prepared = { failure: undefined, message: undefined };

/** Returns the phases of a call that is placed. Most calls need no preparation. */
export function placingPhases(
  context: Context,
  speech: Pick<Speech, 'voice' | 'toText'>,
  scope: Scope,
  wanted: PlaceCall,
): PreparedPhases<Prepared, Call> | ((tx: Tx) => Promise<Call>) {
  const voice = speech.voice(scope);
  const texts = voice === undefined ? [] : textsOf(wanted);
  const url = wanted.machine_detection && messageOf(wanted.machine_detection)?.audio_url;
  const commit = (tx: Tx, { failure, message }: Prepared) => {
    const requireSpeech = () => {
      requireSpoken(failure);
      if (wanted.relay !== undefined) requireRecognition(speech, scope);
    };
    return placeCall({ ...context, requireSpeech, requireMessage: () => audioOf(message) }, tx, scope, wanted);
  };
  if (texts.length === 0 && url === undefined) return (tx) => commit(tx, NOTHING);
  return {
    prepare: async () => {
      const failure = voice && (await speakAhead(voice, texts));
      if (url === undefined) return { failure, message: undefined };
      // No file is fetched for a call that is refused.
      await context.db.transaction((tx) => judgeCall(context, tx, scope, wanted));
      return { failure, message: await fetchMessage(context, scope, url) };
    },
    commit,
  };
}

function textsOf({ record = false, listening_announcement = null, machine_detection }: PlaceCall): string[] {
  const isAnnounced = record || listening_announcement !== null;
  const announced = announcementText({ isOfRecording: record, listening: listening_announcement });
  const message = machine_detection && messageOf(machine_detection)?.text;
  return [...(isAnnounced ? [announced] : []), ...(message === undefined ? [] : [message])];
}

function audioOf(message: FetchedMessage | undefined): string | undefined {
  if (message === undefined) return undefined;
  if ('error' in message) throw message.error;
  return message.audioRef;
}
