/** The front desk on the simulated network, as a platform meets it: applications, menus, transfers, hold. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MAGIC } from '../../src/carriers/simulated/magic-numbers.ts';
import { callIn, logOf, playParty, readCall, ringing, route, typesOf, voicemail } from '../support/calls.ts';
import type { Json } from '../support/events.ts';
import { listEvents } from '../support/events.ts';
import { useHarness } from '../support/harness.ts';
import { newPerson, read } from '../support/messages.ts';
import { makeLine } from '../support/numbers.ts';

const harness = await useHarness({ startWorkers: false });

const act = async (id: string, operation: string, body: object, status: number): Promise<Json> => {
  const reply = await harness.call('POST', `/v1/calls/${id}/${operation}`, { body });
  assert.equal(reply.status, status, JSON.stringify(reply.body));
  return reply.body;
};
const dataOf = async (id: string, type: string) =>
  (await listEvents(harness, id)).filter((event: Json) => event.type === type).map(({ data }: Json) => data);

/** Lets a call arrive at a number with this open behavior. Resolves with the call once it is answered. */
async function arrive(open_behavior: object, fields: object = {}): Promise<Json> {
  const line = await makeLine(harness);
  await route(harness, line, { open_behavior, closed_behavior: voicemail });
  const { id } = await callIn(harness, line, fields);
  await harness.advance(1);
  return await readCall(harness, id);
}

const application = ringing(['application'], { no_answer: null });

describe('an application', () => {
  test('answers a caller, speaks, and its words are in the transcript', async () => {
    // Without a script the caller speaks automatically, and a slow machine would wait for that.
    const { id, status, answered_by } = await arrive(application, { script: 'wait 300' });
    assert.deepEqual([status, answered_by], ['in_progress', 'application']);
    assert.equal((await harness.call('POST', `/v1/calls/${id}/transcription`)).status, 200);
    const { speech_id } = await act(id, 'speak', { text: 'Good morning. How can I help you?' }, 201);
    await harness.advance(5);
    assert.deepEqual(await dataOf(id, 'call.speech.ended'), [
      { object: 'call_speech', call_id: id, speech_id, completed: true },
    ]);
    await playParty(harness, id, 'speech', { speaker: 'customer', text: 'I would like an appointment.' });
    await harness.advance(5);
    const { segments } = await read(harness, `/calls/${id}/transcript`);
    assert.deepEqual(
      segments.map(({ speaker, text }: Json) => [speaker, text]),
      [
        ['agent', 'Good morning. How can I help you?'],
        ['customer', 'I would like an appointment.'],
      ],
    );
  });

  test('does nothing: the call of an agent who never came is missed, a call that it placed has no application', async () => {
    const { id } = await arrive(application);
    await harness.advance(10);
    const missed = await readCall(harness, id);
    assert.deepEqual([missed.status, missed.outcome], ['completed', 'missed']);
    const { number } = await makeLine(harness);
    const body = { from: number.id, to: newPerson(), connect_to: 'application' };
    const placed = await harness.call('POST', '/v1/calls', { body });
    await harness.advance(13);
    const failed = await readCall(harness, placed.body.id);
    assert.deepEqual([failed.status, failed.outcome], ['failed', 'no_application']);
  });

  test('talks to a customer whom it called until the customer hangs up', async () => {
    const { number } = await makeLine(harness);
    const body = { from: number.id, to: newPerson(), connect_to: 'application' };
    const { id } = (await harness.call('POST', '/v1/calls', { body })).body;
    await harness.advance(2);
    await act(id, 'speak', { text: 'Your car is ready.' }, 201);
    await harness.advance(40);
    const call = await readCall(harness, id);
    assert.deepEqual([call.status, call.outcome, call.answered_by], ['completed', 'answered', 'application']);
  });
});

describe('a transfer', () => {
  test('connects the caller with a person', async () => {
    const { id } = await arrive(application);
    const to = newPerson();
    await act(id, 'transfer', { to, announce_text: 'A caller about an appointment.' }, 202);
    await harness.advance(8);
    assert.deepEqual(await dataOf(id, 'call.transfer.completed'), [
      { object: 'call_transfer', call_id: id, to, reason: null },
    ]);
    await playParty(harness, id, 'hangup', { party: 'agent' });
    await harness.advance(1);
    const call = await readCall(harness, id);
    assert.deepEqual([call.status, call.outcome], ['completed', 'answered']);
  });

  test('that nobody answers returns the caller, or passes the caller to the voicemail', async () => {
    const { id } = await arrive(application);
    await act(id, 'transfer', { to: MAGIC.neverAnswers, ring_seconds: 5 }, 202);
    await harness.advance(6);
    assert.equal((await dataOf(id, 'call.transfer.failed'))[0].reason, 'no_answer');
    assert.equal((await readCall(harness, id)).status, 'in_progress');
    await act(id, 'transfer', { to: MAGIC.neverAnswers, ring_seconds: 5, on_no_answer: 'voicemail' }, 202);
    await harness.advance(60);
    const call = await readCall(harness, id);
    assert.equal(call.outcome, 'voicemail');
    assert.match(call.voicemail_id, /^vm_/);
  });

  test('to a person who declines has failed as rejected', async () => {
    const { id } = await arrive(ringing([newPerson()]));
    await harness.advance(2);
    const to = newPerson();
    await act(id, 'transfer', { to }, 202);
    await harness.advance(0.5);
    await playParty(harness, id, 'hangup', { party: 'agent' });
    await harness.advance(1);
    const types = await typesOf(harness, id);
    assert.ok(types.includes('call.transfer.failed') || types.includes('call.transfer.completed'), String(types));
  });
});

describe('a menu', () => {
  const menu = (options: object, fields: object = {}) => ({
    type: 'menu',
    prompt: 'For appointments press one, for everything else press two.',
    options,
    otherwise: voicemail,
    ...fields,
  });

  test('a key that is pressed before the prompt is over leads to its option', async () => {
    const person = newPerson();
    const { id } = await arrive(menu({ '1': ringing([person]), '2': voicemail }));
    await playParty(harness, id, 'dtmf', { digits: '1' });
    await harness.advance(3);
    assert.equal((await readCall(harness, id)).answered_by, person);
    assert.deepEqual(await dataOf(id, 'call.menu'), [{ object: 'call_menu', call_id: id, digit: '1', path: '1' }]);
  });

  test('keys of a script lead through nested menus', async () => {
    const { id } = await arrive(menu({ '2': menu({ '#': voicemail }) }), { script: 'press 2#, say "Call me"' });
    await harness.advance(60);
    const call = await readCall(harness, id);
    assert.equal(call.outcome, 'voicemail');
    assert.ok(logOf(call).includes('menu_choice'));
    assert.deepEqual(
      (await dataOf(id, 'call.menu')).map(({ path }: Json) => path),
      ['2', '2#'],
    );
  });

  test('a caller who presses nothing hears it twice, and then what it does otherwise', async () => {
    const { id } = await arrive(menu({ '1': voicemail }), { from: MAGIC.pressesNothing });
    await harness.advance(90);
    const call = await readCall(harness, id);
    assert.equal(call.answered_by, 'voicemail');
    assert.equal((await dataOf(id, 'call.menu')).length, 0);
  });
});
