import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FRAME_MS } from '../../../audio/frames.ts';
import { encodeMulaw } from '../../../audio/mulaw.ts';
import { SILENT_FRAME } from '../../../audio/mulaw-frames.ts';
import { samplesOf } from '../../../audio/pcm.ts';
import { sine } from '../../../audio/tones.ts';
import { Ear } from './ear.ts';
import type { Recognizing } from './types.ts';

/** A tone whose level changes as that of speech does, with gaps. */
function speechOf(ms: number): Uint8Array {
  const pcm = sine({ frequencyHz: 700, samples: samplesOf(ms), amplitude: 12_000 });
  return encodeMulaw(pcm.map((sample, n) => sample * Math.max(0, Math.sin((n * Math.PI) / samplesOf(250)))));
}

type Recognition = { readonly how: Recognizing; readonly done: PromiseWithResolvers<string | null> };

function startEar({ partials = true } = {}) {
  const recognitions: Recognition[] = [];
  const heard: [string, boolean][] = [];
  const failures: unknown[] = [];
  const ear = new Ear({
    ...{ language: 'en-US', partials, silenceMs: 700 },
    recognize: (_heard, how) => {
      const done = Promise.withResolvers<string | null>();
      recognitions.push({ how, done });
      return done.promise;
    },
    onSpeech: () => undefined,
    onWords: (words, { isLast }) => heard.push([words, isLast]),
    onFailure: (error) => failures.push(error),
  });
  let tick = 0;
  /** Speech, and the pause after it. */
  const say = (ms = 500) => {
    const speech = speechOf(ms);
    for (let at = 0; at < speech.length; at += 160) ear.write(tick++, speech.subarray(at, at + 160));
    for (let ms = 0; ms < 1_000; ms += FRAME_MS) ear.write(tick++, SILENT_FRAME);
  };
  const settle = () => new Promise((resolve) => void setImmediate(resolve));
  return { ear, recognitions, heard, failures, say, settle };
}

test('words come in the order in which they were said, also in part', async () => {
  const { recognitions, heard, say, settle } = startEar();
  say();
  say();
  const [first, second] = recognitions as [Recognition, Recognition];
  second.how.onPartial?.('Not yet');
  second.done.resolve('Four five.');
  await settle();
  assert.deepEqual(heard, []);
  first.how.onPartial?.('One');
  first.done.resolve('One two.');
  await settle();
  assert.deepEqual(heard, [
    ['One', false],
    ['One two.', true],
    ['Four five.', true],
  ]);
});

test('words without a pause come in parts, and have an end also if the last part has no words', async () => {
  for (const [partials, all] of [
    [true, ['One two', 'One two three', 'One two three']],
    [false, ['One two', 'three', '']],
  ] as const) {
    const { recognitions, heard, say, settle } = startEar({ partials });
    say(41_000);
    for (const [n, words] of ['One two', 'three', null].entries()) recognitions[n]?.done.resolve(words);
    await settle();
    assert.equal(recognitions.length, 3);
    assert.deepEqual(
      heard,
      all.map((words, n) => [words, n === 2]),
    );
  }
});

test('words so far have an end, also if there were none', async () => {
  const { recognitions, heard, say, settle } = startEar();
  say();
  recognitions[0]?.how.onPartial?.('Uh');
  recognitions[0]?.done.resolve(null);
  await settle();
  assert.deepEqual(heard, [
    ['Uh', false],
    ['', true],
  ]);
});

test('a recogniser that does not keep up has eight utterances, and no more of them are kept', () => {
  const { recognitions, failures, say } = startEar();
  for (let n = 0; n < 10; n++) say();
  assert.deepEqual([recognitions.length, failures.length], [8, 2]);
});

test('nothing is heard after the end', async () => {
  const { ear, recognitions, heard, failures, say, settle } = startEar();
  say();
  ear.close();
  assert.equal(recognitions[0]?.how.signal.aborted, true);
  recognitions[0]?.how.onPartial?.('One');
  recognitions[0]?.done.reject(new Error('aborted'));
  await settle();
  assert.deepEqual([heard, failures], [[], []]);
});
