import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FRAME_MS } from '../../../audio/frames.ts';
import { encodeMulaw } from '../../../audio/mulaw.ts';
import { SILENT_FRAME } from '../../../audio/mulaw-frames.ts';
import { samplesOf } from '../../../audio/pcm.ts';
import { sine } from '../../../audio/tones.ts';
import { Ear } from './ear.ts';
import type { Listening, Recognizing } from './types.ts';

/** A tone whose level changes like the level of speech, with gaps. */
function speechOf(ms: number): Uint8Array {
  const pcm = sine({ frequencyHz: 700, samples: samplesOf(ms), amplitude: 12_000 });
  return encodeMulaw(pcm.map((sample, n) => sample * Math.max(0, Math.sin((n * Math.PI) / samplesOf(250)))));
}

type LiveUtterance = {
  readonly how: Listening;
  /** Milliseconds of the audio that it received. */
  ms: number;
  readonly done: PromiseWithResolvers<string | null>;
  isCancelled: boolean;
};
type Recognition = { readonly how: Recognizing; readonly done: PromiseWithResolvers<string | null> };

function startEar({ partials = true, isLive = false } = {}) {
  const recognitions: Recognition[] = [];
  const live: LiveUtterance[] = [];
  const heard: [string, boolean][] = [];
  const failures: unknown[] = [];
  const ear = new Ear({
    ...{ language: 'en-US', partials, silenceMs: 700 },
    listen: (how) => {
      if (!isLive) return undefined;
      const utterance = { how, ms: 0, done: Promise.withResolvers<string | null>(), isCancelled: false };
      utterance.done.promise.catch(() => undefined);
      live.push(utterance);
      return {
        write: () => {
          utterance.ms += FRAME_MS;
        },
        finish: () => utterance.done.promise,
        cancel: () => {
          utterance.isCancelled = true;
          utterance.done.reject(new Error('dropped'));
        },
      };
    },
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
  /** Speaks, without the pause after it. */
  const speak = (ms: number) => {
    const speech = speechOf(ms);
    for (let at = 0; at < speech.length; at += 160) ear.write(tick++, speech.subarray(at, at + 160));
  };
  /** Speaks, and pauses. */
  const say = (ms = 500) => {
    speak(ms);
    for (let ms = 0; ms < 1_000; ms += FRAME_MS) ear.write(tick++, SILENT_FRAME);
  };
  const settle = () => new Promise((resolve) => void setImmediate(resolve));
  return { ear, live, recognitions, heard, failures, speak, say, settle };
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

test('words are handed on while they are said, from the audio before the speech was noticed on', async () => {
  const { live, recognitions, heard, speak, say, settle } = startEar({ isLive: true });
  say(0);
  speak(600);
  const [utterance] = live as [LiveUtterance];
  assert.equal(utterance.how.language, 'en-US');
  // The utterance has the pre-roll of silence, and all of the speech.
  assert.ok(utterance.ms >= 600 + 300 && utterance.ms <= 600 + 400, `${utterance.ms} ms`);
  utterance.how.onPartial('I would');
  speak(600);
  utterance.how.onPartial('I would like to');
  assert.deepEqual(heard, [
    ['I would', false],
    ['I would like to', false],
  ]);
  say(0);
  utterance.done.resolve('I would like to move it.');
  await settle();
  assert.deepEqual(heard.at(-1), ['I would like to move it.', true]);
  assert.deepEqual([live.length, recognitions.length], [1, 0]);
});

test('words that are not handed on in part are recognised while they are said all the same', async () => {
  const { live, heard, say, settle } = startEar({ isLive: true, partials: false });
  say();
  live[0]?.how.onPartial('One');
  live[0]?.done.resolve('One two.');
  await settle();
  assert.deepEqual(heard, [['One two.', true]]);
});

test('an utterance whose live words fail is recognised all at once', async () => {
  const { live, recognitions, heard, failures, say, settle } = startEar({ isLive: true });
  say();
  live[0]?.how.onPartial('One');
  live[0]?.done.reject(new Error('the server is gone'));
  await settle();
  recognitions[0]?.done.resolve('One two.');
  await settle();
  assert.deepEqual(heard, [
    ['One', false],
    ['One two.', true],
  ]);
  assert.deepEqual(failures, []);
});

test('a speaker without a pause is heard in parts, each by its own, and no audio is left out', async () => {
  const { live, heard, say, settle } = startEar({ isLive: true });
  say(41_000);
  assert.equal(live.length, 3);
  const ms = live.reduce((sum, utterance) => sum + utterance.ms, 0);
  assert.ok(ms >= 41_000 && ms < 43_000, `${ms} ms`);
  for (const [n, words] of ['One two', 'three', null].entries()) live[n]?.done.resolve(words);
  await settle();
  assert.deepEqual(heard.at(-1), ['One two three', true]);
});

test('a cough is dropped, and the words that were heard in it have an end', async () => {
  const { live, recognitions, heard, say, settle, speak } = startEar({ isLive: true });
  speak(140);
  live[0]?.how.onPartial('Uh');
  say(0);
  await settle();
  assert.equal(live[0]?.isCancelled, true);
  assert.deepEqual(recognitions, []);
  assert.deepEqual(heard, [
    ['Uh', false],
    ['', true],
  ]);
});
