/**
 * Finds a single tone in a frame of 20 ms, by the Goertzel algorithm on a grid of frequencies: a beep, or a tone of a
 * fax. A vowel is not a tone: most of its power is outside its strongest harmonic, and its pitch glides.
 */
import { FRAME_SAMPLES } from '../frames.ts';
import { type Pcm, SAMPLE_RATE_HZ } from '../pcm.ts';

const LOWEST_HZ = 350;
const HIGHEST_HZ = 2_450;
/** Half of the resolution of a frame of 20 ms: a tone between two frequencies of the grid loses at most a fifth. */
const STEP_HZ = 25;
/** The least share of the frame's power in a tone, if the noise is 10 dB below the tone. */
const SHARE_MIN = 0.6;
/** Mean power of the softest tone: about -42 dBFS. */
const POWER_MIN = 250 ** 2;

const GRID = Array.from({ length: (HIGHEST_HZ - LOWEST_HZ) / STEP_HZ + 1 }, (_, i) => {
  const hz = LOWEST_HZ + i * STEP_HZ;
  return { hz, coefficient: 2 * Math.cos((2 * Math.PI * hz) / SAMPLE_RATE_HZ) };
});

export type FrameTone = { readonly hz: number; readonly power: number };

/** Returns the tone that a frame consists of; undefined for speech, noise and silence. */
export function toneOf(pcm: Pcm): FrameTone | undefined {
  let energy = 0;
  for (const sample of pcm) energy += sample * sample;
  const power = energy / pcm.length;
  if (pcm.length < FRAME_SAMPLES || power < POWER_MIN) return undefined;
  let [best, bestHz] = [0, 0];
  for (const { hz, coefficient } of GRID) {
    const found = goertzel(pcm, coefficient);
    if (found > best) [best, bestHz] = [found, hz];
  }
  // A sine of amplitude A has the energy A²n/2, and |X|² = A²n²/4.
  const share = (2 * best) / (pcm.length * energy);
  return share >= SHARE_MIN ? { hz: bestHz, power } : undefined;
}

/** Returns the square of the magnitude at one frequency. */
function goertzel(pcm: Pcm, coefficient: number): number {
  let [previous, before] = [0, 0];
  for (const sample of pcm) {
    const next = sample + coefficient * previous - before;
    before = previous;
    previous = next;
  }
  return previous * previous + before * before - coefficient * previous * before;
}
