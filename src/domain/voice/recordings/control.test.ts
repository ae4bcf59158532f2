import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { callIn, logOf, playParty, ringing, route } from '../../../../test/support/calls.ts';
import { type Json, listEvents } from '../../../../test/support/events.ts';
import { newPerson, read, refusal } from '../../../../test/support/messages.ts';
import { useLine } from '../../../../test/support/numbers.ts';
import { listen, talk } from '../../../../test/support/recordings.ts';
import { hasDigit, longestSilence } from '../../../../test/support/tone-power.ts';

const { harness, line } = await useLine({ startWorkers: false });

const ask = (callId: string, action: string, key?: string) =>
  harness.call('POST', `/v1/calls/${callId}/recording`, { body: { action }, ...(key && { key }) });

async function control(callId: string, action: string): Promise<Json> {
  const reply = await ask(callId, action);
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.body;
}

async function press(callId: string, digits: string): Promise<void> {
  assert.equal((await harness.call('POST', `/v1/calls/${callId}/dtmf`, { body: { digits } })).status, 200);
  await harness.advance(2);
}

const say = (callId: string, text: string) => playParty(harness, callId, 'speech', { speaker: 'customer', text });

describe('the recording of a call in progress', () => {
  test('is paused over a card number: silence in the audio, no word of it in the transcript', async () => {
    const { id } = await talk(harness, line, { record: true, transcribe: true });
    await harness.advance(3);
    await press(id, '5');
    const paused = await control(id, 'pause');
    assert.deepEqual([paused.call_id, paused.status], [id, 'paused']);
    assert.deepEqual(await control(id, 'pause'), paused, 'a repeat changes nothing');
    await say(id, 'My card is four two four two.');
    await press(id, '6');
    await harness.advance(1);
    const resumed = await control(id, 'resume');
    assert.deepEqual(resumed, { ...paused, status: 'recording' });
    await press(id, '9');
    await harness.call('POST', `/v1/calls/${id}/hangup`);
    await harness.advance(30);
    const call = await read(harness, `/calls/${id}`);
    assert.equal(call.recording_id, paused.recording_id);
    const pcm = await listen(harness, `/v1/recordings/${call.recording_id}/audio`);
    const { duration_seconds } = await read(harness, `/recordings/${call.recording_id}`);
    assert.ok(Math.abs(pcm.length / 8_000 - duration_seconds) <= 0.5);
    assert.deepEqual(
      ['5', '6', '9'].map((digit) => hasDigit(pcm, digit)),
      [true, false, true],
    );
    const { fromMs, untilMs } = longestSilence(pcm);
    assert.ok(untilMs - fromMs >= 2_900, `${fromMs} to ${untilMs} ms`);
    assert.deepEqual(
      logOf(call).filter((type) => type.startsWith('recording_')),
      ['recording_started', 'recording_paused', 'recording_resumed', 'recording_stopped'],
    );
    const transcript = JSON.stringify(await read(harness, `/calls/${id}/transcript`));
    assert.ok(!transcript.includes('four two'), transcript);
    assert.ok(!JSON.stringify(await listEvents(harness, id)).includes('four two'));
  });

  test('is started after an announcement, and again after a stop: each is a recording of its own', async () => {
    const { id } = await talk(harness, line);
    assert.deepEqual(refusal(await ask(id, 'pause')).slice(0, 2), [409, 'recording_not_active']);
    const first = await control(id, 'start');
    assert.equal(first.status, 'recording');
    // The announcement is being spoken.
    for (const action of ['pause', 'pause']) {
      assert.deepEqual(await control(id, action), { ...first, status: 'paused' });
    }
    await harness.advance(6);
    assert.deepEqual(await control(id, 'start'), { ...first, status: 'paused' });
    for (const action of ['resume', 'resume', 'start']) assert.deepEqual(await control(id, action), first);
    await harness.advance(2);
    for (const action of ['stop', 'stop']) {
      assert.deepEqual(await control(id, action), { ...first, status: 'stopped' });
    }
    const second = await control(id, 'start');
    assert.notEqual(second.recording_id, first.recording_id);
    await harness.advance(6);
    await harness.call('POST', `/v1/calls/${id}/hangup`);
    await harness.advance(30);
    const { data } = await read(harness, `/recordings?call_id=${id}`);
    assert.deepEqual(
      new Set(data.map((one: Json) => [one.id, one.consent_announced].join())),
      new Set([`${first.recording_id},true`, `${second.recording_id},true`]),
    );
    assert.equal((await read(harness, `/calls/${id}`)).record, true);
    assert.deepEqual(refusal(await ask(id, 'start')).slice(0, 2), [409, 'call_not_active']);
  });

  test('of an inbound call is announced as the routing config of the number says', async () => {
    const recording = { enabled: false, consent_announcement: false };
    await route(harness, line, { open_behavior: ringing([newPerson()]), recording });
    const { id } = await callIn(harness, line);
    await harness.advance(3);
    await control(id, 'start');
    await harness.advance(1);
    const log = logOf(await read(harness, `/calls/${id}`));
    assert.ok(log.includes('recording_started') && !log.includes('announcement_played'), log.join());
  });
});

describe('a listening announcement', () => {
  const listening_announcement = 'Software writes down this call.';

  test('of a placed call is heard before the first word of the transcript', async () => {
    const { id } = await talk(harness, line, { transcribe: true, listening_announcement });
    await harness.advance(8);
    const call = await read(harness, `/calls/${id}`);
    const log = logOf(call);
    assert.ok(log.indexOf('announcement_played') > 0);
    assert.ok(log.indexOf('announcement_played') < log.indexOf('transcription_started'), log.join());
    const played = call.events.find(({ type }: Json) => type === 'announcement_played');
    assert.deepEqual(played.detail, { which: 'listening' });
  });

  test('of a routing config is one with that of its recording', async () => {
    const recording = { enabled: true, consent_announcement: true };
    await route(harness, line, { open_behavior: ringing([newPerson()]), recording, listening_announcement });
    const { id } = await callIn(harness, line);
    await harness.advance(9);
    const { events } = await read(harness, `/calls/${id}`);
    const played = events.filter(({ type }: Json) => type === 'announcement_played');
    assert.deepEqual(
      played.map(({ detail }: Json) => detail.which),
      ['both'],
    );
  });

  test('is 1 to 500 characters with something to speak', async () => {
    const body = { from: line.number.id, to: newPerson(), connect_to: newPerson() };
    for (const wrong of ['', ' ', 'x'.repeat(501)]) {
      const reply = await harness.call('POST', '/v1/calls', { body: { ...body, listening_announcement: wrong } });
      assert.deepEqual(refusal(reply), [400, 'invalid_body', 'listening_announcement']);
    }
  });
});
