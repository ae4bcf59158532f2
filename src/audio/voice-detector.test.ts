/** Detection of utterances, on speech that espeak-ng makes and on noise. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { missing } from '../../test/support/programs.ts';
import { SPEECH_PROGRAM, speak } from '../speech/espeak.ts';
import { FRAME_MS, FRAME_SAMPLES } from './frames.ts';
import { encodeMulaw } from './mulaw.ts';
import { SILENT_FRAME } from './mulaw-frames.ts';
import { durationMsOf, type Pcm, samplesOf, saturate } from './pcm.ts';
import { type Utterance, VoiceDetector } from './voice-detector.ts';

const noSpeech = missing('espeak-ng');

const SENTENCES = [
  'You have reached Acme Dental, please leave a message.',
  'Yes.',
  'Can I come on Monday, or is it better in the afternoon?',
  'Four six two, nine one.',
] as const;

/** A generator of pseudo-random numbers (Numerical Recipes), the same in every run. */
function createNoise(seed = 1) {
  let state = seed;
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 1) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

type Noise = (samples: number) => Float64Array;

/**
 * Returns a function that makes a noise only if it is longer than the last one, and otherwise returns the start of that
 * one. A noise is the same in every run.
 */
function makeOnce(make: Noise): Noise {
  let longest: Float64Array = new Float64Array();
  return (samples) => {
    if (longest.length < samples) longest = make(samples);
    return longest.slice(0, samples);
  };
}

const HUM_HZ = [60, 120, 180, 240, 300];
const NOISES: Readonly<Record<string, Noise>> = {
  white: makeOnce((samples) => Float64Array.from({ length: samples }, createNoise())),
  // Noise like traffic or a fan: most of its power is below 500 Hz.
  brown: makeOnce((samples) => {
    const next = createNoise();
    let value = 0;
    return Float64Array.from({ length: samples }, () => {
      value = 0.97 * value + next();
      return value;
    });
  }),
  mains: makeOnce((samples) => {
    const next = createNoise();
    return Float64Array.from({ length: samples }, (_, i) =>
      HUM_HZ.reduce((sum, hz, n) => sum + Math.sin((2 * Math.PI * hz * i) / 8_000) / (n + 1), 0.1 * next()),
    );
  }),
};

const rms = (audio: ArrayLike<number>) =>
  Math.sqrt(Array.from(audio).reduce((sum, value) => sum + value * value, 0) / audio.length);

const spoken = new Map<string, Promise<Pcm>>();

/** Returns a text as speech, without the silence around it. Each text is synthesized once. */
function say(text: string): Promise<Pcm> {
  const pcm = spoken.get(text) ?? synthesize(text);
  spoken.set(text, pcm);
  return pcm;
}

async function synthesize(text: string): Promise<Pcm> {
  const pcm = await speak(SPEECH_PROGRAM, text);
  const loudest = pcm.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0);
  const isLoud = (sample: number) => Math.abs(sample) > loudest * 0.02;
  return pcm.slice(pcm.findIndex(isLoud), pcm.findLastIndex(isLoud) + 1);
}

/** Returns the parts at their times, in noise that is `snrDb` softer than the first part. */
function place(parts: readonly { pcm: Pcm; atMs: number }[], lengthMs: number, { noise, snrDb }: Background): Pcm {
  const mixed = noise(samplesOf(lengthMs));
  const factor = rms(parts[0]?.pcm ?? []) / 10 ** (snrDb / 20) / rms(mixed);
  for (let i = 0; i < mixed.length; i++) mixed[i] = (mixed[i] as number) * factor;
  for (const { pcm, atMs } of parts) {
    pcm.forEach((sample, i) => {
      mixed[samplesOf(atMs) + i] = (mixed[samplesOf(atMs) + i] as number) + sample;
    });
  }
  return Int16Array.from(mixed, saturate);
}

type Background = { readonly noise: Noise; readonly snrDb: number };
const QUIET: Background = { noise: NOISES['white'] as Noise, snrDb: 40 };

function framesOf(pcm: Pcm): Uint8Array[] {
  const codes = encodeMulaw(pcm);
  return Array.from({ length: Math.floor(codes.length / FRAME_SAMPLES) }, (_, i) =>
    codes.subarray(i * FRAME_SAMPLES, (i + 1) * FRAME_SAMPLES),
  );
}

function detect(pcm: Pcm, detector = new VoiceDetector()): Utterance[] {
  const found = framesOf(pcm).map((frame, i) => detector.write(frame, i * FRAME_MS));
  return [...found, detector.end()].filter((utterance) => utterance !== undefined);
}

const isWithin = (actual: number, expected: number, toleranceMs: number) =>
  assert.ok(Math.abs(actual - expected) <= toleranceMs, `${actual} is not within ${toleranceMs} of ${expected}`);

describe('speech', { skip: noSpeech }, () => {
  // At 5 dB, soft words at either end are softer than the noise. The audio around the utterance contains them.
  for (const [snrDb, startMs, endMs] of [
    [30, 120, 250],
    [20, 120, 200],
    [10, 120, 200],
    [5, 350, 200],
  ] as const) {
    for (const [name, noise] of Object.entries(NOISES)) {
      test(`is found ${snrDb} dB above ${name} noise: start within ${startMs} ms, end within ${endMs} ms`, async () => {
        for (const text of SENTENCES) {
          const pcm = await say(text);
          const spokenMs = durationMsOf(pcm);
          const found = detect(place([{ pcm, atMs: 1_500 }], 4_000 + spokenMs, { noise, snrDb }));
          assert.equal(found.length, 1, `${text}: ${found.length} utterances`);
          isWithin(found[0]?.startMs as number, 1_500, startMs);
          isWithin(found[0]?.endMs as number, 1_500 + spokenMs, endMs);
        }
      });
    }
  }

  test('comes with 400 ms of what was before it and 200 ms of what followed', async () => {
    const pcm = await say(SENTENCES[0]);
    const mixed = place([{ pcm, atMs: 2_000 }], 6_000 + durationMsOf(pcm), QUIET);
    const [found] = detect(mixed);
    const from = ((found as Utterance).startMs - 400) / FRAME_MS;
    const to = ((found as Utterance).endMs + 200) / FRAME_MS;
    assert.deepEqual(found?.frames, framesOf(mixed).slice(from, to));
  });

  test('is one utterance with the pauses of a sentence, and two after a longer one', async () => {
    const [pcm, other] = [await say(SENTENCES[0]), await say(SENTENCES[2])];
    const countAfter = (pauseMs: number) => {
      const atMs = 1_000 + durationMsOf(pcm) + pauseMs;
      const parts = [
        { pcm, atMs: 1_000 },
        { pcm: other, atMs },
      ];
      return detect(place(parts, atMs + durationMsOf(other) + 2_000, { ...QUIET, snrDb: 15 })).length;
    };
    assert.deepEqual([200, 400, 500].map(countAfter), [1, 1, 1]);
    assert.deepEqual([1_000, 2_000].map(countAfter), [2, 2]);
  });

  test('that goes on and on is split, and no frame of it is lost or heard twice', async () => {
    const pcm = await say(Array(10).fill(SENTENCES[2]).join(' '));
    const mixed = place([{ pcm, atMs: 1_000 }], durationMsOf(pcm) + 3_000, QUIET);
    const found = detect(mixed, new VoiceDetector({ utteranceMsMax: 5_000 }));
    assert.ok(found.length >= 5, `${found.length}`);
    assert.ok(found.every(({ startMs, endMs }) => endMs - startMs <= 5_000));
    const first = ((found[0] as Utterance).startMs - 400) / FRAME_MS;
    const heard = found.flatMap(({ frames }) => frames);
    assert.deepEqual(heard, framesOf(mixed).slice(first, first + heard.length));
  });

  test('is found although frames are missing, and the time of the gap counts as a pause', async () => {
    const pcm = await say(SENTENCES[2]);
    const frames = framesOf(place([{ pcm, atMs: 500 }], durationMsOf(pcm) + 500, QUIET));
    const detector = new VoiceDetector();
    const found = [0, 60_000].flatMap((fromMs) =>
      frames.flatMap((frame, i) => detector.write(frame, fromMs + i * FRAME_MS) ?? []),
    );
    found.push(detector.end() as Utterance);
    assert.equal(found.length, 2);
    isWithin(found[0]?.endMs as number, frames.length * FRAME_MS, 200);
    isWithin(found[1]?.startMs as number, 60_500, 120);
  });

  test('that is cut off by the end of the call is an utterance', async () => {
    const pcm = await say(SENTENCES[0]);
    const found = detect(place([{ pcm, atMs: 1_000 }], 2_500, QUIET));
    assert.deepEqual(
      found.map(({ endMs }) => endMs),
      [2_500],
    );
  });
});

describe('noise', () => {
  for (const [name, noise] of Object.entries(NOISES)) {
    for (const level of [30, 300, 3_000]) {
      const at = (samples: number) => {
        const made = noise(samples);
        const scale = level / rms(made);
        return made.map((value) => value * scale);
      };
      const asPcm = (audio: Float64Array) => Int16Array.from(audio, saturate);

      test(`${name}, of ${level}, is never an utterance`, () => {
        assert.deepEqual(detect(asPcm(at(samplesOf(20_000)))), []);
      });

      test(`${name}, of ${level}, that begins or becomes louder is none either`, () => {
        const audio = at(samplesOf(40_000));
        const steps = audio.map((value, i) => (i < samplesOf(5_000) ? 0 : i < samplesOf(20_000) ? value : 3 * value));
        assert.deepEqual(detect(asPcm(steps)), []);
      });
    }
  }

  test('a click is no utterance', () => {
    const pcm = new Int16Array(samplesOf(5_000));
    pcm.fill(20_000, samplesOf(2_000), samplesOf(2_030));
    assert.deepEqual(detect(pcm), []);
  });

  test('silence is no utterance, in one object or in many', () => {
    const detector = new VoiceDetector();
    for (let i = 0; i < 500; i++)
      assert.equal(detector.write(i % 3 === 0 ? SILENT_FRAME.slice() : SILENT_FRAME, i * FRAME_MS), undefined);
    assert.equal(detector.end(), undefined);
  });
});
