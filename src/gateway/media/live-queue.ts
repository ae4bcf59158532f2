/**
 * Live audio from a network, which a source reads evenly. It collects a few frames before it plays the first, which
 * hides jitter up to their length. If a sender's clock runs fast, the oldest frames are dropped, so that the audio
 * never lags by more than `LIVE_MS_MAX`.
 */

import { MULAW_BYTES_PER_MS } from '../../audio/mulaw.ts';
import { FRAME_BYTES } from '../../audio/mulaw-frames.ts';
import type { Frame } from './types.ts';

/** Audio that is collected before playing, at the start and after every gap. */
const LIVE_MS_AHEAD = 40;
const LIVE_MS_MAX = 200;

export type LiveQueue = {
  /** Adds audio of any length; 20 ms at a time are best. */
  push(audio: Uint8Array): void;
  /** Returns the next frame; undefined if it has not arrived. */
  read(): Frame | undefined;
  clear(): void;
};

export function createLiveQueue(): LiveQueue {
  const frames: Frame[] = [];
  let partial = new Uint8Array(FRAME_BYTES);
  let partialBytes = 0;
  let isPlaying = false;

  const bytesQueued = () => frames.length * FRAME_BYTES;

  return {
    push: (audio) => {
      for (let from = 0; from < audio.length; ) {
        const part = audio.subarray(from, from + FRAME_BYTES - partialBytes);
        partial.set(part, partialBytes);
        partialBytes += part.length;
        from += part.length;
        if (partialBytes < FRAME_BYTES) break;
        frames.push(partial);
        partial = new Uint8Array(FRAME_BYTES);
        partialBytes = 0;
      }
      while (bytesQueued() > LIVE_MS_MAX * MULAW_BYTES_PER_MS) frames.shift();
    },
    read: () => {
      isPlaying = isPlaying ? frames.length > 0 : bytesQueued() >= LIVE_MS_AHEAD * MULAW_BYTES_PER_MS;
      return isPlaying ? frames.shift() : undefined;
    },
    clear: () => {
      frames.length = 0;
      partialBytes = 0;
      isPlaying = false;
    },
  };
}
