/**
 * Measures how often the detector of answering machines is right, and how soon it decides. The corpus has 200 greetings
 * of machines with beeps of ten frequencies, and 200 answers of people, from "Hello?" to the sentence of a
 * receptionist, each in noise at three levels. espeak-ng speaks them, in twelve voices and at five speeds. The same
 * seed always makes the same corpus. Another seed changes the pairs of sentences, voices and beeps, the pauses and the
 * loudness.
 *
 *   node bench/answers.ts [--seed 16] [--wrong]
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { AnswerDetector, type AnswerKind } from '../src/audio/answer/answer-detector.ts';
import { FRAME_MS } from '../src/audio/frames.ts';
import { toMulawFrames } from '../src/audio/mulaw-frames.ts';
import { concat, durationMsOf, mix, type Pcm, samplesOf, saturate, silence } from '../src/audio/pcm.ts';
import { resample } from '../src/audio/resample.ts';
import { ramped, sine } from '../src/audio/tones.ts';
import { decodeWav } from '../src/audio/wav.ts';
import { ownCpu } from './support/cpu.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '16' }, wrong: { type: 'boolean', default: false } },
});

const COUNT = 200;
const VOICES = [
  ...['en-us', 'en-us+f3', 'en-us+m3', 'en-us+f5', 'en-gb', 'en-gb+f4', 'en-gb+m7', 'en-gb-scotland', 'en-029'],
  ...['en-gb-x-rp+f2', 'en-us+croak', 'en-gb-x-gbclan+m1'],
];
const SPEEDS = [130, 145, 160, 175, 190];
const BEEPS_HZ = [400, 440, 620, 850, 1_000, 1_100, 1_250, 1_400, 1_750, 2_000];
const BEEP_MS = [150, 250, 400, 600, 1_000];
/** Root mean square of the noise: a quiet line, an office, and a street (speech has about 2,500). */
const NOISES = [20, 120, 350];

const HELLOS = [
  ...['Hello?', 'Hello.', 'Yes?', 'Hi.', 'Yeah?', 'Hello, who is this?', 'This is Anna.', 'Yes, hello?', 'Speaking.'],
  ...['Hey, what is up?', 'Good morning.', 'Smith residence.', 'Hello, this is Peter Miller.', 'Hi, Maria speaking.'],
  ...['Good afternoon, how can I help you?', 'Front desk, this is Laura.', 'Hello. Hello?', 'Hang on. Yes, hello?'],
  ...['Miller and Sons, good morning.', 'Dental practice, Carla speaking, how may I help you?'],
  ...['Thank you for calling Riverside Garage, this is Tom.', 'Hello, you are speaking to Doctor Brown.'],
  ...['Good morning, Acme Plumbing, Susan speaking, how can I help you today?', 'Yep.', 'Who is it?'],
];
const NAMES = ['Anna', 'Peter Miller', 'the Johnson family', 'Doctor Brown', 'Maria Lopez', 'Tom', 'Riverside Garage'];
const GREETINGS = [
  'Hi, this is NAME. I cannot come to the phone right now. Please leave a message after the beep.',
  'You have reached the voicemail of NAME. Please leave your name and number and I will call you back.',
  'Hello, you have reached NAME. We are not available at the moment. Please leave a message after the tone.',
  'Your call has been forwarded to an automated voice messaging system. NAME is not available. At the tone, please record your message.',
  'Hey, it is NAME. I am probably busy. You know what to do. Leave me a message and have a nice day.',
  'Thank you for calling NAME. Our office is closed now. Our hours are nine to five, Monday to Friday. Please leave a message.',
  'The person you are trying to reach is not available. Please leave your message after the tone. When you have finished, hang up or press one for more options.',
  'Hi, NAME here. Sorry I missed your call. Leave a message.',
];

/** A generator of numbers from 0 to 1 that repeats its numbers in each run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SEED = Number(values.seed);
const random = createRandom(SEED);
const pick = <T>(of: readonly T[], i: number): T => of[i % of.length] as T;

function say(text: string, i: number): Pcm {
  const [voice, speed] = [pick(VOICES, i + SEED), pick(SPEEDS, Math.floor(i / 3) + SEED)];
  const args = ['-b', '1', '-v', voice, '-s', String(speed), '-z', '--stdout', text];
  const { pcm, sampleRateHz } = decodeWav(execFileSync('espeak-ng', args, { maxBuffer: 32_000_000 }));
  const loudness = 0.4 + 0.5 * random();
  return resample(pcm, sampleRateHz).map((sample) => saturate(sample * loudness));
}

type Answer = { readonly kind: AnswerKind; readonly text: string; readonly pcm: Pcm; readonly beepEndsMs?: number };

function person(i: number): Answer {
  const text = pick(HELLOS, i);
  // A person then waits for the other side to speak, for at least three seconds.
  return { kind: 'person', text, pcm: concat([silence(100 + 900 * random()), say(text, i), silence(4_000)]) };
}

function machine(i: number): Answer {
  const text = pick(GREETINGS, i).replace('NAME', pick(NAMES, Math.floor(i / 8)));
  const hz = pick(BEEPS_HZ, i + (SEED >> 1));
  const tone = {
    frequencyHz: hz,
    samples: samplesOf(pick(BEEP_MS, Math.floor(i / 10))),
    amplitude: 4_000 + 8_000 * random(),
  };
  const before = concat([
    silence(200 + 1_000 * random()),
    say(text, i + 5),
    silence(200 + 1_300 * random()),
    ramped(sine(tone)),
  ]);
  return {
    kind: 'machine',
    text: `${text} (${hz} Hz)`,
    pcm: concat([before, silence(5_000)]),
    beepEndsMs: durationMsOf(before),
  };
}

function withNoise(pcm: Pcm, rms: number): Pcm {
  const noise = Int16Array.from({ length: pcm.length }, () => saturate((random() - 0.5) * rms * Math.sqrt(12)));
  return mix([
    { pcm, at: 0 },
    { pcm: noise, at: 0 },
  ]);
}

type Heard = { kind: AnswerKind | 'none'; kindMs: number; endedMs: number | null; beep: boolean };

function hear(pcm: Pcm): Heard {
  const detector = new AnswerDetector();
  const heard: Heard = { kind: 'none', kindMs: 0, endedMs: null, beep: false };
  for (const frame of toMulawFrames(pcm)) {
    const finding = detector.write(frame);
    if (finding?.found === 'kind') Object.assign(heard, { kind: finding.kind, kindMs: finding.atMs });
    if (finding?.found === 'greeting_ended') Object.assign(heard, { endedMs: finding.atMs, beep: finding.beep });
  }
  return heard;
}

const percentile = (sorted: readonly number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
const seconds = (ms: number) => (ms / 1_000).toFixed(1);

const answers = Array.from({ length: COUNT }, (_, i) => [person(i), machine(i)]).flat();
for (const rms of NOISES) {
  const heard = answers.map((answer) => ({ answer, heard: hear(withNoise(answer.pcm, rms)) }));
  console.log(`noise ${rms}`);
  for (const kind of ['person', 'machine'] as const) {
    const own = heard.filter(({ answer }) => answer.kind === kind);
    const counts = ['person', 'machine', 'fax', 'unknown', 'none'].map(
      (verdict) => `${verdict} ${own.filter((one) => one.heard.kind === verdict).length}`,
    );
    const times = own.map((one) => one.heard.kindMs).sort((a, b) => a - b);
    const [p50, p95] = [0.5, 0.95].map((share) => seconds(percentile(times, share)));
    console.log(`  ${kind}: ${counts.join(', ')}; verdict p50 ${p50} s, p95 ${p95} s`);
  }
  const machines = heard.filter((one) => one.heard.kind === 'machine' && one.answer.beepEndsMs !== undefined);
  const late = machines.map(({ answer, heard: { endedMs } }) => (endedMs ?? 1e6) - (answer.beepEndsMs as number));
  const within = late.filter((ms) => ms >= 0 && ms <= 500).length;
  const early = late.filter((ms) => ms < 0).length;
  console.log(`  beep: found 0 to 500 ms after its end ${within} of ${machines.length}, before it ${early}`);
  if (!values.wrong) continue;
  for (const { answer, heard: got } of heard) {
    const missed =
      answer.beepEndsMs !== undefined &&
      got.kind === 'machine' &&
      (got.endedMs === null || Math.abs(got.endedMs - answer.beepEndsMs - 250) > 250);
    if (got.kind !== answer.kind || missed)
      console.log(`    ${answer.kind}: ${JSON.stringify(got)} ${answer.beepEndsMs ?? ''} ${answer.text}`);
  }
}

// Measures how long a detector that has not decided yet needs for one frame.
const frames = toMulawFrames(withNoise((answers[1] as Answer).pcm, 120)).slice(0, 250);
const detectors = Array.from({ length: 100 }, () => new AnswerDetector());
const startedUs = ownCpu();
for (const frame of frames) for (const detector of detectors) detector.write(frame);
console.log(
  `a frame of ${FRAME_MS} ms: ${((ownCpu() - startedUs) / (frames.length * detectors.length)).toFixed(0)} µs`,
);
