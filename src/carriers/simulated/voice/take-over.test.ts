/** People that a test plays by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  callIn,
  logOf,
  playParty,
  readCall,
  ringing,
  route,
  typesOf,
  voicemail,
} from '../../../../test/support/calls.ts';
import type { Json } from '../../../../test/support/events.ts';
import { until } from '../../../../test/support/jobs.ts';
import { newPerson, read } from '../../../../test/support/messages.ts';
import { useLine } from '../../../../test/support/numbers.ts';
import { MAGIC } from '../magic-numbers.ts';

const { harness, line } = await useLine({ startWorkers: false });

const takeOver = (id: string, number: string) => playParty(harness, id, 'take_over', { number });

async function place(agent: string, customer = newPerson()): Promise<string> {
  const body = { from: line.number.id, to: customer, connect_to: agent };
  const { status, body: call } = await harness.call('POST', '/v1/calls', { body });
  assert.equal(status, 201);
  await harness.advance(0.1);
  return call.id;
}

/** Places a call to a customer that the test plays, and answers it by hand. */
async function placeToTaken(): Promise<string> {
  const customer = newPerson();
  const id = await place(newPerson(), customer);
  await takeOver(id, customer);
  await harness.advance(2.5);
  await playParty(harness, id, 'answer', { target: customer });
  await harness.advance(1);
  return id;
}

const statusOf = async (id: string) => (await readCall(harness, id)).status;

test('an agent answers when a test says so, and the call lasts until it hangs up', async () => {
  const agent = newPerson();
  const id = await place(agent);
  await takeOver(id, agent);
  // People answer after a second, and phones ring for five seconds. Real time passes during the ringing too.
  await harness.advance(2);
  assert.ok(!logOf(await readCall(harness, id)).includes('answered'), 'it answers by itself');
  await playParty(harness, id, 'answer', { target: agent });
  await harness.advance(60);
  assert.equal(await statusOf(id), 'in_progress');
  await playParty(harness, id, 'hangup', { party: 'agent' });
  await harness.advance(1);
  assert.equal(await statusOf(id), 'completed');
});

/** Takes a person over whose phone rings. Resolves with the call, or undefined if the person has answered before. */
async function takeOverRinging(): Promise<string | undefined> {
  const agent = newPerson();
  const id = await place(agent);
  // The clock moves in small steps: the person answers a second after the phone rings.
  await until('its phone rings', async () => {
    await harness.advance(0.05);
    return logOf(await readCall(harness, id)).includes('ringing');
  });
  await takeOver(id, agent);
  await harness.advance(0.05);
  return logOf(await readCall(harness, id)).includes('answered') ? undefined : id;
}

test('a person is taken over while its phone rings', async () => {
  let id: string | undefined;
  // If the machine stands still for a second while a phone rings, the person has answered.
  for (let calls = 0; calls < 5; calls++) id ??= await takeOverRinging();
  assert.ok(id, 'nobody was taken over while a phone rang');
  await harness.advance(3);
  assert.ok(!logOf(await readCall(harness, id)).includes('answered'));
});

test('a target is taken over before it is rung, and the other target acts automatically', async () => {
  const [first, second] = [newPerson(), newPerson()];
  await route(harness, line, {
    open_behavior: ringing([first, second], { strategy: 'sequential', timeout_seconds: 5 }),
    closed_behavior: ringing([first, second], { strategy: 'sequential', timeout_seconds: 5 }),
  });
  const { id } = await callIn(harness, line);
  await takeOver(id, first);
  await harness.advance(15);
  assert.equal((await readCall(harness, id)).answered_by, second);
});

test('no party hangs up for five minutes, and then the customer does', async () => {
  const agent = newPerson();
  const id = await place(agent);
  await takeOver(id, agent);
  await playParty(harness, id, 'answer', { target: agent });
  await harness.advance(280);
  assert.equal(await statusOf(id), 'in_progress');
  await harness.advance(40);
  assert.equal(await statusOf(id), 'completed');
});

test('a customer presses no digits automatically', async () => {
  const id = await placeToTaken();
  const body = { prompt: 'Press a key.', timeout_ms: 5_000 };
  assert.equal((await harness.call('POST', `/v1/calls/${id}/gather`, { body })).status, 200);
  await harness.advance(20);
  const { events } = await readCall(harness, id);
  assert.equal(events.find(({ type }: Json) => type === 'gather_finished').detail.digits, '');
  assert.deepEqual(
    (await typesOf(harness, id)).filter((type) => type === 'call.dtmf'),
    [],
  );
});

test('a digit that a customer was about to press is not pressed', async () => {
  const customer = newPerson();
  const id = await place(newPerson(), customer);
  await harness.advance(4);
  assert.equal(
    (await harness.call('POST', `/v1/calls/${id}/gather`, { body: { prompt: 'Press a key.' } })).status,
    200,
  );
  await harness.advance(0.2);
  await takeOver(id, customer);
  await harness.advance(8);
  assert.deepEqual(
    (await typesOf(harness, id)).filter((type) => type === 'call.dtmf'),
    [],
  );
});

test('a caller leaves on a voicemail what a test has it say, and nothing else', async () => {
  const greeting = { ...voicemail, greeting_text: 'Hello.' };
  const behavior = ringing([MAGIC.neverAnswers], { no_answer: greeting });
  await route(harness, line, { open_behavior: behavior, closed_behavior: behavior });
  const caller = newPerson();
  const { id } = await callIn(harness, line, { from: caller });
  await takeOver(id, caller);
  await harness.advance(20);
  assert.equal(await statusOf(id), 'in_progress');
  await playParty(harness, id, 'speech', { speaker: 'customer', text: 'It is about Tuesday.' });
  await harness.advance(5);
  await playParty(harness, id, 'hangup', { party: 'customer' });
  await harness.advance(10);
  const { voicemail_id } = await readCall(harness, id);
  assert.equal((await read(harness, `/voicemails/${voicemail_id}`)).transcript, 'It is about Tuesday.');
});

test('on a transcribed call nobody speaks for a person', async () => {
  const id = await placeToTaken();
  assert.equal((await harness.call('POST', `/v1/calls/${id}/transcription`)).status, 200);
  await harness.advance(30);
  const { segments } = await read(harness, `/calls/${id}/transcript`);
  assert.deepEqual(
    segments.filter(({ speaker }: Json) => speaker === 'customer'),
    [],
  );
});

test('a script continues while a test plays a person', async () => {
  const agent = newPerson();
  const behavior = ringing([agent]);
  await route(harness, line, { open_behavior: behavior, closed_behavior: behavior });
  const { id } = await callIn(harness, line, { script: 'wait 2, answer, wait 3, hangup' });
  await takeOver(id, agent);
  await harness.advance(4);
  assert.equal((await readCall(harness, id)).answered_by, agent);
  await harness.advance(6);
  assert.equal(await statusOf(id), 'completed');
});

test('a call that is over, and what is no number, are refused', async () => {
  const agent = newPerson();
  const id = await place(agent);
  await playParty(harness, id, 'hangup', { party: 'agent' });
  await harness.advance(1);
  const path = `/v1/test/calls/${id}/take_over`;
  const { body } = await harness.call('POST', path, { body: { number: agent } });
  assert.equal(body.error.code, 'call_not_active');
  const wrong = await harness.call('POST', path, { body: { number: 'Dana' } });
  assert.equal(wrong.body.error.code, 'invalid_phone');
});
