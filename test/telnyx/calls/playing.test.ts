import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { encodeWav } from '../../../src/audio/wav.ts';
import { closeAfterTests } from '../../support/close-after-tests.ts';
import { time } from '../../support/emulator-time.ts';
import { OTHER, PERSON, useCallLine } from './call-line.ts';
import { fileMs } from './lengths.ts';

const { control, receiver, dialUp, act, done, events, typesOf, payloadOf, legOf } = await useCallLine();

/** A quarter of a second at 8 kHz. */
const WAV = encodeWav(new Int16Array(2_000));
const files = createServer((request, response) => {
  response.writeHead(request.url === '/none.wav' ? 404 : 200);
  response.end(request.url === '/text.wav' ? 'text' : WAV);
});
files.listen(0, '127.0.0.1');
await once(files, 'listening');
closeAfterTests(() => files.close());
const FILES = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;

function speech(payload: string, more: object = {}): object {
  return { payload, voice: 'AWS.Polly.Joanna', ...more };
}

/** Returns the audio that the person of a leg has heard. */
async function heardBy(id: string) {
  return (await legOf(id)).heard.map(({ text, bytes, status }) => [text ?? bytes, status]);
}

test('a speech takes as long as its text, and its person has heard it', async () => {
  const id = await dialUp();
  const startedMs = time.monotonicMs();
  await done(id, 'speak', speech('Thank you for calling us today'));
  assert.deepEqual(await typesOf(id), ['initiated', 'answered', 'speak.started', 'speak.ended']);
  assert.ok(time.monotonicMs() - startedMs >= 290);
  assert.equal((await payloadOf(id, 'call.speak.ended'))['status'], 'completed');
  assert.deepEqual(await heardBy(id), [['Thank you for calling us today', 'completed']]);
});

test('speeches wait for each other, and a stop lets the next one start', async () => {
  const id = await dialUp();
  await control.set({ characterMs: 1_000 });
  for (const text of ['First', 'Second', 'Third']) await done(id, 'speak', speech(text));
  await done(id, 'playback_stop', { stop: 'current' });
  assert.deepEqual(await heardBy(id), [
    ['First', 'stopped'],
    ['Second', 'playing'],
  ]);
  await done(id, 'playback_stop', { stop: 'all' });
  assert.deepEqual((await typesOf(id)).slice(2), ['speak.started', 'speak.ended', 'speak.started', 'speak.ended']);
  assert.equal((await payloadOf(id, 'call.speak.ended'))['status'], undefined);
  await done(id, 'speak', speech('Fourth'));
  await done(id, 'speak', speech('Fifth', { stop: 'all' }));
  assert.deepEqual((await heardBy(id)).slice(2), [
    ['Fourth', 'stopped'],
    ['Fifth', 'playing'],
  ]);
});

test('a speech ends with its call', async () => {
  const id = await dialUp();
  await control.set({ characterMs: 1_000 });
  await done(id, 'speak', speech('A long speech'));
  await done(id, 'hangup');
  assert.deepEqual((await typesOf(id)).slice(2), ['speak.started', 'speak.ended', 'hangup']);
  assert.equal((await payloadOf(id, 'call.speak.ended'))['status'], 'call_hangup');
});

test('a speech is heard by its own leg, the opposite one, or both', async () => {
  const [one, other] = [await dialUp(), await dialUp({ to: OTHER })];
  await done(one, 'bridge', { call_control_id: other });
  await done(one, 'speak', speech('Self'));
  await done(one, 'speak', speech('Opposite', { target_legs: 'opposite' }));
  await done(one, 'speak', speech('Both', { target_legs: 'both' }));
  await events();
  assert.deepEqual(await heardBy(one), [
    ['Self', 'completed'],
    ['Both', 'completed'],
  ]);
  assert.deepEqual(await heardBy(other), [
    ['Opposite', 'completed'],
    ['Both', 'completed'],
  ]);
  assert.equal((await act(one, 'speak', speech('None', { target_legs: 'all' }))).status, 422);
});

test('a file is played from its address or from the request, as often as asked', async () => {
  await control.person({ phoneNumber: PERSON, presses: '' });
  const id = await dialUp();
  const startedMs = time.monotonicMs();
  await done(id, 'playback_start', { audio_url: `${FILES}/hello.wav` });
  await done(id, 'playback_start', { playback_content: WAV.toString('base64'), loop: 2 });
  assert.deepEqual((await typesOf(id)).slice(2), [
    'playback.started',
    'playback.ended',
    'playback.started',
    'playback.ended',
  ]);
  assert.ok(time.monotonicMs() - startedMs >= 740);
  const urls = (await events()).slice(2).map(({ payload }) => payload['media_url']);
  assert.deepEqual(urls, [`${FILES}/hello.wav`, `${FILES}/hello.wav`, undefined, undefined]);
  assert.deepEqual(await heardBy(id), [
    [WAV.length, 'completed'],
    [WAV.length, 'completed'],
  ]);
});

test('an MP3 file has the length that its frames say', () => {
  const file = readFileSync(new URL('../../support/tone.mp3', import.meta.url));
  const ms = fileMs(file) ?? assert.fail('no length');
  assert.ok(ms > 100 && ms < 60_000, `${ms}`);
  assert.equal(fileMs(Buffer.from('text')), undefined);
});

test('a file that is missing, or none, ends at once', async () => {
  const id = await dialUp();
  await done(id, 'playback_start', { audio_url: `${FILES}/none.wav` });
  assert.equal((await payloadOf(id, 'call.playback.ended'))['status'], 'file_not_found');
  await done(id, 'playback_start', { audio_url: `${FILES}/text.wav` });
  assert.equal((await payloadOf(id, 'call.playback.ended'))['status'], 'failed');
  assert.deepEqual((await typesOf(id)).slice(2), ['playback.ended', 'playback.ended']);
});

test('an endless loop goes on until it is stopped', async () => {
  const id = await dialUp();
  await done(id, 'playback_start', { playback_content: WAV.toString('base64'), loop: 'infinity' });
  assert.deepEqual((await typesOf(id)).slice(2), ['playback.started']);
  assert.deepEqual(await heardBy(id), [[WAV.length, 'playing']]);
  await done(id, 'playback_stop');
  assert.equal((await payloadOf(id, 'call.playback.ended'))['status'], 'cancelled');
});

test('commands of audio with a mistake are refused', async () => {
  const id = await dialUp();
  const refusals: [string, object][] = [
    ['speak', speech('')],
    ['speak', speech('a'.repeat(3_001))],
    ['speak', speech('Hello', { loop: 0 })],
    ['playback_start', {}],
    ['playback_start', { media_name: 'hello' }],
    ['playback_start', { audio_url: FILES, playback_content: 'e30=' }],
    ['send_dtmf', { digits: '12E' }],
  ];
  for (const [action, body] of refusals) assert.equal((await act(id, action, body)).code, '10015', action);
  assert.deepEqual(await typesOf(id), ['initiated', 'answered']);
});

test('a person presses 1 once, a moment after the end of a speech that asks for a key', async () => {
  const id = await dialUp();
  await done(id, 'speak', speech('You are called by Acme'));
  await done(id, 'speak', speech('Press any key to take the call'));
  const arrived = (await events()).slice(-2);
  assert.deepEqual(
    arrived.map(({ event_type, payload }) => [event_type, payload['digit']]),
    [
      ['call.speak.ended', undefined],
      ['call.dtmf.received', '1'],
    ],
  );
  const [ended = 0, pressed = 0] = arrived.map(({ occurred_at }) => Date.parse(occurred_at));
  assert.ok(pressed > ended, `${pressed - ended}`);
  assert.equal((await legOf(id)).pressed, '1');
});

test('a called person presses a digit after a file, which has no words, unless it is repeated', async () => {
  const id = await dialUp();
  const playback_content = WAV.toString('base64');
  await done(id, 'playback_start', { playback_content, loop: 2 });
  await events();
  assert.equal((await legOf(id)).pressed, '');
  await done(id, 'playback_start', { playback_content });
  await events();
  assert.equal((await legOf(id)).pressed, '1');
});

test('a file over another one plays at the same time, and is stopped by itself', async () => {
  const id = await dialUp();
  const playback_content = WAV.toString('base64');
  await done(id, 'playback_start', { playback_content, loop: 'infinity' });
  await done(id, 'playback_start', { audio_url: `${FILES}/over.wav`, loop: 'infinity', overlay: true });
  await events();
  assert.deepEqual(await heardBy(id), [
    [WAV.length, 'playing'],
    [WAV.length, 'playing'],
  ]);
  await done(id, 'playback_stop', { overlay: true });
  const { overlay, status, media_url } = await payloadOf(id, 'call.playback.ended');
  assert.deepEqual([overlay, status, media_url], [true, 'cancelled', `${FILES}/over.wav`]);
  assert.deepEqual(
    (await heardBy(id)).map(([, each]) => each),
    ['playing', 'stopped'],
  );
  await done(id, 'hangup');
  assert.deepEqual((await typesOf(id)).slice(-2), ['playback.ended', 'hangup']);
});

test('a person presses nothing if the speech is stopped, and what a control says otherwise', async () => {
  const id = await dialUp();
  await control.set({ characterMs: 100 });
  await done(id, 'speak', speech('Press a key'));
  await done(id, 'playback_stop');
  await events();
  assert.equal((await legOf(id)).pressed, '');
  await control.set({ characterMs: 10 });
  await control.person({ phoneNumber: PERSON, presses: '2#' });
  await done(id, 'speak', speech('Press a key'));
  await events();
  await control.person({ phoneNumber: PERSON, presses: '' });
  await done(id, 'speak', speech('Press a key'));
  await events();
  await control.press({ phoneNumber: PERSON, digits: '9' });
  await events();
  assert.equal((await legOf(id)).pressed, '2#9');
});

test('digits of the account reach the person, and nothing is reported', async () => {
  const id = await dialUp();
  const before = receiver.received.length;
  await done(id, 'send_dtmf', { digits: '1w2#', duration_millis: 100 });
  assert.equal((await events()).length, before);
  assert.equal((await legOf(id)).digitsSent, '1w2#');
});
