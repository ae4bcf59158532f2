import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OTHER, PERSON, useCallLine } from './call-line.ts';

const { line, control, dial, dialUp, act, done, events, typesOf, payloadOf, legOf } = await useCallLine();

const THIRD = '+13035550144';

/** Dials people and waits for their answers. */
async function dialAll(...people: readonly string[]): Promise<string[]> {
  const dialed = await Promise.all(people.map((to) => dial({ to })));
  await control.callsQuiet({});
  return dialed.map(({ call_control_id }) => call_control_id);
}

/** Returns the state of each leg. */
function statesOf(...ids: readonly string[]): Promise<string[]> {
  return Promise.all(ids.map(async (id) => (await legOf(id)).state));
}

test('two bridged calls have each other, and the end of one ends the other', async () => {
  const [one = '', other = ''] = await dialAll(PERSON, OTHER);
  await done(one, 'bridge', { call_control_id: other });
  assert.deepEqual(await typesOf(other), ['initiated', 'answered', 'bridged']);
  assert.equal((await legOf(one)).partner, other);
  assert.equal((await legOf(other)).partner, one);
  await control.hangUp({ phoneNumber: OTHER });
  for (const id of [one, other]) assert.deepEqual(await typesOf(id), ['initiated', 'answered', 'bridged', 'hangup']);
  assert.equal((await payloadOf(other, 'call.hangup'))['hangup_source'], 'callee');
  assert.equal((await payloadOf(one, 'call.hangup'))['hangup_source'], 'caller');
});

test('a call that is to be parked outlives its bridge, and can be bridged again', async () => {
  const [one = '', other = '', third = ''] = await dialAll(PERSON, OTHER, THIRD);
  await done(one, 'bridge', { call_control_id: other, park_after_unbridge: 'self' });
  await done(other, 'hangup');
  assert.deepEqual(await statesOf(one, other), ['answered', 'ended']);
  assert.equal((await legOf(one)).partner, null);
  await done(one, 'bridge', { call_control_id: third });
  await done(third, 'hangup');
  assert.deepEqual(await statesOf(one, third), ['ended', 'ended']);
});

test('a call that is bridged again leaves its bridge, and the old partner is hung up', async () => {
  const [one = '', other = '', third = ''] = await dialAll(PERSON, OTHER, THIRD);
  await done(one, 'bridge', { call_control_id: other });
  await done(one, 'bridge', { call_control_id: third });
  assert.deepEqual(await statesOf(one, other, third), ['answered', 'ended', 'answered']);
  assert.equal((await legOf(third)).partner, one);
});

test('an old partner that is to be parked stays', async () => {
  const [one = '', other = '', third = ''] = await dialAll(PERSON, OTHER, THIRD);
  await done(one, 'bridge', { call_control_id: other });
  await done(other, 'bridge', { call_control_id: one, park_after_unbridge: 'self' });
  await done(third, 'bridge', { call_control_id: one });
  assert.deepEqual(await statesOf(one, other, third), ['answered', 'answered', 'answered']);
  assert.deepEqual([(await legOf(other)).partner, (await legOf(third)).partner], [null, one]);
  assert.equal((await typesOf(other)).filter((type) => type === 'bridged').length, 1);
});

test('a bridge is refused if it must not take a partner away', async () => {
  const [one = '', other = '', third = ''] = await dialAll(PERSON, OTHER, THIRD);
  await done(one, 'bridge', { call_control_id: other });
  const body = { call_control_id: one, prevent_double_bridge: true };
  assert.equal((await act(third, 'bridge', body)).code, '10015');
  assert.equal((await legOf(one)).partner, other);
});

test('both calls of a bridge must be answered', async () => {
  const one = await dialUp();
  const { call_control_id: ringing } = await dial({ to: OTHER });
  assert.equal((await act(one, 'bridge', { call_control_id: ringing })).code, '90034');
  assert.equal((await act(ringing, 'bridge', { call_control_id: one })).code, '90034');
  await done(ringing, 'hangup');
  assert.equal((await act(one, 'bridge', { call_control_id: ringing })).code, '90018');
  assert.equal((await act(one, 'bridge', { call_control_id: 'none' })).code, '90015');
  assert.equal((await act(one, 'bridge', { call_control_id: one })).code, '10015');
});

test('a linked call shares the session, and is bridged on its answer if asked', async () => {
  const first = await dial();
  await control.callsQuiet({});
  const link = { to: OTHER, link_to: first.call_control_id, bridge_on_answer: true };
  const second = await dial(link);
  assert.equal(second.call_session_id, first.call_session_id);
  await control.callsQuiet({});
  assert.equal((await legOf(second.call_control_id)).partner, first.call_control_id);
  assert.equal((await events()).filter(({ event_type }) => event_type === 'call.bridged').length, 2);
  const late = await dialUp({ ...link, to: THIRD, prevent_double_bridge: true });
  assert.equal((await legOf(late)).state, 'ended');
  assert.equal((await legOf(first.call_control_id)).partner, second.call_control_id);
});

test('a call that is meant for a bridge shows the caller', async () => {
  await control.person({ phoneNumber: PERSON, hangsUpAfterMs: null });
  const caller = await control.callIn({ from: PERSON, to: line.number });
  const id = await dialUp({ to: OTHER, link_to: caller, bridge_intent: true });
  assert.equal((await payloadOf(id, 'call.answered'))['from'], PERSON);
});

test('a dial can ask for the call to be parked after its bridge', async () => {
  const one = await dialUp();
  const other = await dialUp({ to: OTHER, link_to: one, park_after_unbridge: 'self' });
  await done(one, 'bridge', { call_control_id: other });
  await done(one, 'hangup');
  assert.deepEqual(await statesOf(one, other), ['ended', 'answered']);
});

test('a dial that is linked to an ended call is refused', async () => {
  const one = await dialUp();
  await done(one, 'hangup');
  await assert.rejects(dial({ to: OTHER, link_to: one }), /90018/);
});
