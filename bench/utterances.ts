/**
 * Measures the processor time of the detector of utterances for 20 ms of one line: with speech, with noise, and silent.
 * The reference is the decoding of the same frames, which any detector needs. The speech consists of tones with the
 * rhythm of speech, so that the figure does not depend on an installed program.
 *
 * node bench/utterances.ts [--lines 200] [--seconds 30]
 */
import { parseArgs } from 'node:util';
import { FRAME_MS, FRAME_SAMPLES } from '../src/audio/frames.ts';
import { decodeMulaw, encodeMulaw } from '../src/audio/mulaw.ts';
import { SILENT_FRAME } from '../src/audio/mulaw-frames.ts';
import { mix, type Pcm, samplesOf } from '../src/audio/pcm.ts';
import { VoiceDetector } from '../src/audio/voice-detector.ts';
import { tonesFor } from '../src/speech/speech-tones.ts';
import { ownCpu } from './support/cpu.ts';
import { load } from './support/processes.ts';

const { values } = parseArgs({
  options: { lines: { type: 'string', default: '200' }, seconds: { type: 'string', default: '30' } },
});
const LINES = Number(values.lines);
const SECONDS = Number(values.seconds);
const LOUDNESS = 300;

function framesOf(pcm: Pcm): Uint8Array[] {
  const codes = encodeMulaw(pcm);
  return Array.from({ length: Math.floor(codes.length / FRAME_SAMPLES) }, (_, i) =>
    codes.subarray(i * FRAME_SAMPLES, (i + 1) * FRAME_SAMPLES),
  );
}

const noise = () => Int16Array.from({ length: samplesOf(SECONDS * 1_000) }, () => (Math.random() - 0.5) * 2 * LOUDNESS);

/** Makes a sentence of two seconds every four seconds. */
function speech(): Pcm {
  const words = tonesFor('Can I come on Monday afternoon?');
  const parts = Array.from({ length: Math.floor(SECONDS / 4) }, (_, n) => ({ pcm: words, at: samplesOf(n * 4_000) }));
  return mix([{ pcm: noise(), at: 0 }, ...parts], samplesOf(SECONDS * 1_000));
}

/** Returns the processor time of a frame in µs. `lineOf` returns a function that gets the frames of one line. */
function measure(frames: readonly Uint8Array[], lineOf: () => (frame: Uint8Array, atMs: number) => unknown): number {
  const lines = Array.from({ length: LINES }, lineOf);
  const startedUs = ownCpu();
  for (const [n, frame] of frames.entries()) for (const write of lines) write(frame, n * FRAME_MS);
  return (ownCpu() - startedUs) / (frames.length * LINES);
}

const LINE_KINDS: readonly (readonly [string, readonly Uint8Array[]])[] = [
  ['speech in noise', framesOf(speech())],
  ['noise alone', framesOf(noise())],
  ['silence', Array<Uint8Array>((SECONDS * 1_000) / FRAME_MS).fill(SILENT_FRAME)],
];

const detector = () => {
  const made = new VoiceDetector();
  return (frame: Uint8Array, atMs: number) => made.write(frame, atMs);
};
// The first run compiles the code.
for (const [, frames] of LINE_KINDS) measure(frames.slice(0, 200), detector);
for (const [name, frames] of LINE_KINDS) {
  const [us, decodeUs] = [measure(frames, detector), measure(frames, () => decodeMulaw)];
  const lines = Math.round((FRAME_MS * 1_000) / us);
  console.log(`${name}: ${us.toFixed(1)} µs a frame (decoding alone ${decodeUs.toFixed(1)}), ${lines} lines a core`);
}
console.log(load());
