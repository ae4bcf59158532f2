/** The beeps of the microphone of Chromium's tests. */
import { stretch } from './recordings.ts';
import { powerAt } from './tone-power.ts';

const STEP_MS = 25;
/** A page that stands still tears beeps into pieces. Whole beeps come a second apart. */
const PIECES_WITHIN_MS = 500;

/**
 * Finds the beeps of the browser's microphone, in milliseconds: 400 Hz as a square wave for 20 ms. Nothing else on a
 * call has its third harmonic.
 */
export function beepsIn(pcm: Int16Array): number[] {
  const steps = Math.floor(pcm.length / 8 / STEP_MS);
  const isBeep = (step: number) => powerAt(pcm, 1_200, stretch(step * STEP_MS, (step + 2) * STEP_MS)) > 300_000;
  const beeps: number[] = [];
  for (let step = 0; step < steps; step++) {
    const isNew = step * STEP_MS - (beeps.at(-1) ?? Number.NEGATIVE_INFINITY) >= PIECES_WITHIN_MS;
    if (isNew && isBeep(step)) beeps.push(step * STEP_MS);
  }
  return beeps;
}
