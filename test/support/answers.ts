/** Sounds of people and machines that answer a call. */
import { concat, durationMsOf, type Pcm, samplesOf, saturate } from '../../src/audio/pcm.ts';
import { ramped, sine } from '../../src/audio/tones.ts';
import { tonesFor } from '../../src/speech/speech-tones.ts';

/** Returns about `ms` of audio shaped like speech: voiced syllables with the gaps and the melody of a sentence. */
export function talk(ms: number): Pcm {
  const words = tonesFor('we are not here at the moment please call again later');
  const parts = Array.from({ length: Math.ceil(ms / durationMsOf(words)) }, () => words);
  const pcm = concat(parts).subarray(0, samplesOf(ms));
  // Syllables of speech swell, and there are gaps between them.
  const loudness = (i: number) => Math.min(1, 2 * Math.max(0, Math.sin((2 * Math.PI * i) / samplesOf(400)) + 0.8));
  return pcm.map((sample, i) => saturate(sample * loudness(i)));
}

/** The beep of a machine. */
export const beepOf = (hz: number, ms: number) =>
  ramped(sine({ frequencyHz: hz, samples: samplesOf(ms), amplitude: 6_000 }));
