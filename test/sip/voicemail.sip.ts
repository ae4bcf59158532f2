/** A number's hours, and messages from callers, over a real engine and with a recognizer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { concat, type Pcm, samplesOf } from '../../src/audio/pcm.ts';
import { sine } from '../../src/audio/tones.ts';
import { decodeWav } from '../../src/audio/wav.ts';
import { until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { SHARE_FOUND, shareOf, speakText, useRecognizer } from '../support/sentence-recognizer.ts';
import { tonesIn } from '../support/tone-power.ts';
import { useSipLine } from './sip-line.ts';

const MESSAGE = 'Please call me back about the cat.';
const recognizer = await useRecognizer([MESSAGE, 'Please leave a message.', 'When are you open tomorrow?'], shareOf);
const line = await useSipLine({
  speech: {
    toText: { url: recognizer.url, key: null, model: 'whisper-1', stream: false },
    summary: null,
    voice: null,
  },
});
const { harness, engine, people, key, get, untilHas, route, callIn, untilQuiet } = line;

const LIMIT_MS = 20_000;
/** Between the last word and the hang-up. */
const PAUSE_MS = 200;
const BEEP_HZ = 1_000;
const TARGET_HZ = 700;
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const voicemail = { type: 'voicemail', greeting_text: 'We are closed.', transcribe: true };

/** Opens the number on these days, all day. On other days callers reach the voicemail. */
async function openOn(days: readonly string[]): Promise<string> {
  const target = newPerson();
  people.set(target, { frequencyHz: TARGET_HZ });
  const schedule = days.length === 0 ? [] : [{ days, open: '00:00', close: '24:00' }];
  const hours = { business_hours: { schedule }, closed_behavior: voicemail };
  await route({ type: 'ring', targets: [target] }, hours);
  return target;
}

/** Lets a caller speak after the tone, and hang up. Returns the message in the form that the tenant gets. */
async function leaveMessage(said: Pcm) {
  const caller = newPerson();
  people.set(caller, { frequencyHz: 0 });
  const { id } = await callIn(caller);
  const phone = people.phoneOf(caller);
  await until('the caller hears the beep', () => phone.hasHeard(BEEP_HZ), LIMIT_MS);
  await engine.untilUnheard('the beep is over', () => phone.hears(BEEP_HZ));
  await phone.say(said);
  // A packet that is still on its way is lost with the call.
  await phone.say(new Int16Array(samplesOf(PAUSE_MS)));
  await engine.carry(PAUSE_MS);
  people.hangUp(caller);
  await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'voicemail' });
  await until('the message is there', async () => (await get(`/calls/${id}`)).voicemail_id !== null, LIMIT_MS);
  const { voicemail_id } = await get(`/calls/${id}`);
  const headers = { authorization: `Bearer ${key}` };
  const audio = await fetch(`${harness.url}/v1/voicemails/${voicemail_id}/audio`, { headers });
  assert.equal(audio.status, 200);
  const { pcm } = decodeWav(new Uint8Array(await audio.arrayBuffer()));
  await until('the recognizer was asked', () => recognizer.found.length > 0, LIMIT_MS);
  await untilQuiet();
  return { pcm, path: `/voicemails/${voicemail_id}`, heard: recognizer.found.splice(0) };
}

test('outside of the hours a caller reaches the voicemail, whose transcript has the words', async () => {
  const today = new Date().getUTCDay();
  // In every time zone, the date is at most one day before or after the UTC date.
  await openOn(DAYS.filter((_, day) => [2, 3, 4, 5].includes((day - today + 7) % 7)));
  const words = await speakText(MESSAGE);
  // The caller says the words twice, because a stalled engine may lose some of them.
  const { pcm, path, heard } = await leaveMessage(concat([words, words]));
  assert.ok(shareOf(pcm, words) > SHARE_FOUND, 'the words are in the message');
  assert.deepEqual(heard, [MESSAGE]);
  await untilHas(path, { transcript: MESSAGE });
});

test('a message that is a tone has the tone, and no words', async () => {
  await openOn([]);
  const { pcm, path, heard } = await leaveMessage(sine({ frequencyHz: 850, samples: 20_000, amplitude: 8_000 }));
  assert.deepEqual(tonesIn(pcm, [650, 850]), [850]);
  assert.deepEqual(heard, ['']);
  assert.ok(!(await get(path)).transcript, 'there are no words');
});

test('within the hours the same number rings its target', async () => {
  const target = await openOn(DAYS);
  const { id, caller } = await callIn();
  await untilHas(`/calls/${id}`, { status: 'in_progress', answered_by: target });
  await until('the caller hears the target', () => people.phoneOf(caller).hears(TARGET_HZ), LIMIT_MS);
  people.hangUp(caller);
  await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
  await untilQuiet();
});
