/** People on simulated calls who each have a handset: the audio that they say and hear, at the real gateway. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeMulaw } from '../../src/audio/mulaw.ts';
import { samplesOf } from '../../src/audio/pcm.ts';
import { MAGIC } from '../../src/carriers/simulated/magic-numbers.ts';
import { now } from '../../src/lib/time/time.ts';
import { callIn, playParty, readCall, ringing, route, voicemail } from '../support/calls.ts';
import { askForAudio, connectHandset, pickUpHandset } from '../support/handset.ts';
import { startHarness } from '../support/harness.ts';
import { sql, until } from '../support/jobs.ts';
import { answerLate } from '../support/late-answers.ts';
import { openMediaClient } from '../support/media-node.ts';
import { newPerson } from '../support/messages.ts';
import { makeLine, useLine } from '../support/numbers.ts';
import { listen as fetchAudio } from '../support/recordings.ts';
import { powerAt, powerOf, tonesIn } from '../support/tone-power.ts';

const { harness } = await useLine();

/** Places a call from a new person to a number that rings the targets. The test plays the person. */
async function arrive(targets: readonly string[], fields: object = {}) {
  const line = await makeLine(harness);
  const no_answer = { ...voicemail, greeting_text: 'Hello.' };
  const behavior = ringing(targets, { no_answer, timeout_seconds: 5 });
  await route(harness, line, { open_behavior: behavior, closed_behavior: behavior, ...fields });
  const caller = newPerson();
  const { id } = await callIn(harness, line, { from: caller });
  await playParty(harness, id, 'take_over', { number: caller });
  return { id: id as string, caller, line };
}

/** Joins a caller and a telephone, each with a handset. */
async function join(fields: object = {}) {
  const agent = newPerson();
  await answerLate(harness.context.db, [agent]);
  const { id, caller } = await arrive([agent], fields);
  await playParty(harness, id, 'take_over', { number: agent });
  await playParty(harness, id, 'answer', { target: agent });
  const one = await pickUpHandset(harness, id, caller);
  const other = await pickUpHandset(harness, id, agent);
  return { id, caller, agent, one, other };
}

const untilOver = (id: string) =>
  until('the call is over', async () => (await readCall(harness, id)).ended_at !== null, 20_000);

test('a caller hears the greeting of a voicemail, and what its handset sends is the message', async () => {
  const { id, caller } = await arrive([MAGIC.neverAnswers]);
  const handset = await pickUpHandset(harness, id, caller);
  await until('the greeting is heard', handset.hearsSound, 20_000);
  await until('the voicemail records', () => isRecording(id), 20_000);
  const stop = handset.hum(700);
  const heardBefore = handset.audioOf('inbound').length;
  await until('two seconds have passed', () => handset.audioOf('inbound').length > heardBefore + samplesOf(2_000));
  stop();
  await playParty(harness, id, 'hangup', { party: 'customer' });
  assert.equal((await handset.closed).code, 1000);
  await until('the voicemail is kept', async () => (await readCall(harness, id)).voicemail_id !== null, 20_000);
  const { voicemail_id } = await readCall(harness, id);
  const pcm = await fetchAudio(harness, `/v1/voicemails/${voicemail_id}/audio`);
  assert.deepEqual(tonesIn(pcm, [440, 700]), [700]);
  const tenths = Array.from({ length: Math.floor(pcm.length / TENTH) }, (_, n) => ({
    start: n * TENTH,
    length: TENTH,
  }));
  const spoken = tenths.filter((tenth) => powerAt(pcm, 700, tenth) > 0.9 * powerOf(pcm, tenth));
  assert.ok(spoken.length > 12, `the tone is in ${spoken.length} tenths of a second`);
});

const TENTH = samplesOf(100);

/** True once the tone of a voicemail is over. */
async function isRecording(callId: string): Promise<boolean> {
  const running = 'select 1 from simulated_recordings where call_ref = $1 and ended_at is null and starts_at <= now()';
  return (await sql(harness.context.db, running, [callId])).length > 0;
}

test('two handsets of a call hear each other, and no tone of the simulation', async () => {
  const { id, one, other } = await join();
  const stops = [one.hum(700), other.hum(1_100)];
  await until('the agent hears the customer', () => other.hears(700));
  await until('the customer hears the agent', () => one.hears(1_100));
  for (const stop of stops) stop();
  await until('both are silent', () => !one.hearsSound() && !other.hearsSound());
  await playParty(harness, id, 'hangup', { party: 'agent' });
  assert.deepEqual(
    await Promise.all([one.closed, other.closed]).then((ends) => ends.map(({ code }) => code)),
    [1000, 1000],
  );
  assert.deepEqual(one.messages.at(-1), { event: 'stop', reason: 'call_ended' });
  await untilOver(id);
});

test('a media stream has the audio of both handsets, each on its track', async () => {
  const { id, one, other } = await join();
  const { body: stream } = await harness.call('POST', `/v1/calls/${id}/streams`, { body: {} });
  const listener = openMediaClient(
    `${harness.url.replace('http', 'ws')}${new URL(stream.url).pathname}?token=${stream.token}`,
  );
  const hears = (track: string, frequencyHz: number) => {
    const pcm = decodeMulaw(listener.audioOf(track).subarray(-4_000));
    return powerOf(pcm) > 10_000 && powerAt(pcm, frequencyHz) > 0.9 * powerOf(pcm);
  };
  const stops = [one.hum(700), other.hum(1_100)];
  await until('the stream has both', () => hears('inbound', 700) && hears('outbound', 1_100));
  for (const stop of stops) stop();
  await playParty(harness, id, 'hangup', { party: 'agent' });
  await listener.closed;
});

test('the recording of a call has what both handsets send', async () => {
  const { id, one, other } = await join({ recording: { enabled: true, consent_announcement: false } });
  await until('the call is recorded', () => isRecording(id), 20_000);
  const stops = [one.hum(700), other.hum(1_100)];
  await until('both are in what is recorded', () => areRecorded(id, [700, 1_100]), 20_000);
  await playParty(harness, id, 'hangup', { party: 'agent' });
  for (const stop of stops) stop();
  await untilOver(id);
  await until('the recording is kept', async () => (await readCall(harness, id)).recording_id !== null, 20_000);
  const { recording_id } = await readCall(harness, id);
  const pcm = await fetchAudio(harness, `/v1/recordings/${recording_id}/audio`);
  assert.deepEqual(tonesIn(pcm, [700, 1_100]), [700, 1_100]);
});

/** True once the gateway has stored these tones. Audio stored a second after the end is not in the recording. */
async function areRecorded(callId: string, frequencies: readonly number[]): Promise<boolean> {
  const stored = 'select audio from simulated_audio where call_ref = $1 order by starts_at';
  const rows = await sql<{ audio: Buffer }>(harness.context.db, stored, [callId]);
  const pcm = decodeMulaw(Buffer.concat(rows.map(({ audio }) => audio)));
  return tonesIn(pcm, frequencies).length === frequencies.length;
}

test('on hold a customer hears the hold audio and not the agent, whom nobody hears', async () => {
  const { id, one, other } = await join();
  const stop = other.hum(1_100);
  await until('the customer hears the agent', () => one.hears(1_100));
  assert.equal((await harness.call('POST', `/v1/calls/${id}/hold`)).status, 200);
  await until('the customer hears the hold audio', () => one.hearsSound() && !one.hears(1_100));
  const stopCustomer = one.hum(700);
  await until('the agent hears nothing', () => !other.hearsSound());
  assert.equal((await harness.call('POST', `/v1/calls/${id}/resume`)).status, 200);
  await until('both hear each other again', () => one.hears(1_100) && other.hears(700));
  stop();
  stopCustomer();
  await playParty(harness, id, 'hangup', { party: 'agent' });
  await one.closed;
});

test('a token opens the audio once, and a newer one replaces the socket before', async () => {
  const { id, caller, one, other } = await join();
  const beforeMs = now();
  const asked = await askForAudio(harness, id, caller);
  const endsMs = Date.parse(asked.expires_at);
  assert.ok(endsMs >= Math.floor(beforeMs / 1_000) * 1_000 + 60_000 && endsMs <= now() + 60_000, asked.expires_at);
  const next = connectHandset(harness, asked);
  assert.equal((await one.closed).code, 4409);
  await next.until((messages) => messages.some(({ event }) => event === 'media'));
  const again = connectHandset(harness, asked);
  assert.equal((await again.closed).code, 4401);
  const [older, newer] = [await askForAudio(harness, id, caller), await askForAudio(harness, id, caller)];
  assert.equal((await connectHandset(harness, older).closed).code, 4401);
  const last = connectHandset(harness, newer);
  assert.equal((await next.closed).code, 4409);
  await playParty(harness, id, 'hangup', { party: 'agent' });
  await Promise.all([last.closed, other.closed]);
  assert.equal((await connectHandset(harness, newer).closed).code, 4401);
});

test('another gateway forwards a handset to the one that has the audio', async () => {
  const there = await startHarness({ databaseUrl: harness.databaseUrl, startWorkers: false });
  try {
    const { id, caller, other } = await join();
    const far = connectHandset(there, await askForAudio(harness, id, caller));
    const stop = far.hum(900);
    await until('the agent hears it', () => other.hears(900));
    stop();
    await playParty(harness, id, 'hangup', { party: 'agent' });
    assert.equal((await far.closed).code, 1000);
  } finally {
    await there.close();
  }
});

test('the audio of people who act by themselves, are not on the call, or were on it, is refused', async () => {
  const agent = newPerson();
  const { id, caller } = await arrive([agent]);
  const codeOf = async (number: string) =>
    (await harness.call('POST', `/v1/test/calls/${id}/audio`, { body: { number } })).body.error.code;
  await until('the agent is on the call', async () => (await readCall(harness, id)).status === 'in_progress');
  assert.equal(await codeOf(agent), 'call_not_active');
  assert.equal(await codeOf(newPerson()), 'call_not_active');
  assert.equal(await codeOf('Dana'), 'invalid_phone');
  await playParty(harness, id, 'hangup', { party: 'customer' });
  await untilOver(id);
  assert.equal(await codeOf(caller), 'call_not_active');
});

test('a handset ends with a reset of the test data', async () => {
  const { account, call } = harness;
  const other = await harness.secondAccount();
  const as = {
    ...harness,
    account: { ...account, ...other },
    call: (...args: Parameters<typeof call>) => call(args[0], args[1], { key: other.test_key, ...args[2] }),
  };
  const line = await makeLine(as);
  const caller = newPerson();
  const { id } = await callIn(as, line, { from: caller });
  await playParty(as, id, 'take_over', { number: caller });
  const handset = await pickUpHandset(as, id, caller);
  assert.equal((await as.call('POST', '/v1/test/reset')).status, 200);
  assert.equal((await handset.closed).code, 1000);
});
