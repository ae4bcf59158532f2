import { createCallAudio } from './call-audio.ts';
import type { CallAudio, CallAudios, CallRef, Populate, Ticker } from './types.ts';

export type CallAudiosOptions = {
  readonly ticker: Ticker;
  /** Puts the parties of a call into audio that has just been made. */
  readonly populate: Populate;
  readonly onError: (error: unknown) => void;
};

type Entry = { readonly audio: CallAudio; readonly populated: Promise<() => void>; holders: number };

/** The call audios of this node. One is made when it is first wanted, and goes when nobody holds it any more. */
export function createCallAudios({ ticker, populate, onError }: CallAudiosOptions): CallAudios {
  const entries = new Map<string, Entry>();

  const create = (call: CallRef): Entry => {
    const audio = createCallAudio({ callId: call.callId, ticker, onError });
    const entry = { audio, populated: populate(audio, call), holders: 0 };
    entries.set(call.callId, entry);
    return entry;
  };

  const drop = (entry: Entry) => {
    const { callId } = entry.audio;
    if (entries.get(callId) === entry) entries.delete(callId);
    entry.audio.close('call_ended');
    entry.populated.then((depopulate) => depopulate()).catch(onError);
  };

  return {
    acquire: async (call) => {
      const entry = entries.get(call.callId) ?? create(call);
      entry.holders++;
      let held = true;
      const release = () => {
        if (!held) return;
        held = false;
        if (--entry.holders === 0) drop(entry);
      };
      try {
        await entry.populated;
      } catch (error) {
        held = false;
        if (entries.get(call.callId) === entry) entries.delete(call.callId);
        entry.audio.close('carrier_error');
        throw error;
      }
      return { audio: entry.audio, release };
    },
    find: (callId) => entries.get(callId)?.audio,
    get size() {
      return entries.size;
    },
  };
}
