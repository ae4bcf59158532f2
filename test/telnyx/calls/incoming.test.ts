import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/jobs.ts';
import { OTHER, PERSON, useCallLine } from './call-line.ts';
import { personAt } from './person.ts';

const { line, call, control, receiver, dialUp, act, done, events, typesOf, payloadOf, legOf } = await useCallLine();

/** A person calls the number, and stays for a while after the answer, or for good. */
async function callIn(stays: number | null = 400): Promise<string> {
  await control.person({ phoneNumber: PERSON, hangsUpAfterMs: stays, saysMs: 0 });
  return control.callIn({ from: PERSON, to: line.number });
}

test('a call to a number is parked until it is answered, and ends when the caller hangs up', async () => {
  const id = await callIn();
  const { direction, state, from, to } = await payloadOf(id, 'call.initiated');
  assert.deepEqual([direction, state, from, to], ['incoming', 'parked', PERSON, line.number]);
  await done(id, 'answer', { client_state: 'e30=' });
  assert.deepEqual(await typesOf(id), ['initiated', 'answered', 'hangup']);
  assert.equal((await payloadOf(id, 'call.answered'))['client_state'], 'e30=');
  const { hangup_cause, hangup_source } = await payloadOf(id, 'call.hangup');
  assert.deepEqual([hangup_cause, hangup_source], ['normal_clearing', 'caller']);
});

test('an answer can give the call an address of its own', async () => {
  const id = await callIn();
  await done(id, 'answer', { webhook_url: `${receiver.url}/call` });
  await events();
  const posted = await control.webhooks({});
  assert.deepEqual(
    posted.map(({ url }) => url.replace(receiver.url, '')),
    ['/application', '/call', '/call'],
  );
});

test('a caller talks for 3 s after the answer and hangs up 15 s after it, unless a control changes that', async () => {
  const { saysMs, hangsUpAfterMs } = personAt(new Map(), PERSON, true);
  assert.deepEqual([saysMs, hangsUpAfterMs], [3_000, 15_000]);
  assert.deepEqual(personAt(new Map([[PERSON, { saysMs: 5 }]]), PERSON, false).saysMs, 5);
  await control.person({ phoneNumber: PERSON, saysMs: 5_000, hangsUpAfterMs: null });
  const id = await control.callIn({ from: PERSON, to: line.number });
  await done(id, 'answer');
  await until('the caller talks', async () => (await control.said({ callControlId: id })).level > 0);
});

test('a rejected call ends with its cause, and nothing else can be rejected', async () => {
  const id = await callIn();
  await done(id, 'reject', { cause: 'USER_BUSY' });
  assert.equal((await payloadOf(id, 'call.hangup'))['hangup_cause'], 'user_busy');
  assert.equal((await act(id, 'reject', { cause: 'USER_BUSY' })).code, '90018');
  assert.equal((await act(await dialUp({ to: OTHER }), 'reject', { cause: 'CALL_REJECTED' })).code, '10015');
});

test('a call can be answered once, and only if it came in', async () => {
  const id = await callIn(null);
  await done(id, 'answer');
  assert.equal((await act(id, 'answer')).code, '10015');
  assert.equal((await act(await dialUp({ to: OTHER }), 'answer')).code, '10015');
});

test('a caller who is not answered gives up', async () => {
  await control.person({ phoneNumber: PERSON, waitsMs: 200 });
  const id = await control.callIn({ from: PERSON, to: line.number });
  await receiver.arrived(2);
  const { hangup_cause, hangup_source } = await payloadOf(id, 'call.hangup');
  assert.deepEqual([hangup_cause, hangup_source], ['originator_cancel', 'caller']);
});

test('a caller who is made to hang up before the answer gives up, too', async () => {
  const id = await callIn();
  await control.hangUp({ phoneNumber: PERSON });
  assert.equal((await payloadOf(id, 'call.hangup'))['hangup_cause'], 'originator_cancel');
  await assert.rejects(control.hangUp({ phoneNumber: PERSON }), /has no call/);
});

test('a call without a first command ends after the time of the application', async () => {
  const change = { application_name: 'desk', webhook_event_url: receiver.url };
  const limit = { first_command_timeout: true, first_command_timeout_secs: 3 };
  await call('PATCH', `/call_control_applications/${line.connectionId}`, { ...change, ...limit });
  const answered = await callIn(null);
  await done(answered, 'answer');
  const left = await control.callIn({ from: OTHER, to: line.number });
  await receiver.arrived(4);
  assert.equal((await legOf(left)).hangup_cause, 'timeout');
  assert.equal((await legOf(answered)).state, 'answered');
});

test('a client state stays with the call until a command changes it', async () => {
  const id = await callIn(10_000);
  await done(id, 'answer', { client_state: 'YQ==' });
  await done(id, 'send_dtmf', { digits: '1' });
  await control.press({ phoneNumber: PERSON, digits: '7' });
  await done(id, 'hangup', { client_state: 'Yg==' });
  const states = (await events()).map(({ event_type, payload }) => [event_type, payload['client_state']]);
  assert.deepEqual(states, [
    ['call.initiated', undefined],
    ['call.answered', 'YQ=='],
    ['call.dtmf.received', 'YQ=='],
    ['call.hangup', 'Yg=='],
  ]);
});

test('events of a call come in order, unless a fault disorders them', async () => {
  await control.faults({ rules: [{ webhook: 'call.initiated', is: 'disorder', delayMs: 700 }] });
  const id = await dialUp();
  const arrived = (await events()).filter(({ payload }) => payload.call_control_id === id);
  assert.deepEqual(
    arrived.map(({ event_type }) => event_type),
    ['call.answered', 'call.initiated'],
  );
  assert.ok(`${arrived[0]?.occurred_at}` > `${arrived[1]?.occurred_at}`);
});

test('events of calls are posted again after 408, 429 and 5xx, and not after another 4xx', async () => {
  for (const [status, attempts] of [
    [404, 1],
    [408, 3],
    [429, 3],
    [503, 3],
  ] as const) {
    receiver.answer({ status });
    const id = await callIn();
    await control.callsQuiet({});
    const posted = (await control.webhooks({ type: 'call.initiated' })).filter(({ body }) => body.includes(id));
    assert.equal(posted.length, attempts, `${status}`);
    await control.hangUp({ phoneNumber: PERSON });
  }
});
