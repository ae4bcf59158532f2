import { FRAME_SAMPLES } from './frames.ts';
import { decodeMulaw, encodeMulaw, MULAW_SILENCE } from './mulaw.ts';
import { type Pcm, saturate } from './pcm.ts';

/** Bytes of a frame: one a sample. */
export const FRAME_BYTES = FRAME_SAMPLES;

/** 20 ms of silence; always this one object, so that it can be compared by identity. */
export const SILENT_FRAME: Uint8Array = new Uint8Array(FRAME_BYTES).fill(MULAW_SILENCE);

/**
 * Mixes mu-law frames of 20 ms. A single frame is returned as it is, byte for byte. Several are decoded, added, clipped
 * once to 16 bits, and encoded again. No frame at all is silence.
 */
export function mixFrames(frames: readonly Uint8Array[]): Uint8Array {
  if (frames.length <= 1) return frames[0] ?? SILENT_FRAME;
  const sums = new Int32Array(FRAME_SAMPLES);
  for (const frame of frames) {
    const pcm = decodeMulaw(frame);
    for (let i = 0; i < FRAME_SAMPLES; i++) sums[i] = (sums[i] as number) + (pcm[i] as number);
  }
  return encodeMulaw(Int16Array.from(sums, saturate));
}

/** Returns the audio in frames of mu-law; the last one is filled up with silence. */
export function toMulawFrames(pcm: Pcm): Uint8Array[] {
  return framesOf(encodeMulaw(pcm));
}

/** Returns mu-law in frames, without a copy; the last one is filled up with silence. */
export function framesOf(codes: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.ceil(codes.length / FRAME_SAMPLES) }, (_, index) => {
    const frame = codes.subarray(index * FRAME_SAMPLES, (index + 1) * FRAME_SAMPLES);
    if (frame.length === FRAME_SAMPLES) return frame;
    const full = new Uint8Array(FRAME_SAMPLES).fill(MULAW_SILENCE);
    full.set(frame);
    return full;
  });
}
