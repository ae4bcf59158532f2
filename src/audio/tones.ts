/** Tones: sines, the pulsing test tone, the beep before a recording, hold audio, and DTMF (ITU-T Q.23). */
import { concat, mix, type Pcm, SAMPLE_RATE_HZ, samplesOf, saturate, silence } from './pcm.ts';

export type Tone = {
  frequencyHz: number;
  /** Number of samples. */
  samples: number;
  /** Peak, 0 to 32,767. The default is a quarter of that, about as loud as speech. */
  amplitude?: number;
  /** Position of the first sample in the tone, so that consecutive pieces join without a click. */
  from?: number;
};

const AMPLITUDE = 8_192;
/** A tone that starts abruptly clicks; one that rises over 5 ms does not. */
const RAMP_SAMPLES = samplesOf(5);

/** Returns a sine from phase 0 on, without a ramp. */
export function sine({ frequencyHz, samples, amplitude = AMPLITUDE, from = 0 }: Tone): Pcm {
  const step = (2 * Math.PI * frequencyHz) / SAMPLE_RATE_HZ;
  return Int16Array.from({ length: samples }, (_, i) => saturate(amplitude * Math.sin(step * (from + i))));
}

/** Returns the audio with a ramp over its first and last 5 ms. */
export function ramped(pcm: Pcm): Pcm {
  return pcm.map((sample, i) => saturate(sample * rampAt(i, pcm.length)));
}

const PULSE_SAMPLES = samplesOf(500);

/** Returns a tone that is on and off for half a second in turn. Its phase advances while it is off. */
export function pulsingTone({ from = 0, ...tone }: Tone): Pcm {
  return sine({ ...tone, from }).map((sample, i) => {
    const position = (from + i) % (2 * PULSE_SAMPLES);
    return position < PULSE_SAMPLES ? saturate(sample * rampAt(position, PULSE_SAMPLES)) : 0;
  });
}

/** Returns the beep before a recording: 1,000 Hz for 300 ms. */
export function beep(): Pcm {
  return ramped(sine({ frequencyHz: 1_000, samples: samplesOf(300) }));
}

/**
 * Two soft notes, a fifth apart, and a pause. The caller hears that the line is alive, and the pauses make the notes
 * less annoying.
 */
const HOLD_NOTES = [
  { frequencyHz: 392, atMs: 0 },
  { frequencyHz: 588, atMs: 600 },
] as const;
const HOLD_NOTE_MS = 900;
const HOLD_LOOP_MS = 4_000;
/** A twentieth of the peak, far below speech. So a text that is spoken over it can be understood. */
const HOLD_AMPLITUDE = 1_600;

/** Returns the built-in hold audio: 4 s that repeat without a click. */
export function holdPattern(): Pcm {
  const samples = samplesOf(HOLD_NOTE_MS);
  const notes = HOLD_NOTES.map(({ frequencyHz, atMs }) => {
    const note = sine({ frequencyHz, samples, amplitude: HOLD_AMPLITUDE });
    const swell = note.map((sample, i) => saturate(sample * Math.sin((Math.PI * i) / samples) ** 2));
    return { pcm: swell, at: samplesOf(atMs) };
  });
  return mix(notes, samplesOf(HOLD_LOOP_MS));
}

/** Returns the share of the amplitude at sample `i` of a tone of `samples`. */
function rampAt(i: number, samples: number): number {
  return Math.min(1, (i + 1) / RAMP_SAMPLES, (samples - i) / RAMP_SAMPLES);
}

const DTMF_LOW_HZ = [697, 770, 852, 941] as const;
const DTMF_HIGH_HZ = [1209, 1336, 1477, 1633] as const;
/** The keypad: rows by low, columns by high frequency. */
const DTMF_KEYPAD = ['123A', '456B', '789C', '*0#D'] as const;

const DTMF_TONE_MS = 100;
const DTMF_GAP_MS = 100;
const PAUSES_MS: Readonly<Record<string, number>> = { w: 500, W: 1_000 };
/**
 * The amplitude of each of the two tones of a digit. Together they are about one and a half times as loud as a single
 * tone.
 */
const DTMF_AMPLITUDE = 6_000;

/** Returns the two frequencies of a digit, low first; undefined if it is not a DTMF digit. */
function dtmfPair(digit: string): readonly [number, number] | undefined {
  const row = DTMF_KEYPAD.findIndex((digits) => digit.length === 1 && digits.includes(digit));
  const low = DTMF_LOW_HZ[row];
  const high = DTMF_HIGH_HZ[DTMF_KEYPAD[row]?.indexOf(digit) ?? -1];
  return low === undefined || high === undefined ? undefined : [low, high];
}

/**
 * Returns the sound of digits: each 100 ms and a gap of 100 ms after it. `w` is half a second and `W` a second of
 * silence.
 * @param digits 0-9, A-D, *, #, w, W
 * @throws RangeError for any other character
 */
export function dtmf(digits: string): Pcm {
  return concat([...digits].map(soundOf));
}

function soundOf(digit: string): Pcm {
  const pauseMs = PAUSES_MS[digit];
  if (pauseMs !== undefined) return silence(pauseMs);
  const pair = dtmfPair(digit);
  if (pair === undefined) throw new RangeError(`"${digit}" is not a DTMF digit`);
  const samples = samplesOf(DTMF_TONE_MS);
  const [low, high] = pair.map((frequencyHz) => sine({ frequencyHz, samples, amplitude: DTMF_AMPLITUDE }));
  const tones = [low, high].map((pcm) => ({ pcm: pcm as Pcm, at: 0 }));
  return concat([ramped(mix(tones)), silence(DTMF_GAP_MS)]);
}
