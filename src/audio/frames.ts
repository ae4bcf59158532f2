import { samplesOf } from './pcm.ts';

/** Audio is sent in frames of this length. */
export const FRAME_MS = 20;
export const FRAME_SAMPLES = samplesOf(FRAME_MS);
