/** Speaks texts in the console, so that a person can listen to them before callers do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Browser, signIn } from '../../../test/support/console.ts';
import { type Harness, startHarness, useHarness } from '../../../test/support/harness.ts';
import { refusal } from '../../../test/support/messages.ts';
import { decodeWav } from '../../audio/wav.ts';
import type { LocalVoice } from '../../speech/local-voice.ts';
import { SpeechError } from '../../speech/speech-error.ts';

/** A voice with 100 samples for each character. It cannot say "broken". */
const localVoice: LocalVoice = {
  speak: async (text) => {
    if (text === 'broken') throw new SpeechError('the voice is broken');
    return { pcm: new Int16Array(100 * text.length), isFinal: true };
  },
};
const harness = await useHarness({ startWorkers: false, localVoice });
const browser = await signIn(harness, harness.account.id);

const ask = (of: Browser, body: object) => of.call('POST', '/speech', { body });

/** Returns the number of characters that were spoken, from the length of the audio. */
async function spoken({ url }: Harness, body: object): Promise<number> {
  const headers = { cookie: browser.cookie, 'dialplane-console': '1', 'content-type': 'application/json' };
  const reply = await fetch(`${url}/console/api/speech`, { method: 'POST', headers, body: JSON.stringify(body) });
  assert.deepEqual([reply.status, reply.headers.get('content-type')], [200, 'audio/wav']);
  return decodeWav(new Uint8Array(await reply.arrayBuffer())).pcm.length / 100;
}

test('a text is heard as callers hear it, and the announcement of a recording before it', async () => {
  const text = 'An assistant answers this call.';
  const announcement = 'This call is being recorded.';
  assert.equal(await spoken(harness, { text }), text.length);
  assert.equal(await spoken(harness, { text: null, announces_recording: true }), announcement.length);
  assert.equal(await spoken(harness, { text, announces_recording: true }), `${announcement} ${text}`.length);
});

test('nothing, too much, or what cannot be spoken is refused with its field', async () => {
  for (const text of [null, 'x'.repeat(1_001)]) {
    assert.deepEqual(refusal(await ask(browser, { text })), [400, 'invalid_body', 'text'], JSON.stringify(text));
  }
  assert.deepEqual(refusal(await ask(browser, { text: ' ' })), [400, 'missing_fields', 'text']);
  assert.deepEqual(refusal(await ask(browser, { text: 'broken' })).slice(0, 2), [503, 'speech_unavailable']);
});

test('it is for people who are signed in', async () => {
  const headers = { 'dialplane-console': '1' };
  const reply = await harness.call('POST', '/console/api/speech', { key: null, headers, body: { text: 'Hello' } });
  assert.deepEqual(refusal(reply).slice(0, 2), [401, 'not_signed_in']);
});

test('a session hears ten texts at once, and another session as many', async () => {
  const limited = await startHarness({
    ...{ startWorkers: false, localVoice, settings: { rateLimit: true }, clock: { now: () => 0 } },
  });
  try {
    const [one, other] = [await signIn(limited), await signIn(limited)];
    for (let n = 0; n < 10; n++) assert.equal((await ask(one, { text: `Hello ${n}` })).status, 200);
    const refused = await ask(one, { text: 'Hello again' });
    assert.deepEqual(refusal(refused).slice(0, 2), [429, 'rate_limited']);
    assert.equal(refused.headers.get('retry-after'), '3');
    assert.equal((await ask(other, { text: 'Hello' })).status, 200);
  } finally {
    await limited.close();
  }
});
