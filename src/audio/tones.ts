/** Tones: sines, the pulsing test tone, the beep before a recording, and DTMF (ITU-T Q.23). */
import { concat, mix, type Pcm, SAMPLE_RATE_HZ, samplesOf, saturate, silence } from './pcm.ts';

export type Tone = {
  frequencyHz: number;
  /** Samples to make. */
  samples: number;
  /** Peak, 0 to 32,767. By default a quarter of it, which is about as loud as speech. */
  amplitude?: number;
  /** The first sample's place in the tone: pieces that follow each other join without a click. */
  from?: number;
};

const AMPLITUDE = 8_192;
/** A tone that begins at once clicks; over 5 ms it does not. */
const RAMP_SAMPLES = samplesOf(5);

/** A sine from phase 0 on, without a ramp. */
export function sine({ frequencyHz, samples, amplitude = AMPLITUDE, from = 0 }: Tone): Pcm {
  const step = (2 * Math.PI * frequencyHz) / SAMPLE_RATE_HZ;
  return Int16Array.from({ length: samples }, (_, i) => saturate(amplitude * Math.sin(step * (from + i))));
}

/** The same audio, rising over its first 5 ms and falling over its last. */
export function ramped(pcm: Pcm): Pcm {
  return pcm.map((sample, i) => saturate(sample * rampAt(i, pcm.length)));
}

const PULSE_SAMPLES = samplesOf(500);

/** A tone that is on for half a second and off for the next, over and over. Its phase goes on while it is off. */
export function pulsingTone({ from = 0, ...tone }: Tone): Pcm {
  return sine({ ...tone, from }).map((sample, i) => {
    const place = (from + i) % (2 * PULSE_SAMPLES);
    return place < PULSE_SAMPLES ? saturate(sample * rampAt(place, PULSE_SAMPLES)) : 0;
  });
}

/** What is heard before a recording begins: 1,000 Hz for 300 ms. */
export function beep(): Pcm {
  return ramped(sine({ frequencyHz: 1_000, samples: samplesOf(300) }));
}

/** Share of the loudness at sample `i` of a tone of `samples`. */
function rampAt(i: number, samples: number): number {
  return Math.min(1, (i + 1) / RAMP_SAMPLES, (samples - i) / RAMP_SAMPLES);
}

export const DTMF_LOW_HZ = [697, 770, 852, 941] as const;
export const DTMF_HIGH_HZ = [1209, 1336, 1477, 1633] as const;
/** The keypad: rows by low, columns by high frequency. */
export const DTMF_KEYS = ['123A', '456B', '789C', '*0#D'] as const;

export const DTMF_TONE_MS = 100;
export const DTMF_GAP_MS = 100;
const PAUSES_MS: Readonly<Record<string, number>> = { w: 500, W: 1_000 };
/** Of each of a key's two tones: both together are as loud as one at the usual level and a half. */
const DTMF_AMPLITUDE = 6_000;

/** The two frequencies of a key, low first; undefined when there is no such key. */
export function dtmfPair(key: string): readonly [number, number] | undefined {
  const row = DTMF_KEYS.findIndex((keys) => key.length === 1 && keys.includes(key));
  const low = DTMF_LOW_HZ[row];
  const high = DTMF_HIGH_HZ[DTMF_KEYS[row]?.indexOf(key) ?? -1];
  return low === undefined || high === undefined ? undefined : [low, high];
}

/**
 * Keys as they sound: each 100 ms and a gap of 100 ms after it. `w` is half a second and `W` a second of silence.
 * @param digits 0-9, A-D, *, #, w, W
 * @throws RangeError for any other character
 */
export function dtmf(digits: string): Pcm {
  return concat([...digits].map(keySound));
}

function keySound(key: string): Pcm {
  const pauseMs = PAUSES_MS[key];
  if (pauseMs !== undefined) return silence(pauseMs);
  const pair = dtmfPair(key);
  if (pair === undefined) throw new RangeError(`"${key}" is not a key`);
  const samples = samplesOf(DTMF_TONE_MS);
  const [low, high] = pair.map((frequencyHz) => sine({ frequencyHz, samples, amplitude: DTMF_AMPLITUDE }));
  const tones = [low, high].map((pcm) => ({ pcm: pcm as Pcm, at: 0 }));
  return concat([ramped(mix(tones)), silence(DTMF_GAP_MS)]);
}
