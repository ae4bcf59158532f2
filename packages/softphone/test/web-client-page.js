/** The page of the browser tests: a web client made by the library as it is shipped, and an ear at what it plays. */
import { Softphone } from '../src/index.js';

/** Wide enough that a tone which pulses once a second is never missed: 0.68 s at 48 kHz. */
const EAR_SAMPLES = 32_768;
const PIECE_MS = 50;

/** @type {AnalyserNode[]} */
const ears = [];
const connect = AudioNode.prototype.connect;
// Whatever goes to the speaker goes to an ear as well.
AudioNode.prototype.connect = /** @type {typeof connect} */ (
  /** @this {AudioNode} @param {any} target @param {number[]} rest */
  function connectWithEar(target, ...rest) {
    if (target instanceof AudioDestinationNode) {
      const ear = new AnalyserNode(this.context, { fftSize: EAR_SAMPLES });
      ears.push(ear);
      Reflect.apply(connect, this, [ear]);
    }
    return connect.call(this, target, ...rest);
  }
);

/** All that the web client has told, in order. @type {{ type: string, [field: string]: unknown }[]} */
const told = [];
const phone = new Softphone({ url: /** @type {string} */ (new URLSearchParams(location.search).get('url')) });
for (const type of /** @type {const} */ (['registered', 'incoming', 'ringing', 'answered', 'ended', 'disconnected'])) {
  phone.on(type, (event) => told.push({ type, ...event }));
}
phone.on('error', ({ code, message }) => told.push({ type: 'error', code, message }));

/**
 * The loudest piece of what was played last.
 * @param {number} frequencyHz
 * @returns {{ level: number, share: number, playedS: number }} its mean square, the share of this tone in it, and how
 *   long the page has been playing
 */
function listen(frequencyHz) {
  const ear = ears.at(-1);
  if (ear === undefined) return { level: 0, share: 0, playedS: 0 };
  const { sampleRate, currentTime } = ear.context;
  const samples = new Float32Array(EAR_SAMPLES);
  ear.getFloatTimeDomainData(samples);
  const length = Math.round((sampleRate * PIECE_MS) / 1_000);
  const pieces = Array.from({ length: Math.floor(EAR_SAMPLES / length) }, (_, i) =>
    samples.subarray(i * length, (i + 1) * length),
  );
  const loudest = pieces.reduce((one, other) => (meanSquare(one) >= meanSquare(other) ? one : other));
  const level = meanSquare(loudest);
  const share = level === 0 ? 0 : toneIn(loudest, frequencyHz / sampleRate) / level;
  return { level, share, playedS: currentTime };
}

/** @param {Float32Array} samples */
function meanSquare(samples) {
  return samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
}

/**
 * Mean square of one tone, as a component of the Fourier transform.
 * @param {Float32Array} samples
 * @param {number} turnsPerSample
 */
function toneIn(samples, turnsPerSample) {
  let real = 0;
  let imaginary = 0;
  samples.forEach((sample, i) => {
    real += sample * Math.cos(2 * Math.PI * turnsPerSample * i);
    imaginary += sample * Math.sin(2 * Math.PI * turnsPerSample * i);
  });
  return (2 * (real * real + imaginary * imaginary)) / (samples.length * samples.length);
}

Object.assign(globalThis, { webClient: { phone, told, listen } });
