import { buffer } from 'node:stream/consumers';
import { SAMPLE_RATE_HZ } from '../../../audio/pcm.ts';
import type { ReadHoldAudio } from '../../../carriers/ports/hold-audio.ts';
import type { Context } from '../../../context.ts';

const PART_SAMPLES = 10 * SAMPLE_RATE_HZ;

/** Returns the reader of hold audio. It holds nothing in memory. */
export function createHoldAudioReader({ blobs }: Pick<Context, 'blobs'>): ReadHoldAudio {
  return async (audioRef, at) => {
    const length = Number(audioRef.slice(audioRef.lastIndexOf('.') + 1));
    const part = await blobs.get(audioRef, { start: at, end: Math.min(at + PART_SAMPLES, length) - 1 });
    return part && { mulaw: await buffer(part.stream), length };
  };
}
