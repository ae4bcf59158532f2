/**
 * Converts the sample rate to 8 kHz by a polyphase low-pass filter, a windowed sinc. Its pass band ends below 3.4 kHz
 * (the telephone band), and from 4.4 kHz on it passes less than a thousandth. Without it, sound above half the new rate
 * would return as false tones within the band.
 */
import { type Pcm, SAMPLE_RATE_HZ, saturate } from './pcm.ts';

/** Middle of the filter's slope. */
const CUTOFF_HZ = 3_700;
/** Zero crossings of the sinc at each side. More of them make the slope steeper. */
const CROSSINGS = 24;
/** Shape of the Kaiser window: 60 dB down outside the pass band. */
const KAISER_BETA = 5.65;
const RATE_MIN_HZ = 4_000;
const RATE_MAX_HZ = 192_000;

type Filter = {
  /** When the output advances by `phases.length` samples, the input advances by `step` samples. */
  step: number;
  /** Weights of the input samples around an output sample, for each position between two input samples. */
  phases: readonly Float64Array[];
  halfWidth: number;
};

const filters = new Map<number, Filter>();

/**
 * Converts audio to 8 kHz. Its duration stays the same to within a sample.
 * @param fromHz sample rate of `pcm`, 4,000 to 192,000
 * @throws RangeError for another rate
 */
export function resample(pcm: Int16Array, fromHz: number): Pcm {
  if (fromHz === SAMPLE_RATE_HZ) return pcm.slice();
  if (!Number.isInteger(fromHz) || fromHz < RATE_MIN_HZ || fromHz > RATE_MAX_HZ) {
    throw new RangeError(`audio of ${fromHz} samples a second cannot be converted`);
  }
  const { step, phases, halfWidth } = filterFor(fromHz);
  const converted = new Int16Array(Math.round((pcm.length * SAMPLE_RATE_HZ) / fromHz));
  for (let n = 0; n < converted.length; n++) {
    const position = n * step;
    const weights = phases[position % phases.length] as Float64Array;
    const first = Math.floor(position / phases.length) - halfWidth + 1;
    let sum = 0;
    for (let i = Math.max(0, -first); i < weights.length && first + i < pcm.length; i++) {
      sum += (weights[i] as number) * (pcm[first + i] as number);
    }
    converted[n] = saturate(sum);
  }
  return converted;
}

/** Returns the filter of a rate. Filters are few and costly to compute, so each is kept. */
function filterFor(fromHz: number): Filter {
  const known = filters.get(fromHz);
  if (known !== undefined) return known;
  const divisor = greatestDivisor(fromHz, SAMPLE_RATE_HZ);
  const phaseCount = SAMPLE_RATE_HZ / divisor;
  // Below 8 kHz nothing can fold back, so the whole band of the source is kept.
  const cutoff = Math.min(CUTOFF_HZ, (fromHz / 2) * (CUTOFF_HZ / (SAMPLE_RATE_HZ / 2))) / fromHz;
  const halfWidth = Math.ceil(CROSSINGS / (2 * cutoff));
  const phases = Array.from({ length: phaseCount }, (_, phase) => weightsAt(phase / phaseCount, cutoff, halfWidth));
  const filter = { step: fromHz / divisor, phases, halfWidth };
  filters.set(fromHz, filter);
  return filter;
}

/** @param fraction position of the output sample between two input samples */
function weightsAt(fraction: number, cutoff: number, halfWidth: number): Float64Array {
  const weights = Float64Array.from({ length: 2 * halfWidth }, (_, i) => {
    const distance = i - halfWidth + 1 - fraction;
    return sinc(2 * cutoff * distance) * kaiser(distance / halfWidth);
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** @param x -1 to 1; 0 outside */
function kaiser(x: number): number {
  return Math.abs(x) > 1 ? 0 : besselI0(KAISER_BETA * Math.sqrt(1 - x * x)) / besselI0(KAISER_BETA);
}

/** Returns the modified Bessel function of the first kind and order 0, by its power series. */
function besselI0(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
