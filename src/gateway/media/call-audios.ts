/** The call audios of this node: created when first acquired, closed when the last lease is released. */
import { createCallAudio } from './call-audio.ts';
import type { CallAudio, CallAudios, CallRef, Populate, Ticker } from './types.ts';

export type CallAudiosOptions = {
  readonly ticker: Ticker;
  /** Adds a call's parties to its new audio. */
  readonly populate: Populate;
  readonly onError: (error: unknown) => void;
};

type Entry = {
  readonly call: CallRef;
  readonly audio: CallAudio;
  readonly populated: Promise<() => void>;
  leases: number;
};

export function createCallAudios({ ticker, populate, onError }: CallAudiosOptions): CallAudios {
  const entries = new Map<string, Entry>();

  const create = (call: CallRef): Entry => {
    const audio = createCallAudio({ callId: call.callId, ticker, onError });
    const entry = { call, audio, populated: populate(audio, call), leases: 0 };
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
      entry.leases++;
      let isHeld = true;
      const release = () => {
        if (!isHeld) return;
        isHeld = false;
        if (--entry.leases === 0) drop(entry);
      };
      try {
        await entry.populated;
      } catch (error) {
        isHeld = false;
        if (entries.get(call.callId) === entry) entries.delete(call.callId);
        entry.audio.close('carrier_error');
        throw error;
      }
      return { audio: entry.audio, release };
    },
    find: (callId) => entries.get(callId)?.audio,
    get calls() {
      return [...entries.values()].map(({ call }) => call);
    },
    get size() {
      return entries.size;
    },
  };
}
