import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/jobs.ts';
import { freePort } from '../../../test/support/ports.ts';
import { useVoskServer } from '../../../test/support/vosk-server.ts';
import { encodeMulaw } from '../../audio/mulaw.ts';
import { SILENT_FRAME } from '../../audio/mulaw-frames.ts';
import { samplesOf } from '../../audio/pcm.ts';
import { sine } from '../../audio/tones.ts';
import { createVoskLiveSpeech } from './live-words.ts';

const WORDS = ['I', 'would', 'like', 'to', 'move', 'my', 'appointment'];
const TONE = encodeMulaw(sine({ frequencyHz: 500, samples: samplesOf(20), amplitude: 12_000 }));
const vosk = await useVoskServer(WORDS);

function listen(url = vosk.url) {
  const partials: string[] = [];
  const before = vosk.utterances.length;
  const abort = new AbortController();
  const how = { callRef: 'call_1', onPartial: (words: string) => partials.push(words), signal: abort.signal };
  const live = createVoskLiveSpeech({ url, language: 'en' }).listen({ ledgerId: 1 }, how);
  assert.ok(live !== undefined);
  const say = (ms: number, frame = TONE) => {
    for (let at = 0; at < ms; at += 20) live.write(frame);
  };
  const open = () => until('the server has the utterance', () => vosk.utterances[before]?.rate !== undefined);
  return { live, say, partials, abort, open };
}

test('words come while they are said, and all of them at the end', async () => {
  const { live, say, partials, open } = listen();
  say(600);
  await open();
  await until('the first words are there', () => partials.at(-1) === 'I would');
  say(1_200);
  await until('later words are there', () => partials.at(-1)?.startsWith('I would like to') === true);
  say(300, SILENT_FRAME);
  assert.equal(await live.finish(), WORDS.join(' '));
  assert.ok(
    partials.every((words) => WORDS.join(' ').startsWith(words)),
    'each has all words so far',
  );
  assert.equal(vosk.utterances.at(-1)?.rate, 8_000);
  assert.equal(vosk.utterances.at(-1)?.bytes, 2_100 * 16);
  const heard = partials.length;
  say(500);
  assert.equal(partials.length, heard, 'audio after the end is not sent');
});

test('sounds without words have none', async () => {
  const { live, say, open } = listen();
  say(100);
  await open();
  assert.equal(await live.finish(), null);
});

test('a server that is not there, goes away or sends no words fails, and the next utterance is heard', async () => {
  const absent = listen(`ws://127.0.0.1:${await freePort()}`);
  absent.say(200);
  await assert.rejects(absent.live.finish(), { name: 'ModelError', kind: 'unavailable' });

  vosk.fault = 'dies';
  const dying = listen();
  dying.say(1_000);
  await dying.open();
  await until('the server is gone', async () => {
    dying.say(100);
    return vosk.utterances.at(-1)?.bytes !== 0;
  });
  await assert.rejects(dying.live.finish(), { kind: 'unavailable' });

  vosk.fault = undefined;
  const { live, say, open } = listen();
  say(500);
  await open();
  assert.equal(await live.finish(), 'I would');
});

test('an utterance that is dropped, or whose relay ends, closes its connection', async () => {
  for (const end of ['cancel', 'abort'] as const) {
    const { live, say, abort, partials, open } = listen();
    say(500);
    await open();
    await until('words are there', () => partials.length > 0);
    if (end === 'cancel') live.cancel();
    else abort.abort();
    await assert.rejects(live.finish(), { kind: 'unavailable' });
  }
});

test('a server hears its own language', () => {
  const german = createVoskLiveSpeech({ url: vosk.url, language: 'de-AT' });
  assert.deepEqual(['de', 'de-DE', 'DE-at', 'en-US'].map(german.hears), [true, true, true, false]);
});

test('a call has a budget of audio and of utterances', async () => {
  const limits = { requestsMax: 2, audioMsMax: 100 };
  const live = createVoskLiveSpeech({ url: vosk.url, language: 'en' }, limits);
  const how = { callRef: 'call_2', onPartial: () => undefined, signal: new AbortController().signal };
  const [first, second] = [live.listen({ ledgerId: 1 }, how), live.listen({ ledgerId: 1 }, how)];
  assert.equal(live.listen({ ledgerId: 1 }, how), undefined);
  for (let frames = 0; frames < 5; frames++) first?.write(SILENT_FRAME);
  second?.write(SILENT_FRAME);
  await assert.rejects(async () => second?.finish(), { kind: 'spent' });
  first?.cancel();
  live.listen({ ledgerId: 2 }, how)?.cancel();
});
