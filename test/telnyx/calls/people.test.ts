import assert from 'node:assert/strict';
import { test } from 'node:test';
import { time } from '../../support/emulator-time.ts';
import { until } from '../../support/jobs.ts';
import { PERSON, useCallLine } from './call-line.ts';

const { control, dial, dialUp, act, done, events, payloadOf, legOf } = await useCallLine();

/** Returns how long after its start a leg was answered, in milliseconds. */
async function answerMs(id: string): Promise<number> {
  const { start_time, answered_at } = await legOf(id);
  return Date.parse(`${answered_at}`) - Date.parse(start_time);
}

test('a phone rings before the person answers', async () => {
  await control.person({ phoneNumber: PERSON, answersAfterMs: 2_000 });
  const { call_control_id: id } = await dial();
  await until('the phone rings', async () => (await legOf(id)).state === 'ringing');
  await events();
  assert.equal((await legOf(id)).state, 'answered');
});

test('a person answers 300 ms after the dial', async () => {
  const ms = await answerMs(await dialUp());
  assert.ok(ms >= 290 && ms < 2_000, `${ms}`);
});

test('people at fixed numbers answer late, never, and hang up by themselves', async () => {
  const late = await dial({ to: '+13035542005' });
  const never = await dial({ to: '+13035542003' });
  const short = await dial({ to: '+13035542006' });
  await events();
  assert.ok((await answerMs(late.call_control_id)) >= 4_990);
  assert.equal((await legOf(never.call_control_id)).state, 'ringing');
  const { start_time, end_time } = await payloadOf(short.call_control_id, 'call.hangup');
  assert.ok(Date.parse(`${end_time}`) - Date.parse(`${start_time}`) >= 2_290);
});

test('a person at a fixed number presses no digits', async () => {
  const id = await dialUp({ to: '+12135542007' });
  await done(id, 'speak', { payload: 'Press a key', voice: 'female' });
  await events();
  assert.equal((await legOf(id)).pressed, '');
});

test('a control changes what a person does, and another one ends the change', async () => {
  await control.person({ phoneNumber: PERSON, answers: 'busy' });
  assert.equal((await legOf(await dialUp())).hangup_cause, 'user_busy');
  await control.person({ phoneNumber: PERSON, answersAfterMs: 1_000, hangsUpAfterMs: 100 });
  const id = await dialUp();
  assert.ok((await answerMs(id)) >= 990);
  assert.equal((await legOf(id)).hangup_cause, 'normal_clearing');
  await control.person({ phoneNumber: PERSON });
  assert.equal((await legOf(await dialUp())).state, 'answered');
});

test('a person whose phone rings rejects the call if made to hang up', async () => {
  await control.person({ phoneNumber: PERSON, answers: 'never' });
  const id = await dialUp();
  await assert.rejects(control.press({ phoneNumber: PERSON, digits: '1' }), /no call of .* is answered/);
  await control.hangUp({ phoneNumber: PERSON });
  assert.equal((await payloadOf(id, 'call.hangup'))['hangup_cause'], 'call_rejected');
  assert.equal((await act(id, 'hangup')).code, '90018');
});

test('the emulator is quiet while calls live on, and not while people talk', async () => {
  const id = await dialUp();
  const startedMs = time.monotonicMs();
  await control.say({ phoneNumber: PERSON, ms: 400 });
  await control.settled({});
  await control.callsQuiet({});
  assert.ok(time.monotonicMs() - startedMs >= 390);
  assert.equal((await legOf(id)).state, 'answered');
});
