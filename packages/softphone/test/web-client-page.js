/**
 * The page of the browser tests: a web client made with the published library, and a tap on the audio that it plays.
 */
import { Softphone } from '../src/index.js';

/** Long enough to contain a beat of a tone that pulses once a second: 0.68 s at 48 kHz. */
const TAP_SAMPLES = 32_768;
const PIECE_MS = 50;

/** @type {AnalyserNode[]} */
const taps = [];
const connect = AudioNode.prototype.connect;
// Everything that is connected to the speaker is connected to a tap too.
AudioNode.prototype.connect = /** @type {typeof connect} */ (
  /** @this {AudioNode} @param {any} target @param {number[]} rest */
  function connectWithTap(target, ...rest) {
    if (target instanceof AudioDestinationNode) {
      const tap = new AnalyserNode(this.context, { fftSize: TAP_SAMPLES });
      taps.push(tap);
      Reflect.apply(connect, this, [tap]);
    }
    return connect.call(this, target, ...rest);
  }
);

/** All events of the web client, in order. @type {{ type: string, [field: string]: unknown }[]} */
const events = [];
/** The checks that run after each event. @type {Set<() => void>} */
const looks = new Set();
const search = new URLSearchParams(location.search);
const workletUrl = search.get('worklet');
const phone = new Softphone({
  url: /** @type {string} */ (search.get('url')),
  ...(workletUrl === null ? {} : { workletUrl }),
});
for (const type of /** @type {const} */ (['registered', 'incoming', 'ringing', 'answered', 'ended', 'disconnected'])) {
  phone.on(type, (event) => note({ type, ...event }));
}
phone.on('error', ({ code, message }) => note({ type: 'error', code, message }));

/** @param {{ type: string, [field: string]: unknown }} event */
function note(event) {
  events.push(event);
  for (const look of looks) look();
}

/**
 * Waits for an event of a type.
 * @param {string} type
 * @param {number} from the position of the first event that counts
 * @returns {Promise<number>} its position
 */
function next(type, from) {
  return new Promise((resolve) => {
    const look = () => {
      const at = events.findIndex((event, index) => index >= from && event.type === type);
      if (at < 0) return;
      looks.delete(look);
      resolve(at);
    };
    looks.add(look);
    look();
  });
}

/**
 * Measures the loudest piece of the latest audio.
 * @param {number} frequencyHz
 * @returns {{ level: number, share: number, playedS: number }} the piece's mean square, the share of this tone in it,
 * and
 *   how long the page has been playing
 */
function measure(frequencyHz) {
  const tap = taps.at(-1);
  if (tap === undefined) return { level: 0, share: 0, playedS: 0 };
  const { sampleRate, currentTime } = tap.context;
  const samples = new Float32Array(TAP_SAMPLES);
  tap.getFloatTimeDomainData(samples);
  const length = Math.round((sampleRate * PIECE_MS) / 1_000);
  const pieces = Array.from({ length: Math.floor(TAP_SAMPLES / length) }, (_, i) =>
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
 * Returns the mean square of one tone, as a component of the Fourier transform.
 * @param {Float32Array} samples
 * @param {number} cyclesPerSample
 */
function toneIn(samples, cyclesPerSample) {
  let real = 0;
  let imaginary = 0;
  samples.forEach((sample, i) => {
    real += sample * Math.cos(2 * Math.PI * cyclesPerSample * i);
    imaginary += sample * Math.sin(2 * Math.PI * cyclesPerSample * i);
  });
  return (2 * (real * real + imaginary * imaginary)) / (samples.length * samples.length);
}

Object.assign(globalThis, { webClient: { phone, events, next, measure } });
