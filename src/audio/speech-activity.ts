/**
 * Distinguishes frames with speech from frames without, by their power above an adaptive noise floor in four bands of
 * the telephone band. The idea comes from ETSI ES 202 050. That standard measures the whole spectrum, a region of it
 * and its change against estimates of the noise. Here one band above its floor is enough, so a vowel is found in
 * wide-band noise.
 */
import { FRAME_SAMPLES } from './frames.ts';
import { decodeMulaw } from './mulaw.ts';
import { SILENT_FRAME } from './mulaw-frames.ts';
import { type Pcm, SAMPLE_RATE_HZ } from './pcm.ts';

type Activity = {
  /** Decibels of the loudest band above its noise floor, smoothed over some 50 ms. */
  readonly aboveNoiseDb: number;
  /** Power of all bands, smoothed in the same way, in decibels relative to a sample of 1. */
  readonly levelDb: number;
};

/** Centres of the bands. Mains hum and its strongest harmonics lie below the first. */
const BAND_CENTRES_HZ = [350, 700, 1_400, 2_600] as const;
const BAND_Q = 1.4;
/** Power of a band on a quiet line. With a lower floor the noise of the encoding would count as speech. */
const QUIET_POWER = 15 ** 2;
/** Weight of a new frame in the smoothed power. */
const SMOOTHING = 0.4;
/** The smoothed power is at most this multiple of the frame's power. So the effect of a click ends soon. */
const ECHO = 3;
/**
 * Weights of a new frame in the noise floor: the first for a frame below the floor, the second for a frame above it.
 */
const FLOOR_DOWN = 0.2;
const FLOOR_UP = 0.05;
/** A frame this far above the floor is not noise, and does not change the floor. */
const NOISE_DB_MAX = 5;
/** The lowest power of 2 s is noise: speech has pauses. The floor rises to it when the noise becomes louder. */
const MINIMUM_PARTS = 4;
const MINIMUM_PART_FRAMES = 25;
/** The mean of noise above its smoothed minimum. */
const MINIMUM_BIAS = 1.5;

/** Measures the frames of one line, in order. */
export type ActivityMeter = (frame: Uint8Array) => Activity;

export function createActivityMeter(): ActivityMeter {
  const bands = BAND_CENTRES_HZ.map(createBand);
  let isFirst = true;
  return (frame) => {
    // Most frames of a quiet line are this one object.
    const pcm = frame === SILENT_FRAME ? undefined : decodeMulaw(frame);
    let [aboveNoise, power] = [0, 0];
    for (const band of bands) {
      const measured = band(pcm, isFirst);
      aboveNoise = Math.max(aboveNoise, measured.aboveNoise);
      power += measured.power;
    }
    isFirst = false;
    return { aboveNoiseDb: decibels(aboveNoise), levelDb: decibels(power) };
  };
}

/** The smoothed power of a band, and its ratio to the noise floor. */
type BandPower = { readonly power: number; readonly aboveNoise: number };

/** Returns a function that measures one band of a frame. Undefined stands for silence. */
function createBand(centreHz: number): (pcm: Pcm | undefined, isFirst: boolean) => BandPower {
  const filter = createBandPass(centreHz);
  const minimum = createRunningMinimum();
  let smoothed = 0;
  let floor = QUIET_POWER;
  return (pcm, isFirst) => {
    const power = Math.max(filter(pcm), QUIET_POWER);
    smoothed = isFirst ? power : smoothed + SMOOTHING * (power - smoothed);
    // A call begins with its noise more often than with a word.
    if (isFirst) floor = power;
    else if (power < floor) floor += FLOOR_DOWN * (power - floor);
    else if (decibels(smoothed / floor) < NOISE_DB_MAX) floor += FLOOR_UP * (power - floor);
    floor = Math.max(floor, (minimum(smoothed) ?? 0) * MINIMUM_BIAS, QUIET_POWER);
    return { power: smoothed, aboveNoise: Math.min(smoothed, ECHO * power) / floor };
  };
}

/** Returns a function that filters a frame by a band-pass of second order and returns the mean power of the result. */
function createBandPass(centreHz: number): (pcm: Pcm | undefined) => number {
  const angle = (2 * Math.PI * centreHz) / SAMPLE_RATE_HZ;
  const alpha = Math.sin(angle) / (2 * BAND_Q);
  const gain = alpha / (1 + alpha);
  const [feedback1, feedback2] = [(2 * Math.cos(angle)) / (1 + alpha), -(1 - alpha) / (1 + alpha)];
  /** The last two samples before the filter and after it. */
  let memory = EMPTY_MEMORY;
  return (pcm) => {
    if (pcm === undefined) {
      memory = EMPTY_MEMORY;
      return 0;
    }
    let { x1, x2, y1, y2 } = memory;
    let sum = 0;
    for (let i = 0; i < pcm.length; i++) {
      const x = pcm[i] as number;
      const y = gain * (x - x2) + feedback1 * y1 + feedback2 * y2;
      x2 = x1;
      x1 = x;
      y2 = y1;
      y1 = y;
      sum += y * y;
    }
    // A sound that fades would leave subnormal numbers, whose arithmetic is slow.
    memory = sum < FORGOTTEN_SUM ? EMPTY_MEMORY : { x1, x2, y1, y2 };
    return sum / FRAME_SAMPLES;
  };
}

const EMPTY_MEMORY = { x1: 0, x2: 0, y1: 0, y2: 0 };
const FORGOTTEN_SUM = 1e-6;

/** Returns a function that takes a value and returns the lowest of the last 2 s; undefined during the first 2 s. */
function createRunningMinimum(): (value: number) => number | undefined {
  const parts: number[] = [];
  let current = Number.POSITIVE_INFINITY;
  let frames = 0;
  return (value) => {
    current = Math.min(current, value);
    if (++frames === MINIMUM_PART_FRAMES) {
      parts.push(current);
      if (parts.length > MINIMUM_PARTS) parts.shift();
      current = Number.POSITIVE_INFINITY;
      frames = 0;
    }
    return parts.length < MINIMUM_PARTS ? undefined : Math.min(current, ...parts);
  };
}

function decibels(power: number): number {
  return 10 * Math.log10(power);
}
