/**
 * Audio as the product holds it: linear PCM, 16 bits signed, one channel, 8,000 samples a second, which is what a phone
 * line carries. Positions and lengths are counted in samples unless a name ends in `Ms`.
 */

/** Samples of linear PCM, 8 kHz, one channel. */
export type Pcm = Int16Array;

export const SAMPLE_RATE_HZ = 8_000;
export const SAMPLES_PER_MS = SAMPLE_RATE_HZ / 1_000;

const SAMPLE_MAX = 32_767;
const SAMPLE_MIN = -32_768;

/** Samples that last so long, to the nearest whole one. */
export function samplesOf(durationMs: number): number {
  return Math.round(durationMs * SAMPLES_PER_MS);
}

/** How long the audio lasts, in milliseconds. */
export function durationMsOf(pcm: Pcm): number {
  return pcm.length / SAMPLES_PER_MS;
}

export function silence(durationMs: number): Pcm {
  return new Int16Array(samplesOf(durationMs));
}

/** A sample as loud as 16 bits allow: what is louder is cut off, never wrapped around. */
export function saturate(value: number): number {
  return Math.max(SAMPLE_MIN, Math.min(SAMPLE_MAX, Math.round(value)));
}

/** The audio made louder or softer by a factor; what gets too loud is cut off. */
export function gain(pcm: Pcm, factor: number): Pcm {
  return pcm.map((sample) => saturate(sample * factor));
}

/** One after the other, without a pause. */
export function concat(parts: readonly Pcm[]): Pcm {
  const joined = new Int16Array(parts.reduce((samples, part) => samples + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Audio that begins at a place, counted in samples from the beginning of the mix. */
export type Placed = { readonly pcm: Pcm; readonly at: number };

/**
 * Everything at once, each from its place on. As long as the last of them, or exactly `length` samples. The sum is
 * made in full and cut off once, so the order of the parts does not matter.
 * @throws RangeError for a place before the beginning, or one between two samples
 */
export function mix(parts: readonly Placed[], length = endOf(parts)): Pcm {
  const sums = new Int32Array(length);
  for (const { pcm, at } of parts) {
    checkPlace(at);
    const samples = Math.min(pcm.length, length - at);
    for (let i = 0; i < samples; i++) sums[at + i] = (sums[at + i] as number) + (pcm[i] as number);
  }
  return Int16Array.from(sums, saturate);
}

/**
 * Adds `source` to `target` in place, from sample `at` of the target on; what goes beyond the target's end is left out.
 * @throws RangeError for a place before the beginning, or one between two samples
 */
export function mixInto(target: Pcm, source: Pcm, at: number): void {
  checkPlace(at);
  const samples = Math.min(source.length, target.length - at);
  for (let i = 0; i < samples; i++) {
    target[at + i] = saturate((target[at + i] as number) + (source[i] as number));
  }
}

function endOf(parts: readonly Placed[]): number {
  return parts.reduce((end, { pcm, at }) => Math.max(end, at + pcm.length), 0);
}

function checkPlace(at: number): void {
  if (!Number.isSafeInteger(at) || at < 0) throw new RangeError(`audio begins at a whole sample from 0 on, not ${at}`);
}
