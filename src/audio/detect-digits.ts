/**
 * Finds DTMF keys (ITU-T Q.23) in audio, as a receiver after Q.24 does.
 *
 * A window of 25 ms slides by 4 ms. It holds a key when one frequency of each group stands out from its group, the two
 * are about as loud as each other, and they are most of all that is heard. A key counts when at least
 * `RUN_WINDOWS_MIN` windows in a row hold it, which speech does not manage. Where exactly it began is read from how the
 * pair rises: a window that is half full has half the amplitude.
 */
import { powerAt, powerOf } from './goertzel.ts';
import { type Pcm, SAMPLES_PER_MS, samplesOf } from './pcm.ts';
import { DTMF_HIGH_HZ, DTMF_KEYS, DTMF_LOW_HZ, dtmfPair } from './tones.ts';

/** A key that was heard: when it began, in milliseconds from the start of the audio, and how long it was held. */
export type HeardDigit = { digit: string; atMs: number; durationMs: number };

const WINDOW_SAMPLES = samplesOf(25);
const HOP_SAMPLES = samplesOf(4);
/** With the window's own length: about 40 ms of tone, the least that a receiver must take (Q.24). */
const RUN_WINDOWS_MIN = 5;
/** Windows within a key that may miss it, as a click on the line makes them. */
const MISSED_WINDOWS_MAX = 2;
/** Mean square of the weaker tone: some 45 dB below the loudest. */
const TONE_POWER_MIN = 2_000;
/** One tone may be so much stronger than the other: 8 dB. */
const TWIST_MAX = 6.3;
/** The strongest of a group against the next: 6 dB. */
const LEAD_MIN = 4;
/** Least share of the pair in all that is heard. */
const SHARE_MIN = 0.6;

type Window = { digit: string | undefined; index: number };

/** The keys in the audio, in order. Takes some 2 ms for a second of audio. */
export function detectDigits(pcm: Pcm): HeardDigit[] {
  const heard: HeardDigit[] = [];
  let run: { digit: string; first: number; last: number; windows: number } | undefined;
  const end = () => {
    if (run !== undefined && run.windows >= RUN_WINDOWS_MIN) heard.push(measure(pcm, run));
    run = undefined;
  };
  for (const { digit, index } of windowsOf(pcm)) {
    if (run !== undefined && digit !== run.digit) {
      const missed = index - run.last;
      if (digit !== undefined || missed > MISSED_WINDOWS_MAX) end();
    }
    if (digit === undefined) continue;
    run = run ?? { digit, first: index, last: index, windows: 0 };
    run.last = index;
    run.windows++;
  }
  end();
  return heard;
}

/** The digits alone, as they would be dialled. */
export function heardDigits(pcm: Pcm): string {
  return detectDigits(pcm)
    .map(({ digit }) => digit)
    .join('');
}

function* windowsOf(pcm: Pcm): Generator<Window> {
  for (let index = 0; index * HOP_SAMPLES + WINDOW_SAMPLES <= pcm.length; index++) {
    yield { digit: digitIn(pcm, index * HOP_SAMPLES), index };
  }
}

function digitIn(pcm: Pcm, start: number): string | undefined {
  const stretch = { start, length: WINDOW_SAMPLES };
  const total = powerOf(pcm, stretch);
  if (total < 2 * TONE_POWER_MIN) return undefined;
  const low = strongest(DTMF_LOW_HZ.map((frequencyHz) => powerAt(pcm, frequencyHz, stretch)));
  if (low === undefined) return undefined;
  const high = strongest(DTMF_HIGH_HZ.map((frequencyHz) => powerAt(pcm, frequencyHz, stretch)));
  if (high === undefined) return undefined;
  const [weak, strong] = [low.power, high.power].sort((a, b) => a - b) as [number, number];
  if (weak < TONE_POWER_MIN || strong > weak * TWIST_MAX) return undefined;
  if (weak + strong < total * SHARE_MIN) return undefined;
  return DTMF_KEYS[low.index]?.[high.index];
}

function strongest(powers: readonly number[]): { index: number; power: number } | undefined {
  const [power, next] = [...powers].sort((a, b) => b - a) as [number, number];
  return power < next * LEAD_MIN ? undefined : { index: powers.indexOf(power), power };
}

function measure(pcm: Pcm, { digit, first, last }: { digit: string; first: number; last: number }): HeardDigit {
  let peak = 0;
  for (let index = first; index <= last; index++) peak = Math.max(peak, pairPower(pcm, digit, index * HOP_SAMPLES));
  // Half the amplitude is a quarter of the power.
  const isOn = (start: number) => start >= 0 && pairPower(pcm, digit, start) >= peak / 4;
  let from = first * HOP_SAMPLES;
  while (!isOn(from)) from += SAMPLES_PER_MS;
  while (isOn(from - SAMPLES_PER_MS)) from -= SAMPLES_PER_MS;
  let to = last * HOP_SAMPLES;
  while (isOn(to + SAMPLES_PER_MS)) to += SAMPLES_PER_MS;
  const middle = WINDOW_SAMPLES / 2;
  const startsAt = from < SAMPLES_PER_MS ? startWithin(pcm) : from + middle;
  const endsAt = Math.min(to + middle, pcm.length);
  return { digit, atMs: startsAt / SAMPLES_PER_MS, durationMs: Math.max(0, endsAt - startsAt) / SAMPLES_PER_MS };
}

/** Audio that begins with a key: no window is half full of it, so the first sound is where it begins. */
function startWithin(pcm: Pcm): number {
  const first = pcm.findIndex((sample) => sample ** 2 >= TONE_POWER_MIN);
  return Math.min(Math.max(first, 0), WINDOW_SAMPLES / 2);
}

function pairPower(pcm: Pcm, digit: string, start: number): number {
  if (start >= pcm.length) return 0;
  // A window that goes beyond the end holds silence there.
  const held = Math.min(WINDOW_SAMPLES, pcm.length - start) / WINDOW_SAMPLES;
  const pair = dtmfPair(digit) ?? [];
  const powers = pair.map((frequencyHz) => powerAt(pcm, frequencyHz, { start, length: WINDOW_SAMPLES }));
  return held ** 2 * powers.reduce((sum, power) => sum + power, 0);
}
