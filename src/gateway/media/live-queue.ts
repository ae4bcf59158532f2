/**
 * Live audio from a network, as a source reads it: evenly, whatever the network does. A few frames are collected before
 * the first is played, which hides that much jitter; a sender whose clock runs ahead loses its oldest frames, so that
 * what is heard never lags by more than `LIVE_MS_MAX`.
 */
import { FRAME_BYTES } from '../../audio/mixing.ts';
import { MULAW_BYTES_PER_MS } from '../../audio/mulaw.ts';
import type { Frame } from './types.ts';

/** Collected before playing, at first and after every pause. */
export const LIVE_MS_AHEAD = 40;
export const LIVE_MS_MAX = 200;

export type LiveQueue = {
  /** Audio of any length; 20 ms at a time are best. */
  push(audio: Uint8Array): void;
  /** The next frame, or undefined where it has not come. */
  read(): Frame | undefined;
  clear(): void;
};

export function createLiveQueue(): LiveQueue {
  const frames: Frame[] = [];
  let begun = new Uint8Array(FRAME_BYTES);
  let begunBytes = 0;
  let isPlaying = false;

  const bytesQueued = () => frames.length * FRAME_BYTES;

  return {
    push: (audio) => {
      for (let from = 0; from < audio.length; ) {
        const part = audio.subarray(from, from + FRAME_BYTES - begunBytes);
        begun.set(part, begunBytes);
        begunBytes += part.length;
        from += part.length;
        if (begunBytes < FRAME_BYTES) break;
        frames.push(begun);
        begun = new Uint8Array(FRAME_BYTES);
        begunBytes = 0;
      }
      while (bytesQueued() > LIVE_MS_MAX * MULAW_BYTES_PER_MS) frames.shift();
    },
    read: () => {
      isPlaying = isPlaying ? frames.length > 0 : bytesQueued() >= LIVE_MS_AHEAD * MULAW_BYTES_PER_MS;
      return isPlaying ? frames.shift() : undefined;
    },
    clear: () => {
      frames.length = 0;
      begunBytes = 0;
      isPlaying = false;
    },
  };
}
