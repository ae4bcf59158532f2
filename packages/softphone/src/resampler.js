/**
 * Changes the sample rate of audio that arrives in pieces. A polyphase low-pass filter (a sinc with a Kaiser window)
 * has a pass band that ends a little below half of the lower rate. Frequencies above it would alias to false tones.
 */

/** Middle of the filter's slope, as a fraction of half the lower rate: 3.7 kHz of 4. */
const CUTOFF = 0.925;
/**
 * Zero crossings of the sinc at each side. More crossings make the slope steeper, and add a delay of as many samples of
 * the lower rate.
 */
const CROSSINGS = 12;
/** Gives an attenuation of about 50 dB outside the pass band. */
const KAISER_BETA = 4.5;

export class Resampler {
  #step;
  #phases;
  #width;
  /** Input samples that are still needed, oldest first. */
  #held;
  /** Position of the next output, in steps of 1/phases input samples, from the first one held. */
  #position = 0;

  /**
   * @param {number} fromHz
   * @param {number} toHz
   */
  constructor(fromHz, toHz) {
    const divisor = greatestDivisor(fromHz, toHz);
    const phaseCount = toHz / divisor;
    this.#step = fromHz / divisor;
    const cutoff = (Math.min(fromHz, toHz) * CUTOFF) / 2 / fromHz;
    const half = Math.ceil(CROSSINGS / (2 * cutoff));
    this.#width = 2 * half;
    this.#phases = Array.from({ length: phaseCount }, (_, phase) => weightsAt(phase / phaseCount, cutoff, half));
    // The audio starts after silence.
    this.#held = new Float32Array(this.#width - 1);
  }

  /**
   * Resamples a piece. The output of its last samples comes with the next piece.
   * @param {Float32Array} samples
   * @returns {Float32Array<ArrayBuffer>}
   */
  push(samples) {
    const input = new Float32Array(this.#held.length + samples.length);
    input.set(this.#held);
    input.set(samples, this.#held.length);
    const phaseCount = this.#phases.length;
    const last = input.length - this.#width;
    /** @type {number[]} */
    const output = [];
    let first = Math.floor(this.#position / phaseCount);
    while (first <= last) {
      const weights = /** @type {Float64Array} */ (this.#phases[this.#position % phaseCount]);
      let sum = 0;
      for (let i = 0; i < weights.length; i++) {
        sum += /** @type {number} */ (weights[i]) * /** @type {number} */ (input[first + i]);
      }
      output.push(sum);
      this.#position += this.#step;
      first = Math.floor(this.#position / phaseCount);
    }
    const done = Math.min(first, input.length);
    this.#held = input.slice(done);
    this.#position -= done * phaseCount;
    return Float32Array.from(output);
  }
}

/**
 * Returns the filter weights of one phase.
 * @param {number} fraction position of the output between two input samples
 * @param {number} cutoff as a fraction of the input's rate
 * @param {number} half
 */
function weightsAt(fraction, cutoff, half) {
  const weights = Float64Array.from({ length: 2 * half }, (_, i) => {
    const distance = i - half + 1 - fraction;
    return sinc(2 * cutoff * distance) * kaiser(distance / half);
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** @param {number} x */
function sinc(x) {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** @param {number} x */
function kaiser(x) {
  return Math.abs(x) > 1 ? 0 : besselI0(KAISER_BETA * Math.sqrt(1 - x * x)) / besselI0(KAISER_BETA);
}

/**
 * Modified Bessel function of the first kind and order 0.
 * @param {number} x
 */
function besselI0(x) {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

/**
 * @param {number} a
 * @param {number} b
 * @returns {number}
 */
function greatestDivisor(a, b) {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
