/** The power of one frequency in audio, by Goertzel's recurrence. */
import { type Pcm, SAMPLE_RATE_HZ, samplesOf } from '../../src/audio/pcm.ts';

/** A stretch of samples. If `length` is absent, it goes to the end of the audio. */
type Stretch = { start?: number; length?: number };

/**
 * Returns the power of one frequency in a stretch of audio, as the mean square of that component. A sine of amplitude A
 * has A²/2 if the stretch is long compared with a period. Frequencies closer than 8,000 / length Hz are not
 * distinguished. Returns 0 for an empty stretch.
 */
export function powerAt(
  pcm: Pcm,
  frequencyHz: number,
  { start = 0, length = pcm.length - start }: Stretch = {},
): number {
  const end = Math.min(start + length, pcm.length);
  const samples = end - start;
  if (samples <= 0) return 0;
  const coefficient = 2 * Math.cos((2 * Math.PI * frequencyHz) / SAMPLE_RATE_HZ);
  let last = 0;
  let beforeLast = 0;
  for (let i = start; i < end; i++) {
    const next = (pcm[i] as number) + coefficient * last - beforeLast;
    beforeLast = last;
    last = next;
  }
  const squared = last * last + beforeLast * beforeLast - coefficient * last * beforeLast;
  return (2 * squared) / (samples * samples);
}

/** Returns the mean square of a stretch of audio; 0 for an empty one. */
export function powerOf(pcm: Pcm, { start = 0, length = pcm.length - start }: Stretch = {}): number {
  const end = Math.min(start + length, pcm.length);
  if (end <= start) return 0;
  let sum = 0;
  for (let i = start; i < end; i++) sum += (pcm[i] as number) ** 2;
  return sum / (end - start);
}

/** A power at one frequency: above the power of speech and below the power of a tone. */
const TONE_POWER = 2_000_000;

/** Returns the frequencies that are tones in the audio for at least a tenth of a second. */
export function tonesIn(pcm: Pcm, frequencies: readonly number[]): number[] {
  const length = samplesOf(100);
  const starts = Array.from({ length: Math.floor(pcm.length / length) }, (_, index) => index * length);
  return frequencies.filter((hz) => starts.some((start) => powerAt(pcm, hz, { start, length }) > TONE_POWER));
}

/** Returns the frequencies that the audio contains as tones, in the order of their first sound. */
export function tonesInOrder(pcm: Pcm, frequencies: readonly number[]): number[] {
  const length = samplesOf(100);
  const found: number[] = [];
  for (let start = 0; start + length <= pcm.length; start += length) {
    const tone = frequencies.find((hz) => powerAt(pcm, hz, { start, length }) > TONE_POWER);
    if (tone !== undefined && !found.includes(tone)) found.push(tone);
  }
  return found;
}

/** The two tones of some keys, in Hz. */
const KEY_TONES: Readonly<Record<string, readonly [number, number]>> = {
  '5': [770, 1_336],
  '6': [770, 1_477],
  '9': [852, 1_477],
};

/** Returns true if the audio has both tones of a key at the same time for a while. */
export function hasDigit(pcm: Pcm, digit: string): boolean {
  const [lowHz, highHz] = KEY_TONES[digit] ?? [0, 0];
  return Array.from({ length: Math.floor((pcm.length - 400) / 200) }, (_, index) => index * 200).some((start) =>
    [lowHz, highHz].every((hz) => powerAt(pcm, hz, { start, length: 400 }) > 1_000_000),
  );
}

/** Quieter samples are silence. */
const QUIET_MAX = 8;

/** Returns the longest stretch without sound, in milliseconds from the start of the audio. */
export function longestSilence(pcm: Pcm): { readonly fromMs: number; readonly untilMs: number } {
  let [from, until, length] = [0, 0, 0];
  for (const [index, sample] of pcm.entries()) {
    length = Math.abs(sample) <= QUIET_MAX ? length + 1 : 0;
    if (length > until - from) [from, until] = [index + 1 - length, index + 1];
  }
  return { fromMs: from / 8, untilMs: until / 8 };
}
