/**
 * How a caller leaves a queue without an agent: overflow by time and by size, and the callback key. Also the position
 * of a caller.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logOf, passedMs, ringing, route } from '../../../../test/support/calls.ts';
import { type Json, listEvents } from '../../../../test/support/events.ts';
import { newPerson, read } from '../../../../test/support/messages.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import { legsOf, ring, useScriptedLine } from '../../../../test/support/voice.ts';

const { harness, voice } = await useScriptedLine();

const COLLEAGUE = newPerson();

/** Returns a number with a new queue for its callers. Callers that the queue cannot serve go to a colleague. */
async function queueLine(fields: object = {}): Promise<{ queueId: string; number: string }> {
  const line = await makeLine(harness);
  const body = { tenant_id: line.tenantId, name: 'Support', agents: [], overflow: ringing([COLLEAGUE]), ...fields };
  const made = await harness.call('POST', '/v1/queues', { body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  await route(harness, line, { open_behavior: { type: 'queue', queue_id: made.body.id } });
  return { queueId: made.body.id, number: line.number.phone_number };
}

/** Reports a caller. When it returns, the caller waits or has left the queue. */
async function arrive(number: string): Promise<{ id: string; legRef: string }> {
  const caller = await ring(voice, number);
  await harness.advance(0.1);
  return caller;
}

const dialled = (id: string): string[] =>
  voice.instructions(id).flatMap((instruction) => (instruction.do === 'dial' ? [instruction.to] : []));
const speeches = (id: string) =>
  voice.instructions(id).flatMap((instruction) => (instruction.do === 'speak' ? [instruction] : []));
const spoken = (id: string): string[] => speeches(id).map(({ text }) => text);
const endSpeech = (callRef: string) => {
  const { speechRef } = speeches(callRef).at(-1) ?? assert.fail('nothing is spoken');
  return voice.report({ type: 'speech.ended', callRef, speechRef, completed: true });
};
const holdsOf = (id: string): string[] =>
  voice.instructions(id).flatMap(({ do: what }) => (what === 'hold' || what === 'resume' ? [what] : []));

/** Returns the reasons why a caller has left queues. Checks that the caller waited at least `waitedMs`. */
async function leftOf(id: string, waitedMs = 0): Promise<string[]> {
  const left = (await listEvents(harness, id)).filter(({ type }: Json) => type === 'call.dequeued');
  for (const { data } of left) {
    const passed = passedMs(await read(harness, `/calls/${id}`), 'queued', 'dequeued');
    assert.ok(passed >= waitedMs, `left after ${passed} ms`);
    // The caller came before the queue counted it in.
    assert.ok(data.wait_seconds >= Math.round(waitedMs / 1000), `${data.wait_seconds} s`);
  }
  return left.map(({ data }: Json) => data.reason);
}

const press = (callRef: string, legRef: string, digit: string) =>
  voice.report({ type: 'leg.digit', callRef, legRef, digit, keyRef: `${callRef} ${digit}` });

test('a caller who has waited for max_wait_seconds goes to the overflow, and not before', async () => {
  const { queueId, number } = await queueLine({ max_wait_seconds: 120 });
  const { id } = await arrive(number);
  await harness.advance(60);
  assert.deepEqual([await leftOf(id), dialled(id)], [[], []]);
  await harness.advance(60);
  assert.deepEqual([await leftOf(id, 100_000), dialled(id)], [['overflow'], [COLLEAGUE]]);
  assert.equal((await read(harness, `/queues/${queueId}`)).waiting, 0);
});

test('the longest wait ends also while an agent rings, and the agent is hung up', async () => {
  const agent = newPerson();
  const { number } = await queueLine({ agents: [agent], max_wait_seconds: 60, ring_seconds: 100 });
  const { id } = await arrive(number);
  assert.deepEqual(dialled(id), [agent]);
  await harness.advance(60);
  assert.deepEqual(dialled(id), [agent, COLLEAGUE]);
  const rung = (await legsOf(harness, id)).find(({ address }) => address === agent);
  assert.ok(voice.instructions(id).some((done) => done.do === 'hang_up' && done.legRef === rung?.id));
  assert.deepEqual(await leftOf(id, 50_000), ['overflow']);
});

test('a caller who finds max_waiting others goes to the overflow at once, and there is room when one leaves', async () => {
  const { queueId, number } = await queueLine({ max_waiting: 2 });
  const [first, second, third] = [await arrive(number), await arrive(number), await arrive(number)];
  assert.deepEqual([await leftOf(third.id), dialled(third.id)], [['overflow'], [COLLEAGUE]]);
  assert.equal((await read(harness, `/queues/${queueId}`)).waiting, 2);
  await voice.report({ type: 'leg.ended', callRef: first.id, legRef: first.legRef, cause: 'hangup' });
  assert.deepEqual(await leftOf(first.id), ['abandoned']);
  const fourth = await arrive(number);
  assert.deepEqual([await leftOf(second.id), await leftOf(fourth.id)], [[], []]);
  assert.equal((await read(harness, `/queues/${queueId}`)).waiting, 2);
});

test('a caller hears its position at the times of the queue, in place of hold audio, and moves up', async () => {
  const { number } = await queueLine({ announce_position_seconds: 60 });
  const [first, second] = [await arrive(number), await arrive(number)];
  assert.deepEqual([spoken(first.id), holdsOf(first.id)], [[], ['hold']]);
  await harness.advance(60);
  assert.deepEqual(spoken(first.id), ['You are next in line.']);
  assert.deepEqual(spoken(second.id), ['You are number 2 in line.']);
  assert.deepEqual(holdsOf(second.id), ['hold', 'resume']);
  await endSpeech(second.id);
  await harness.advance(0);
  assert.deepEqual(holdsOf(second.id), ['hold', 'resume', 'hold']);
  await voice.report({ type: 'leg.ended', callRef: first.id, legRef: first.legRef, cause: 'hangup' });
  assert.equal(spoken(second.id).length, 1);
  await harness.advance(60);
  assert.deepEqual(spoken(second.id).slice(1), ['You are next in line.']);
});

test('a caller for whom an agent rings, or whose queue announces nothing, hears no position', async () => {
  const rung = await queueLine({ agents: [newPerson()], announce_position_seconds: 5, ring_seconds: 30 });
  const quiet = await queueLine();
  const ids = [(await arrive(rung.number)).id, (await arrive(quiet.number)).id];
  await harness.advance(25);
  assert.deepEqual(ids.map(spoken), [[], []]);
});

test('the callback key ends the waiting once: the caller hears that it will be called back, and the call is missed', async () => {
  const { queueId, number } = await queueLine({ callback_digit: '1', announce_position_seconds: 5 });
  const { id, legRef } = await arrive(number);
  await harness.advance(5);
  assert.deepEqual(spoken(id), ['You are next in line. To be called back, press 1.']);
  await press(id, legRef, '2');
  await harness.advance(0);
  assert.deepEqual(await leftOf(id), []);
  await press(id, legRef, '1');
  await harness.advance(0);
  assert.deepEqual(spoken(id).slice(1), ['Thank you. We will call you back.']);
  assert.deepEqual(await leftOf(id), ['callback']);
  assert.equal((await read(harness, `/queues/${queueId}`)).waiting, 0);
  await endSpeech(id);
  await harness.advance(0);
  const call = await read(harness, `/calls/${id}`);
  assert.deepEqual([call.status, call.outcome], ['completed', 'missed']);
  assert.deepEqual(logOf(call).slice(-2), ['dequeued', 'hangup']);
  const { reason, queue_id, queue_name } = call.events.at(-2).detail;
  assert.deepEqual([reason, queue_id, queue_name], ['callback', queueId, 'Support']);
  assert.deepEqual(await leftOf(id), ['callback']);
});

test('a queue without a callback key ignores keys', async () => {
  const { number } = await queueLine();
  const { id, legRef } = await arrive(number);
  for (const digit of ['1', '*', '#']) await press(id, legRef, digit);
  await harness.advance(0);
  assert.deepEqual([await leftOf(id), spoken(id)], [[], []]);
});
