import { type Pcm, samplesOf } from './pcm.ts';

/** Audio travels in pieces of this length. */
export const FRAME_MS = 20;
export const FRAME_SAMPLES = samplesOf(FRAME_MS);

/** Frames that the audio fills, the last one perhaps in part. */
export function frameCount(pcm: Pcm): number {
  return Math.ceil(pcm.length / FRAME_SAMPLES);
}

/** Frame number `index` (from 0) of the audio, 160 samples; silence where the audio has ended. A copy. */
export function frameAt(pcm: Pcm, index: number): Pcm {
  const frame = new Int16Array(FRAME_SAMPLES);
  frame.set(pcm.subarray(index * FRAME_SAMPLES, (index + 1) * FRAME_SAMPLES));
  return frame;
}

/** The audio in frames of 160 samples; the last one is filled up with silence. */
export function toFrames(pcm: Pcm): Pcm[] {
  return Array.from({ length: frameCount(pcm) }, (_, index) => frameAt(pcm, index));
}
