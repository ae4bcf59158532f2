import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { closeAfterTests } from '../../../test/support/close-after-tests.ts';
import { until } from '../../../test/support/jobs.ts';
import {
  cut,
  events,
  failure,
  hang,
  json,
  LEDGER,
  MODEL_KEY,
  raw,
  status,
  useModelServer,
} from '../../../test/support/model-server.ts';
import { silence } from '../../audio/pcm.ts';
import { sine } from '../../audio/tones.ts';
import { decodeWav, encodeWav } from '../../audio/wav.ts';
import { every } from '../../lib/time/time.ts';
import { createOpenAiSpeechToText, type SpeechLimits } from './speech-to-text.ts';

const WAV = encodeWav(sine({ frequencyHz: 440, samples: 8_000 }));
const QUICK = { retryMinMs: 20, attemptTimeoutMs: 2_000, totalTimeoutMs: 4_000 } as const;

const server = await useModelServer();

type Options = {
  limits?: Partial<SpeechLimits>;
  stream?: boolean;
  audio?: () => Promise<Uint8Array | undefined>;
  signal?: AbortSignal;
};

function adapter({ limits = {}, stream = false }: Options = {}) {
  const made = createOpenAiSpeechToText({ ...server.settings, stream }, { ...QUICK, ...limits });
  closeAfterTests(() => made.close());
  return made;
}

function hear(options: Options = {}, from = adapter(options), callRef = 'call_1'): Promise<string | null> {
  server.requests.length = 0;
  const { audio = async () => WAV, signal = new AbortController().signal } = options;
  return from.transcribe(LEDGER, { source: { kind: 'utterance', ref: 'utt_1', callRef }, audio, signal });
}

describe('speech', () => {
  test('is reported as the server streams it, all from the start', async () => {
    const delta = (text: string) => ({ type: 'transcript.text.delta', delta: text });
    const done = { type: 'transcript.text.done', text: 'Hej på dig.' };
    server.answer(events(delta('Hej'), delta(' på'), delta(' dig.'), done, '[DONE]'));
    for (const stream of [true, false]) {
      const reported: string[] = [];
      const source = { kind: 'utterance', ref: '', callRef: 'call_1' } as const;
      const { signal } = new AbortController();
      const onPartial = (words: string) => reported.push(words);
      const words = await adapter({ stream }).transcribe(LEDGER, { source, audio: async () => WAV, signal, onPartial });
      assert.equal(words, 'Hej på dig.');
      assert.deepEqual(reported, stream ? ['Hej', 'Hej på', 'Hej på dig.'] : []);
    }
  });

  test('is sent with the language, if one is known', async () => {
    server.answer(json({ text: 'Hola.' }));
    const source = { kind: 'utterance', ref: '', callRef: 'call_1' } as const;
    const { signal } = new AbortController();
    const languages = [];
    for (const more of [{ language: 'es-MX' }, {}]) {
      server.requests.length = 0;
      await adapter().transcribe(LEDGER, { source, audio: async () => WAV, signal, ...more });
      languages.push(server.requests[0]?.form?.get('language'));
    }
    assert.deepEqual(languages, ['es', null]);
  });

  test('is sent as a file with the model and the key, and is returned as text', async () => {
    server.answer(json({ text: ' Hello there. ' }));
    assert.equal(await hear(), 'Hello there.');
    const [request] = server.requests;
    assert.equal(request?.path, '/v1/audio/transcriptions');
    assert.equal(request.authorization, `Bearer ${MODEL_KEY}`);
    assert.equal(request.form?.get('model'), 'a-model');
    assert.equal(request.form.get('response_format'), 'json');
    assert.equal(request.form.get('stream'), null);
    const file = request.form.get('file') as File;
    assert.deepEqual([file.name, file.type], ['audio.wav', 'audio/wav']);
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), WAV);
  });

  test('is sent without a key if there is none', async () => {
    server.answer(json({ text: 'Hi' }));
    const open = createOpenAiSpeechToText({ ...server.settings, key: null });
    closeAfterTests(() => open.close());
    await hear({}, open);
    assert.equal(server.requests[0]?.authorization, undefined);
  });

  test('is read completely from a streamed reply', async () => {
    const pieces = ['Good ', 'mörning'].map((text) => ({ type: 'transcript.text.delta', delta: text }));
    server.answer(events(...pieces, { type: 'transcript.text.done', text: 'Good mörning' }, '[DONE]'));
    assert.equal(await hear({ stream: true }), 'Good mörning');
    assert.equal(server.requests[0]?.form?.get('stream'), 'true');
  });

  test('is read from servers that always send plain text', async () => {
    server.answer(raw('text/plain', 'Hello\n'));
    assert.equal(await hear(), 'Hello');
  });

  test('without words has no text', async () => {
    server.answer(json({ text: ' ' }));
    assert.equal(await hear(), null);
  });

  test('without audio is not sent', async () => {
    assert.equal(await hear({ audio: async () => undefined }), null);
    assert.equal(server.requests.length, 0);
  });
});

describe('a server that fails', () => {
  test('with 429 is retried after its requested delay, and not before', async () => {
    server.answer(status(429, { 'retry-after': '1' }), json({ text: 'Hello' }));
    assert.equal(await hear(), 'Hello');
    const [first, second] = server.requests;
    assert.ok((second?.atMs ?? 0) - (first?.atMs ?? 0) >= 990);
  });

  test('with 429 and a delay beyond the total time is not retried, and the error has the delay', async () => {
    server.answer(status(429, { 'retry-after': '120' }));
    const error = await failure(hear());
    assert.deepEqual([error.kind, error.retryAfterMs], ['unavailable', 120_000]);
    assert.equal(server.requests.length, 1);
  });

  test('with 500 is called three times in total, with growing delays', async () => {
    server.answer(status(500));
    assert.equal((await failure(hear({ limits: { retryMinMs: 100 } }))).kind, 'unavailable');
    const [a, b, c] = server.requests.map(({ atMs }) => atMs) as [number, number, number];
    assert.equal(server.requests.length, 3);
    assert.ok(b - a >= 70 && c - b >= 140, `${b - a} and ${c - b} ms`);
  });

  test('and recovers returns its text', async () => {
    server.answer(status(503), cut, json({ text: 'Hello' }));
    assert.equal(await hear(), 'Hello');
  });

  for (const code of [400, 401, 403, 404, 413, 302]) {
    test(`with ${code} is not retried`, async () => {
      server.answer(status(code, { location: 'http://127.0.0.1/' }));
      assert.equal((await failure(hear())).kind, 'refused');
      assert.equal(server.requests.length, 1);
    });
  }

  test('by silence ends the attempt at its time-out', async () => {
    server.answer(hang);
    const limits = { attemptTimeoutMs: 1_000, totalTimeoutMs: 60_000, attemptsMax: 2 };
    const error = await failure(hear({ limits }));
    assert.equal(error.kind, 'unavailable');
    assert.equal(server.requests.length, 2);
  });

  test('by silence ends the request at the total time-out', async () => {
    server.answer(hang);
    await failure(hear({ limits: { attemptTimeoutMs: 60_000, totalTimeoutMs: 500 } }));
    assert.equal(server.requests.length, 1, 'the attempt did not last until its own time-out');
  });

  test('is not called again after the request is aborted', async () => {
    server.answer(hang);
    const gone = new AbortController();
    const heard = failure(hear({ signal: gone.signal }));
    await until('the request has arrived', () => server.requests.length === 1);
    gone.abort();
    assert.equal((await heard).kind, 'unavailable');
    assert.equal(server.requests.length, 1);
  });

  test('by a broken connection is retried', async () => {
    server.answer(cut);
    assert.equal((await failure(hear())).kind, 'unavailable');
    assert.equal(server.requests.length, 3);
  });

  test('by refusing the connection is unavailable', async () => {
    const gone = createOpenAiSpeechToText({ ...server.settings, url: 'http://127.0.0.1:1/v1' }, QUICK);
    closeAfterTests(() => gone.close());
    assert.equal((await failure(hear({}, gone))).kind, 'unavailable');
  });

  test('by a reply that is not JSON is retried, and the reply is not logged', async () => {
    server.answer(raw('application/json', 'a secret that was said'));
    const error = await failure(hear());
    assert.deepEqual([error.kind, server.requests.length], ['unavailable', 3]);
    assert.ok(!inspect(error, { depth: 10 }).includes('secret'));
  });

  test('by a reply without text is not retried', async () => {
    server.answer(json({ words: [] }));
    assert.equal((await failure(hear())).kind, 'refused');
    assert.equal(server.requests.length, 1);
  });

  test('by a stream that ends before the complete text is retried', async () => {
    server.answer(events({ type: 'transcript.text.delta', delta: 'Good' }));
    assert.equal((await failure(hear())).kind, 'unavailable');
    assert.equal(server.requests.length, 3);
  });

  for (const [how, body] of [
    ['with its length', JSON.stringify({ text: 'x'.repeat(3_000) })],
    ['without it', undefined],
  ] as const) {
    test(`by too long a reply, sent ${how}, is not read to its end`, async () => {
      const endless = (response: import('node:http').ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const more = every(5, () => response.write('x'.repeat(1_000)));
        response.once('close', () => more.cancel());
      };
      server.answer(body === undefined ? endless : raw('application/json', body));
      assert.equal((await failure(hear({ limits: { responseBytesMax: 2_000 } }))).kind, 'refused');
      assert.equal(server.requests.length, 1);
    });
  }
});

describe('the budget of a call', () => {
  test('limits its requests, retries included, and those of no other call', async () => {
    const bounded = adapter({ limits: { requestsMax: 4 } });
    server.answer(status(500));
    await failure(hear({}, bounded));
    assert.equal((await failure(hear({}, bounded))).kind, 'spent');
    assert.equal(server.requests.length, 1);
    server.answer(json({ text: 'Hello' }));
    assert.equal((await failure(hear({}, bounded))).kind, 'spent');
    assert.equal(server.requests.length, 0);
    assert.equal(await hear({}, bounded, 'call_2'), 'Hello');
  });

  test('limits its audio: audio beyond it is not sent', async () => {
    const bounded = adapter({ limits: { audioSecondsMax: 3 } });
    const audio = async () => encodeWav(silence(2_000));
    server.answer(json({ text: 'Hello' }));
    await hear({ audio }, bounded);
    assert.equal(await hear({ audio }, bounded), 'Hello');
    const file = server.requests[0]?.form?.get('file') as File;
    assert.equal(decodeWav(Buffer.from(await file.arrayBuffer())).pcm.length, 8_000);
    assert.equal((await failure(hear({ audio }, bounded))).kind, 'spent');
    assert.equal(server.requests.length, 0);
  });

  test('is not used by unreadable audio', async () => {
    assert.equal((await failure(hear({ audio: async () => Buffer.from('no audio') }))).kind, 'refused');
    assert.equal(server.requests.length, 0);
  });
});
