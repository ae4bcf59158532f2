/**
 * Audio in memory: linear PCM, 16 bits signed, one channel, 8,000 samples a second, as on a phone line. Positions and
 * lengths are counted in samples, unless a name ends in `Ms`.
 */

/** Samples of linear PCM, 8 kHz, one channel. */
export type Pcm = Int16Array;

export const SAMPLE_RATE_HZ = 8_000;
const SAMPLES_PER_MS = SAMPLE_RATE_HZ / 1_000;

const SAMPLE_MAX = 32_767;
const SAMPLE_MIN = -32_768;

/** Returns the number of samples in a duration, to the nearest whole one. */
export function samplesOf(durationMs: number): number {
  return Math.round(durationMs * SAMPLES_PER_MS);
}

/** Returns the duration of the audio in milliseconds. */
export function durationMsOf(pcm: Pcm): number {
  return pcm.length / SAMPLES_PER_MS;
}

export function silence(durationMs: number): Pcm {
  return new Int16Array(samplesOf(durationMs));
}

/** Returns a sample of 16 bits. A louder value is clipped, never wrapped around. */
export function saturate(value: number): number {
  return Math.max(SAMPLE_MIN, Math.min(SAMPLE_MAX, Math.round(value)));
}

/** Silences a part of the audio, in place. The limits are milliseconds from the start of the audio. */
export function mute(pcm: Pcm, { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number }): void {
  pcm.fill(0, Math.max(0, samplesOf(fromMs)), Math.max(0, samplesOf(untilMs)));
}

/** Joins parts one after the other, without a pause. */
export function concat(parts: readonly Pcm[]): Pcm {
  const joined = new Int16Array(parts.reduce((samples, part) => samples + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Audio that starts at a position, counted in samples from the start of the mix. */
export type Placed = { readonly pcm: Pcm; readonly at: number };

/**
 * Mixes parts, each from its position on. The mix has the length of the last part's end, or exactly `length` samples.
 * The full sum is clipped once, so the order of the parts does not matter.
 * @throws RangeError for a position before the start, or between two samples
 */
export function mix(parts: readonly Placed[], length = endOf(parts)): Pcm {
  const sums = new Int32Array(length);
  for (const { pcm, at } of parts) {
    checkPosition(at);
    const samples = Math.min(pcm.length, length - at);
    for (let i = 0; i < samples; i++) sums[at + i] = (sums[at + i] as number) + (pcm[i] as number);
  }
  return Int16Array.from(sums, saturate);
}

/**
 * Adds `source` to `target` in place, from sample `at` of the target on. Samples beyond the target's end are dropped.
 * @throws RangeError for a position before the start, or between two samples
 */
export function mixInto(target: Pcm, source: Pcm, at: number): void {
  checkPosition(at);
  const samples = Math.min(source.length, target.length - at);
  for (let i = 0; i < samples; i++) {
    target[at + i] = saturate((target[at + i] as number) + (source[i] as number));
  }
}

function endOf(parts: readonly Placed[]): number {
  return parts.reduce((end, { pcm, at }) => Math.max(end, at + pcm.length), 0);
}

function checkPosition(at: number): void {
  if (!Number.isSafeInteger(at) || at < 0) throw new RangeError(`audio starts at a whole sample from 0 on, not ${at}`);
}
