import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import { closeAfterTests } from '../../test/support/close-after-tests.ts';
import { gate } from '../../test/support/jobs.ts';
import { raw, status, useModelServer } from '../../test/support/model-server.ts';
import { durationMsOf } from '../audio/pcm.ts';
import { sine } from '../audio/tones.ts';
import { encodeWav } from '../audio/wav.ts';
import { createLiveVoice, type LiveVoiceOptions, type SpokenTextStore } from './live-voice.ts';
import { createLocalVoice } from './local-voice.ts';
import { ModelError } from './port.ts';
import { createShippedVoice } from './shipped/shipped-voice.ts';
import { tonesFor } from './speech-tones.ts';

const log = pino({ level: 'silent' });
/** The voices of a machine without espeak-ng: a voice that works, and the voice of an install without its files. */
const program = { command: '/nonexistent/espeak-ng' };
const SPEAKING = createLocalVoice({ log, program });
const MUTE = createLocalVoice({ log, program, shipped: createShippedVoice({ program: '/nonexistent/flite.wasm' }) });
const server = await useModelServer();
const { stream: _, ...settings } = server.settings;
const REMOTE = { ...settings, voice: 'a-voice' };
const QUICK = { attemptsMax: 1, attemptTimeoutMs: 2_000, totalTimeoutMs: 4_000 } as const;
const speech = (samples = 8_000) => raw('audio/wav', encodeWav(sine({ frequencyHz: 300, samples })));

/** A store in memory, as another process would see it. */
function store(): SpokenTextStore & { readonly kept: Map<string, Uint8Array> } {
  const kept = new Map<string, Uint8Array>();
  return {
    kept,
    find: async (key) => kept.get(key.toString('hex')),
    keep: async (key, audio) => {
      kept.set(key.toString('hex'), audio);
    },
  };
}

function voice(options: Partial<LiveVoiceOptions> = {}) {
  server.requests.length = 0;
  const made = createLiveVoice({ log, server: REMOTE, store: store(), local: MUTE, limits: QUICK, ...options });
  closeAfterTests(() => made.close());
  return made;
}

const isUnavailable = (error: unknown) => error instanceof ModelError && error.kind === 'unavailable';

describe('with a voice server', () => {
  test('a text is spoken once, however often it is asked for', async () => {
    server.answer(speech());
    const speaker = voice();
    const both = await Promise.all([speaker.synthesize('Press one.'), speaker.synthesize(' Press one. ')]);
    both.push(await speaker.synthesize('Press one.'));
    assert.deepEqual(both.map(durationMsOf), [1_000, 1_000, 1_000]);
    assert.equal(server.requests.length, 1);
  });

  test('a text that another process has had spoken is not spoken again; one of another voice is', async () => {
    server.answer(speech());
    const shared = store();
    await voice({ store: shared }).synthesize('Press one.');
    const other = voice({ store: shared });
    assert.equal(durationMsOf(await other.synthesize('Press one.')), 1_000);
    assert.equal(server.requests.length, 0);
    await voice({ store: shared, server: { ...REMOTE, voice: 'another' } }).synthesize('Press one.');
    assert.equal(shared.kept.size, 2);
  });

  test('a text has the voice that is chosen, that of its language, or the usual one', async () => {
    server.answer(speech());
    const speaker = voice({ server: { ...REMOTE, voices: { es: 'maria', 'de-at': 'anna' } } });
    const named = { voice: 'nova', voiceLanguage: 'en-US' };
    for (const choice of [
      { ...named, language: 'en-US' },
      { ...named, language: 'es-MX' },
      { ...named, language: 'fr' },
      { ...named, voice: null, language: 'de-AT' },
      { ...named, voice: null, language: 'fr' },
    ]) {
      await speaker.synthesize(`Press one, ${choice.language}.`, choice);
    }
    const voices = server.requests.map(({ json }) => json.voice);
    assert.deepEqual(voices, ['nova', 'maria', 'nova', 'anna', 'a-voice']);
  });

  test('a voice that the server does not have is replaced by the usual one', async () => {
    server.answer(status(400), speech());
    const choice = { voice: 'nobody', voiceLanguage: 'en-US', language: 'en-US' };
    assert.equal(durationMsOf(await voice().synthesize('Press one.', choice)), 1_000);
    assert.deepEqual(
      server.requests.map(({ json }) => json.voice),
      ['nobody', 'a-voice'],
    );
  });

  test('a text is spoken although the cache cannot be used', async () => {
    server.answer(speech());
    const broken = async () => Promise.reject(new Error('no database'));
    const speaker = voice({ store: { find: broken, keep: broken } });
    assert.equal(durationMsOf(await speaker.synthesize('Press one.')), 1_000);
  });

  test('a text fails if the server and the voice of this machine do; the server is then left alone for a while', async () => {
    server.answer(status(500));
    const speaker = voice();
    await assert.rejects(speaker.synthesize('Press one.'), isUnavailable);
    await assert.rejects(speaker.synthesize('Press two.'), isUnavailable);
    assert.equal(server.requests.length, 1);
    server.answer(speech());
    const patient = voice({ pauseMs: 0 });
    assert.equal(durationMsOf(await patient.synthesize('Press one.')), 1_000);
  });

  test('one text that the server refuses does not keep it from the others', async () => {
    server.answer(status(400), speech());
    const speaker = voice();
    await assert.rejects(speaker.synthesize('Press one.'), isUnavailable);
    assert.equal(durationMsOf(await speaker.synthesize('Press two.')), 1_000);
  });

  test('more texts at a time than the bound are refused at once', async () => {
    const answer = gate();
    server.answer((response, request) => void answer.opened.then(() => speech(800)(response, request)));
    const speaker = voice();
    const spoken = Array.from({ length: 64 }, (_, i) => speaker.synthesize(`Press ${i}.`));
    await assert.rejects(speaker.synthesize('One too many.'), isUnavailable);
    answer.open();
    await Promise.all(spoken);
    await speaker.synthesize('One too many.');
  });

  test('the voice of this machine speaks while the server fails, and not longer', async () => {
    server.answer(status(500), speech());
    const speaker = voice({ local: SPEAKING, pauseMs: 0 });
    const spokenHere = await speaker.synthesize('Press one, please.');
    assert.notDeepEqual(spokenHere, tonesFor('Press one, please.'));
    assert.notEqual(durationMsOf(spokenHere), 1_000);
    assert.equal(durationMsOf(await speaker.synthesize('Press one, please.')), 1_000);
  });
});

describe('without a voice server', () => {
  test('the voice of this machine speaks', async () => {
    const pcm = await voice({ server: null, local: SPEAKING }).synthesize('You have reached Acme Dental.');
    assert.ok(durationMsOf(pcm) > 1_000);
    assert.notDeepEqual(pcm, tonesFor('You have reached Acme Dental.'));
  });

  test('a text fails if that voice does: no tones take its place', async () => {
    const speaker = voice({ server: null });
    await assert.rejects(speaker.synthesize('Press one.'), isUnavailable);
    await assert.rejects(speaker.synthesize('Press one.'), /no voice server is configured, and .*flite/);
  });

  test('a text that the voice cannot read fails, and the error says why without the text', async () => {
    const speaker = voice({ server: null, local: SPEAKING });
    await assert.rejects(speaker.synthesize('Нажмите один.'), (error) => {
      return isUnavailable(error) && /Latin/.test(`${error}`) && !/Нажмите/.test(`${error}`);
    });
  });
});
