import { FRAME_SAMPLES } from '../../audio/frames.ts';
import { decodeMulaw, encodeMulaw, MULAW_SILENCE } from '../../audio/mulaw.ts';
import { saturate } from '../../audio/pcm.ts';
import type { Frame } from './types.ts';

/** Bytes of a frame: one a sample. */
export const FRAME_BYTES = FRAME_SAMPLES;

/** 20 ms in which nobody says anything; always this one object. */
export const SILENT_FRAME: Frame = new Uint8Array(FRAME_BYTES).fill(MULAW_SILENCE);

/**
 * What is heard of several frames at once. A single one is handed on as it is, byte for byte; only more than one are
 * decoded, added, cut off once at what 16 bits hold, and coded again. None is silence.
 */
export function mixFrames(frames: readonly Frame[]): Frame {
  if (frames.length <= 1) return frames[0] ?? SILENT_FRAME;
  const sums = new Int32Array(FRAME_SAMPLES);
  for (const frame of frames) {
    const pcm = decodeMulaw(frame);
    for (let i = 0; i < FRAME_SAMPLES; i++) sums[i] = (sums[i] as number) + (pcm[i] as number);
  }
  return encodeMulaw(Int16Array.from(sums, saturate));
}
