import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { closeAfterTests } from '../../../test/support/close-after-tests.ts';
import { cut, failure, hang, MODEL_KEY, raw, status, useModelServer } from '../../../test/support/model-server.ts';
import { powerAt, powerOf } from '../../../test/support/tone-power.ts';
import { durationMsOf } from '../../audio/pcm.ts';
import { encodeWav } from '../../audio/wav.ts';
import type { ClientLimits } from './model-client.ts';
import { createOpenAiTextToSpeech } from './text-to-speech.ts';

const server = await useModelServer();
const QUICK = { retryMinMs: 20, attemptTimeoutMs: 2_000, totalTimeoutMs: 4_000 } as const;
const VOICE = 'a-voice';

function adapter(limits: Partial<ClientLimits> = {}) {
  const { stream: _, ...settings } = server.settings;
  const made = createOpenAiTextToSpeech({ ...settings, voice: VOICE }, { ...QUICK, ...limits });
  closeAfterTests(() => made.close());
  return made;
}

/** A second of 440 Hz. */
const toneAt = (rateHz: number) =>
  Int16Array.from({ length: rateHz }, (_, i) => 8_000 * Math.sin((2 * Math.PI * 440 * i) / rateHz));
const bytesOf = (pcm: Int16Array) => encodeWav(pcm).subarray(44);

/** A WAV file of any rate and shape. A streaming server does not know the length when it writes the header. */
function wav(rateHz: number, { channels = 1, dataBytes = 0xffff_ffff } = {}): Buffer {
  const file = encodeWav(toneAt(rateHz));
  file.writeUInt32LE(0xffff_ffff, 4);
  file.writeUInt16LE(channels, 22);
  file.writeUInt32LE(rateHz, 24);
  file.writeUInt32LE(dataBytes, 40);
  return file;
}

describe('a text', () => {
  test('is sent with model, voice, key and the wanted format', async () => {
    server.requests.length = 0;
    server.answer(raw('audio/wav', wav(24_000)));
    await adapter().speak('Press one.', VOICE);
    const [request] = server.requests;
    assert.equal(request?.path, '/v1/audio/speech');
    assert.equal(request.authorization, `Bearer ${MODEL_KEY}`);
    const expected = { model: 'a-model', voice: 'a-voice', input: 'Press one.', response_format: 'wav' };
    assert.deepEqual(request.json, expected);
  });

  for (const [name, contentType, body] of [
    ['WAV of 24 kHz whose length is unknown', 'audio/wav', wav(24_000)],
    ['WAV of 44.1 kHz', 'audio/x-wav', wav(44_100, { dataBytes: 88_200 })],
    ['WAV of 8 kHz under a wrong media type', 'application/octet-stream', wav(8_000)],
    ['raw samples of 24 kHz', 'audio/pcm', bytesOf(toneAt(24_000))],
    ['raw samples of a named rate', 'audio/pcm; rate=16000', bytesOf(toneAt(16_000))],
  ] as const) {
    test(`becomes audio of 8 kHz from ${name}`, async () => {
      server.answer(raw(contentType, body));
      const pcm = await adapter().speak('Hello', VOICE);
      assert.ok(Math.abs(durationMsOf(pcm) - 1_000) < 1, `${durationMsOf(pcm)} ms`);
      assert.ok(powerAt(pcm, 440) > powerOf(pcm) * 0.9);
    });
  }
});

describe('the voice server', () => {
  test('is asked again if it was overloaded or closed the connection', async () => {
    server.requests.length = 0;
    server.answer(cut, raw('audio/wav', wav(16_000)));
    assert.equal(durationMsOf(await adapter().speak('Hello', VOICE)), 1_000);
    server.answer(status(429), raw('audio/wav', wav(16_000)));
    await adapter().speak('Hello', VOICE);
    assert.equal(server.requests.length, 4);
  });

  test('is asked once if it refuses the request', async () => {
    server.requests.length = 0;
    server.answer(status(401));
    assert.equal((await failure(adapter().speak('Hello', VOICE))).kind, 'refused');
    assert.equal(server.requests.length, 1);
  });

  test('is not waited for beyond the time of the attempts', async () => {
    server.answer(hang);
    const limits = { attemptTimeoutMs: 100, totalTimeoutMs: 300 };
    assert.equal((await failure(adapter(limits).speak('Hello', VOICE))).kind, 'unavailable');
  });

  for (const [name, contentType, body] of [
    ['a format without samples', 'audio/mpeg', Buffer.from('ID3 not really')],
    ['two channels', 'audio/wav', wav(24_000, { channels: 2 })],
    ['no audio at all', 'audio/pcm', Buffer.alloc(0)],
    ['an impossible rate', 'audio/pcm; rate=1', bytesOf(toneAt(200))],
    ['more than five minutes', 'audio/pcm; rate=8000', Buffer.alloc(16_000 * 301)],
  ] as const) {
    test(`is refused if it replies with ${name}`, async () => {
      server.answer(raw(contentType, body));
      assert.equal((await failure(adapter().speak('Hello', VOICE))).kind, 'refused');
    });
  }

  test('cannot fill the memory', async () => {
    server.answer(raw('audio/wav', wav(48_000)));
    const error = await failure(adapter({ responseBytesMax: 50_000 }).speak('Hello', VOICE));
    assert.match(error.message, /more than 50000 bytes/);
  });
});
