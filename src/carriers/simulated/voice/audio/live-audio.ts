/**
 * Makes simulated calls audible live. Each party is a pulsing tone while it is silent (440 Hz the customer, 620 Hz the
 * agent); the utterances, digits and prompts of the call are heard at their moments. A call is read again when this
 * process saves it, and every half second for what other processes save.
 */
import type { Database } from '../../../../db/database.ts';
import { ignoreError } from '../../../../lib/ignore-error.ts';
import type { Synthesizer } from '../../../../speech/speech-synthesis.ts';
import type { CallRef, Populate } from '../../../ports/call-audio.ts';
import { savedCallOf } from '../queries.ts';
import { createLiveCall, type LiveCall } from './live-call.ts';
import { keepLiveAudio, readLiveStates } from './live-queries.ts';
import type { LiveAudio } from './rendering.ts';

type Log = Parameters<typeof ignoreError>[1];
type LiveAudioOptions = { readonly db: Database; readonly synthesizer: Synthesizer; readonly log: Log };

const READ_EVERY_MS = 500;

export type LiveAudioOfCalls = {
  readonly populate: Populate;
  /** Stops reading what other processes save. */
  stop(): void;
};

export function createLiveAudio({ db, synthesizer, log }: LiveAudioOptions): LiveAudioOfCalls {
  const lives = new Map<string, { readonly call: CallRef; readonly live: LiveCall }>();

  const read = async (callIds: readonly string[]) => {
    const watched = callIds.flatMap((callId) => lives.get(callId) ?? []);
    if (watched.length === 0) return;
    const askedAt = performance.now();
    const states = await readLiveStates(
      db,
      watched.map(({ call }) => ({ ledgerId: call.ledgerId, callRef: call.callId })),
    );
    const readAt = (askedAt + performance.now()) / 2;
    for (const { call, live } of watched) {
      const state = states.get(call.callId);
      if (state !== undefined) await live.update(state, readAt);
    }
  };
  const readSoon = (callIds: readonly string[]) =>
    ignoreError(read(callIds), log, 'live audio could not read its calls; reads again within 0.5 s');

  db.onSignal((signal) => {
    const callId = savedCallOf(signal);
    if (callId !== undefined && lives.has(callId)) readSoon([callId]);
  });
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };

  return {
    populate: async (audio, call) => {
      const { ledgerId, callId } = call;
      const keep = (heard: LiveAudio) => {
        const message = 'live audio could not be stored; it is missing in the recording';
        ignoreError(keepLiveAudio(db, { ledgerId, callRef: callId }, heard), log, message);
      };
      const live = createLiveCall(audio, { synthesizer, keep });
      lives.set(callId, { call, live });
      timer ??= setInterval(() => readSoon([...lives.keys()]), READ_EVERY_MS).unref();
      const remove = () => {
        live.remove();
        if (lives.get(callId)?.live === live) lives.delete(callId);
        if (lives.size === 0) stop();
      };
      await read([callId]).catch((error: unknown) => {
        remove();
        throw error;
      });
      return remove;
    },
    stop,
  };
}
