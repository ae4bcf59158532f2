import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeMulaw } from '../../../audio/mulaw.ts';
import { sine } from '../../../audio/tones.ts';
import { createPlaybackQueue } from '../playback-queue.ts';
import type { Playback } from '../types.ts';
import { type Sound, Speaker } from './speaker.ts';

const FRAME_MS = 20;
const MS_OF_A_CHARACTER = 50;
const FILE = 'https://agent.example/a.wav';

/** A voice that takes 50 ms for each character. */
const voiceOf = (text: string) =>
  encodeMulaw(sine({ frequencyHz: 300, samples: text.length * MS_OF_A_CHARACTER * 8, amplitude: 4_000 }));

/** Starts a speaker whose playback is read as in a call. */
function startSpeaker() {
  const queue = createPlaybackQueue();
  const failures: unknown[] = [];
  const playback: Playback = {
    enqueue: (audio) => queue.enqueue(audio),
    clear: () => queue.clear(),
    mark: (name) => queue.mark(name),
    get queuedMs() {
      return queue.queuedBytes / 8;
    },
    close: () => undefined,
  };
  const speaker = new Speaker({ playback, onFailure: (error) => failures.push(error) });
  const play = (ms: number) => {
    let heard = 0;
    for (let at = 0; at < ms; at += FRAME_MS) {
      speaker.tick();
      if (queue.read() !== undefined) heard += FRAME_MS;
    }
    return heard;
  };
  const say = (text: string, how: Partial<Sound> = {}) =>
    speaker.add({ text, isInterruptible: true, isPreemptible: false, make: async () => voiceOf(text), ...how });
  /** Plays a file of this length. */
  const playFile = (ms: number, how: Partial<Sound> = {}) =>
    say('', { source: FILE, make: async () => voiceOf('x'.repeat(ms / MS_OF_A_CHARACTER)), ...how });
  /** Waits until the audio in preparation is ready. */
  const made = () => new Promise((resolve) => void setImmediate(resolve));
  return { speaker, queue, failures, play, say, playFile, made };
}

test('sentences are heard one after the other without a gap', async () => {
  const { speaker, play, say, made } = startSpeaker();
  say('Hello there.');
  say('How are you?');
  await made();
  assert.equal(play(1_200), 1_200);
  assert.equal(speaker.isBusy, false);
});

test('an interruption tells what was heard to the word, and leaves nothing to be played', async () => {
  const { speaker, queue, play, say, made } = startSpeaker();
  say('One two three.');
  say('Four five six.');
  await made();
  play(700);
  // The second sentence has 15 characters in 750 ms. In 360 ms 7 of them were heard, which includes half of "five".
  play(360);
  const heard = speaker.interrupt();
  assert.deepEqual(heard, { text: 'One two three. Four five', durationMs: 1_060 });
  assert.deepEqual([queue.queuedBytes, speaker.isBusy, play(100)], [0, false, 0]);
});

test('what is said after an interruption has a position of its own', async () => {
  const { speaker, play, say, made } = startSpeaker();
  say('One two three.');
  await made();
  play(200);
  speaker.interrupt();
  say('Six seven.');
  await made();
  play(500);
  play(100);
  say('Eight nine ten.');
  await made();
  play(200);
  assert.deepEqual(speaker.interrupt(), { text: 'Eight', durationMs: 200 });
});

test('nothing is interrupted while nothing is heard, or while a sentence is heard that may not be', async () => {
  const { speaker, play, say, made } = startSpeaker();
  assert.equal(speaker.interrupt(), undefined);
  say('This has to be heard by everybody.', { isInterruptible: false });
  await made();
  play(200);
  assert.equal(speaker.interrupt(), undefined);
  assert.equal(speaker.isBusy, true);
});

test('a sentence that cannot be made is left out, and the next one is heard', async () => {
  const { failures, play, say, made } = startSpeaker();
  say('Lost.', { make: () => Promise.reject(new Error('no voice')) });
  say('Found.');
  await made();
  assert.equal(failures.length, 1);
  assert.equal(play(300), 300);
});

test('a file is heard as often as wanted, and an interruption tells the position in it', async () => {
  const { speaker, play, say, playFile, made } = startSpeaker();
  say('One two.');
  playFile(1_000, { times: 3 });
  await made();
  play(400 + 1_000 + 340);
  const file = { source: FILE, positionMs: 340 };
  assert.deepEqual(speaker.interrupt(), { text: 'One two.', durationMs: 1_740, file });
  playFile(1_000, { times: 3 });
  await made();
  assert.equal(play(4_000), 3_000);
});

test('an interruption after a file tells no position in it', async () => {
  const { speaker, play, say, playFile, made } = startSpeaker();
  playFile(200);
  say('One two three.');
  await made();
  play(200 + 400);
  assert.deepEqual(speaker.interrupt(), { text: 'One two', durationMs: 600 });
});

test('what gives way ends at once for what comes next, and the rest is heard', async () => {
  const { speaker, play, say, playFile, made } = startSpeaker();
  say('One two three four.', { isPreemptible: true });
  playFile(5_000, { isPreemptible: true });
  await made();
  play(500);
  speaker.preempt();
  say('Five six.');
  await made();
  assert.equal(play(450), 440 + 20, 'the last frame is filled up');
  assert.deepEqual(speaker.isBusy, false);
  say('Seven.', { isPreemptible: true });
  say('Eight nine.');
  speaker.preempt();
  await made();
  play(560);
  assert.equal(speaker.isBusy, false);
});

test('an interruption tells the heard part of what gave way', async () => {
  const { speaker, play, say, made } = startSpeaker();
  say('One two three four.', { isPreemptible: true });
  say('Five six seven.');
  await made();
  play(400);
  speaker.preempt();
  play(500);
  assert.deepEqual(speaker.interrupt(), { text: 'One two Five six', durationMs: 900 });
});

test('the end of a sentence before what gives way is heard', async () => {
  const { speaker, play, say, made } = startSpeaker();
  say('One two.');
  say('Three four five.', { isPreemptible: true });
  await made();
  play(300);
  speaker.preempt();
  assert.ok(play(1_000) >= 100);
});
