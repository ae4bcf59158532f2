/** Parties of simulated calls on hold, at a menu, at a transfer, and with an application. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { callIn, playParty, readCall, ringing, route } from '../../../../test/support/calls.ts';
import { type Json, listEvents } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { newPerson, read } from '../../../../test/support/messages.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import { listen } from '../../../../test/support/recordings.ts';
import { powerAt, powerOf } from '../../../../test/support/tone-power.ts';
import { place } from '../../../../test/support/voice.ts';
import { samplesOf } from '../../../audio/pcm.ts';

const harness = await useHarness({ startWorkers: false });
const line = await makeLine(harness);
const agent = newPerson();
await route(harness, line, { open_behavior: ringing([agent]) });

const act = async (id: string, operation: string, body?: object, status = 200): Promise<Json> => {
  const reply = await harness.call('POST', `/v1/calls/${id}/${operation}`, body && { body });
  assert.equal(reply.status, status, JSON.stringify(reply.body));
  return reply.body;
};
const eventOf = async (id: string, type: string): Promise<Json> =>
  (await listEvents(harness, id)).find((event: Json) => event.type === type)?.data;

/** Plays a script that includes targets, until the call is answered. */
async function talk(script: string): Promise<string> {
  const { id } = await callIn(harness, line, { script });
  await harness.advance(2);
  assert.equal((await readCall(harness, id)).status, 'in_progress');
  return id;
}

describe('a party that a transfer rings', () => {
  for (const [step, reason] of [
    ['busy', 'busy'],
    ['decline', 'rejected'],
    ['wait 1', 'no_answer'],
  ] as const) {
    test(`does what the script says: ${step}`, async () => {
      const id = await talk(`ring 1, answer, ${step}, wait 60`);
      await act(id, 'transfer', { to: newPerson(), ring_seconds: 5 }, 202);
      await harness.advance(10);
      assert.equal((await eventOf(id, 'call.transfer.failed'))?.reason, reason);
      assert.equal((await readCall(harness, id)).status, 'in_progress', 'the agent before has the call again');
    });
  }

  test('declines by hand, and the agent on the call stays', async () => {
    const id = await talk('ring 1, answer, wait 60');
    const to = newPerson();
    await act(id, 'transfer', { to, ring_seconds: 20 }, 202);
    await harness.advance(1);
    await playParty(harness, id, 'hangup', { party: 'agent', target: to });
    await harness.advance(1);
    assert.equal((await eventOf(id, 'call.transfer.failed'))?.reason, 'rejected');
    assert.equal((await readCall(harness, id)).status, 'in_progress');
  });

  test('answers, hears the announcement, and presses keys', async () => {
    const id = await talk('ring 1, answer, wait 60');
    const to = newPerson();
    await act(id, 'transfer', { to, announce_text: 'A caller for you.' }, 202);
    await harness.advance(1);
    await playParty(harness, id, 'answer', { target: to });
    await harness.advance(5);
    assert.equal((await eventOf(id, 'call.transfer.completed'))?.call_id, id);
    await playParty(harness, id, 'dtmf', { party: 'agent', digits: '7' });
    await harness.advance(1);
    const { events } = await readCall(harness, id);
    const keys = events.filter(({ type }: Json) => type === 'dtmf');
    assert.deepEqual([keys.length, keys[0]?.detail.pressed_by], [1, 'agent']);
  });
});

test('a caller presses the keys of nested menus before their prompts are over, and is put through', async () => {
  const menus = await makeLine(harness);
  const prompt = 'Press 1 for our opening hours, or press 2 to talk to somebody at the front desk of the clinic.';
  const otherwise = { type: 'voicemail', greeting_text: 'Please leave a message.' };
  const inner = { type: 'menu', prompt, options: { 3: ringing([agent]) }, otherwise };
  const open_behavior = { type: 'menu', prompt, options: { 2: inner }, otherwise };
  await route(harness, menus, { open_behavior });
  const { id } = await callIn(harness, menus, { script: 'ring 1, press 2, press 3, answer, wait 60' });
  await harness.advance(5);
  const call = await readCall(harness, id);
  const choices = call.events.filter(({ type }: Json) => type === 'menu_choice');
  assert.deepEqual(
    choices.map(({ detail }: Json) => detail.path),
    ['2', '23'],
  );
  assert.deepEqual([call.status, call.answered_by], ['in_progress', agent]);
});

test('the recording of a held customer has hold audio in place of the agent', async () => {
  const { id } = await place(harness, line.number.id, { record: true });
  await harness.advance(12);
  await act(id, 'hold');
  await harness.advance(8);
  await playParty(harness, id, 'hangup');
  await harness.advance(5);
  const { recording_id } = await readCall(harness, id);
  const pcm = await listen(harness, `/v1/recordings/${recording_id}/audio`);
  // Each window is within its part of the recording, even on a slow machine, where the parts are longer.
  const talk = { start: 0, length: samplesOf(4_000) };
  const hold = { start: pcm.length - samplesOf(5_000), length: samplesOf(4_000) };
  assert.ok(powerOf(pcm) > 0);
  assert.ok(powerAt(pcm, 620, talk) > 100 * powerAt(pcm, 620, hold), 'the agent is not heard on hold');
  assert.ok(powerAt(pcm, 392, hold) > 10 * powerAt(pcm, 392, talk), 'hold audio is heard on hold');
});

test('an application speaks to a customer alone, who is recorded and transcribed', async () => {
  const fields = { connect_to: 'application', record: true, transcribe: true };
  const { id } = await place(harness, line.number.id, fields);
  await harness.advance(3);
  const { speech_id } = await act(id, 'speak', { text: 'Good morning.' }, 201);
  await playParty(harness, id, 'speech', { speaker: 'customer', text: 'I want to move my appointment.' });
  await harness.advance(30);
  assert.deepEqual(await eventOf(id, 'call.speech.ended'), {
    object: 'call_speech',
    call_id: id,
    speech_id,
    completed: true,
  });
  const call = await readCall(harness, id);
  assert.deepEqual([call.status, call.answered_by], ['completed', 'application']);
  assert.ok(call.recording_id !== null);
  const { segments } = await read(harness, `/calls/${id}/transcript`);
  assert.deepEqual(new Set(segments.map(({ speaker }: Json) => speaker)), new Set(['agent', 'customer']));
});
