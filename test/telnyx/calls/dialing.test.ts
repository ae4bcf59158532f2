import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OTHER, PERSON, useCallLine } from './call-line.ts';

const {
  line,
  setUp,
  call,
  control,
  receiver,
  requestDial,
  dial,
  dialUp,
  act,
  done,
  events,
  typesOf,
  payloadOf,
  legOf,
} = await useCallLine();

/** Returns where webhooks were posted. */
async function addresses(): Promise<string[]> {
  return [...new Set((await control.webhooks({})).map(({ url }) => url))];
}

const STATE = Buffer.from('{"c":1}').toString('base64');

test('a person who is called answers, and each event has the ids and the state of the call', async () => {
  const dialed = await dial({ client_state: STATE, webhook_url: `${receiver.url}/call` });
  assert.equal(dialed.is_alive, false);
  const arrived = await events();
  assert.deepEqual(
    arrived.map(({ event_type }) => event_type),
    ['call.initiated', 'call.answered'],
  );
  for (const { payload } of arrived) {
    const { call_control_id, call_session_id, connection_id, client_state, from, to } = payload;
    assert.deepEqual([call_control_id, call_session_id], [dialed.call_control_id, dialed.call_session_id]);
    assert.deepEqual([connection_id, client_state, from, to], [line.connectionId, STATE, line.number, PERSON]);
    assert.ok(payload['call_leg_id']);
  }
  const [initiated, answered] = arrived.map(({ payload }) => payload);
  assert.deepEqual([initiated?.['direction'], answered?.['state']], ['outgoing', 'answered']);
  assert.deepEqual(await addresses(), [`${receiver.url}/call`]);
});

test('webhooks of a call without an address of its own go to its application', async () => {
  await dialUp();
  assert.deepEqual(await addresses(), [`${receiver.url}/application`]);
});

test('a call lives until it is hung up, and can be read after its end', async () => {
  const id = await dialUp();
  const alive = (await call('GET', `/calls/${id}`)).data as { is_alive: boolean; end_time?: string };
  assert.deepEqual([alive.is_alive, alive.end_time], [true, undefined]);
  await done(id, 'hangup');
  const { hangup_cause, hangup_source, start_time, end_time } = await payloadOf(id, 'call.hangup');
  assert.deepEqual([hangup_cause, hangup_source], ['normal_clearing', 'caller']);
  assert.ok(`${start_time}` < `${end_time}`);
  const ended = (await call('GET', `/calls/${id}`)).data as { is_alive: boolean; end_time?: string };
  assert.deepEqual([ended.is_alive, ended.end_time], [false, end_time]);
});

test('a call that is hung up before its answer is cancelled', async () => {
  const { call_control_id: id } = await dial();
  await done(id, 'hangup');
  assert.deepEqual(await typesOf(id), ['initiated', 'hangup']);
  assert.equal((await payloadOf(id, 'call.hangup'))['hangup_cause'], 'originator_cancel');
});

for (const [number, cause] of [
  ['+13035542001', 'user_busy'],
  ['+13035542002', 'call_rejected'],
  ['+13035542004', 'not_found'],
  ['sip:agent@sip.telnyx.com', 'not_found'],
]) {
  test(`a call to ${number} ends with ${cause}`, async () => {
    const { call_control_id: id } = await dial({ to: number });
    assert.deepEqual(await typesOf(id), ['initiated', 'hangup']);
    assert.equal((await payloadOf(id, 'call.hangup'))['hangup_cause'], cause);
  });
}

test('an unanswered call ends after its time: as a timeout, or as no_answer without a retry', async () => {
  await control.person({ phoneNumber: PERSON, answers: 'never' });
  const ids = [await dialUp({ timeout_secs: 5 }), await dialUp({ timeout_secs: 5, retry_on_timeout: false })];
  await receiver.arrived(4, 10_000);
  const causes = await Promise.all(ids.map(async (id) => (await payloadOf(id, 'call.hangup'))['hangup_cause']));
  assert.deepEqual(causes, ['timeout', 'no_answer']);
});

test('a person who never answers can be made to', async () => {
  await control.person({ phoneNumber: PERSON, answers: 'never' });
  const id = await dialUp();
  assert.equal((await legOf(id)).state, 'ringing');
  await control.pickUp({ phoneNumber: PERSON });
  assert.deepEqual(await typesOf(id), ['initiated', 'answered']);
});

test('the repeat of a dial is ignored and answered alike', async () => {
  const first = await dial({ command_id: 'dial-1' });
  const second = await dial({ command_id: 'dial-1' });
  assert.deepEqual(second, first);
  assert.notEqual((await dial({ command_id: 'dial-2' })).call_control_id, first.call_control_id);
  assert.equal((await control.calls({})).length, 2);
});

test('a repeated command is carried out once, on each call', async () => {
  const ids = [await dialUp(), await dialUp({ to: OTHER })];
  for (const id of [...ids, ...ids]) await done(id, 'send_dtmf', { digits: '1', command_id: 'k1' });
  for (const id of ids) assert.equal((await legOf(id)).digitsSent, '1');
  const [id = ''] = ids;
  await done(id, 'hangup', { command_id: 'k2' });
  assert.equal((await act(id, 'hangup', { command_id: 'k2' })).status, 200);
  assert.equal((await act(id, 'hangup')).code, '90018');
});

test('commands are refused before the answer, after the end, and for unknown calls', async () => {
  const { call_control_id: id } = await dial();
  const speech = { payload: 'Hello', voice: 'female' };
  const early = await act(id, 'speak', speech);
  assert.deepEqual([early.status, early.code], [422, '90034']);
  await done(id, 'hangup');
  assert.equal((await act(id, 'speak', speech)).code, '90018');
  assert.equal((await act('v3:none', 'speak', speech)).code, '90015');
  assert.equal((await act(`v3:${'a'.repeat(56)}`, 'speak', speech)).status, 404);
  assert.equal((await call('GET', `/calls/v3:${'a'.repeat(56)}`)).status, 404);
});

test('a dial with a mistake is refused', async () => {
  const refusals: [object, string][] = [
    [{ to: '3035550142' }, '10016'],
    [{ from: 'desk' }, '10016'],
    [{ connection_id: '1' }, '10015'],
    [{ timeout_secs: 4 }, '10015'],
    [{ client_state: '{}' }, '10015'],
    [{ bridge_on_answer: true }, '10015'],
    [{ park_after_unbridge: 'self' }, '10015'],
    [{ record: 'record-from-answer' }, '10015'],
    [{ nothing: true }, '10015'],
  ];
  for (const [mistake, code] of refusals)
    assert.equal((await requestDial(mistake)).code, code, JSON.stringify(mistake));
  await control.setBalance({ amount: 0 });
  assert.equal((await requestDial()).code, '20100');
  assert.deepEqual(await control.calls({}), []);
});

test('a number that is not of the account is no sender, unless its owner is on the line', async () => {
  const { call_control_id: id } = await dial({ from: OTHER });
  assert.equal((await payloadOf(id, 'call.hangup'))['hangup_cause'], 'call_rejected');
  await control.person({ phoneNumber: OTHER, hangsUpAfterMs: null });
  await control.callIn({ from: OTHER, to: line.number });
  assert.deepEqual(await typesOf(await dialUp({ from: OTHER })), ['initiated', 'answered']);
});

test('a lost reply does not lose the call: its repeat is answered with the same ids', async () => {
  await control.faults({ rules: [{ request: 'POST /calls', is: 'timeout_after_acceptance', times: 1 }] });
  const body = { connection_id: line.connectionId, from: line.number, to: PERSON, command_id: 'dial-3' };
  await assert.rejects(call('POST', '/calls', body, 300));
  const { call_control_id } = await dial({ command_id: 'dial-3' });
  const legs = await control.calls({});
  assert.deepEqual(
    legs.map((leg) => leg.call_control_id),
    [call_control_id],
  );
});

test('an emptied account has no calls, and nothing of the old ones is reported', async () => {
  const { call_control_id: id } = await dial();
  await control.reset({});
  receiver.received.length = 0;
  await setUp();
  // The old call would be answered before the new one.
  const newId = await dialUp();
  assert.deepEqual(
    (await events()).map(({ payload }) => payload.call_control_id),
    [newId, newId],
  );
  assert.equal((await call('GET', `/calls/${id}`)).status, 404);
});
