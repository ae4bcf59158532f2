/** Calls of a live key over a real engine: real SIP, real audio. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeWav } from '../../src/audio/wav.ts';
import { until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { tonesIn } from '../support/tone-power.ts';
import { useSipLine } from './sip-line.ts';

const line = await useSipLine();
const { harness, engine, people, key, number, get, make, untilHas, eventsOf, route, callIn, untilEvent, untilQuiet } =
  line;

const LIMIT_MS = 20_000;
const HELD_MS = 500;
const SAID_MS = 2_000;
const BEEP_HZ = 1_000;
const voicemail = { type: 'voicemail', greeting_text: 'Please leave a message.', transcribe: false };

/** Places a click-to-call between two people with different voices, and waits until they hear each other. */
async function connect(fields: object = {}) {
  const [agent, customer] = [newPerson(), newPerson()];
  people.set(agent, { frequencyHz: 500 });
  people.set(customer, { frequencyHz: 700 });
  const { id } = await make('/calls', { from: number.id, connect_to: agent, to: customer, ...fields });
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  const hear = () => people.phoneOf(agent).hears(700) && people.phoneOf(customer).hears(500);
  await until('they hear each other', hear, LIMIT_MS);
  return { id, agent, customer };
}

/** Waits until a call has ended once, and the engine has nothing left of it. */
async function ended(id: string, fields: object) {
  await untilHas(`/calls/${id}`, fields);
  await untilQuiet();
  assert.equal((await eventsOf(id, 'call.completed')).length, 1);
}

test('a click-to-call joins two people, and its hang-up ends both legs', async () => {
  const { id } = await connect();
  await make(`/calls/${id}/hangup`, {}, 200);
  await ended(id, { status: 'completed', outcome: 'answered' });
});

for (const direction of ['sendonly', 'inactive'] as const) {
  test(`a party that holds its call (${direction}) is sent no audio until it ends the hold`, async () => {
    const { id, agent, customer } = await connect();
    const phone = people.phoneOf(customer);
    await people.reinvite(customer, direction);
    let got = phone.gotCount;
    const hasCome = () => {
      const before = got;
      got = phone.gotCount;
      return got > before;
    };
    // Sounds that were already on their way may still arrive.
    await engine.untilUnheard('no audio comes', hasCome);
    await engine.carry(HELD_MS);
    assert.ok(!hasCome());
    assert.ok(people.phoneOf(agent).sentCount > 0);
    await people.reinvite(customer, 'sendrecv');
    await until('they hear each other again', () => phone.hears(500) && people.phoneOf(agent).hears(700), LIMIT_MS);
    await make(`/calls/${id}/hangup`, {}, 200);
    await ended(id, { status: 'completed', outcome: 'answered' });
  });
}

test('either side that hangs up ends the call for the other', async () => {
  for (const side of ['agent', 'customer'] as const) {
    const call = await connect();
    people.hangUp(call[side]);
    await ended(call.id, { status: 'completed' });
  }
});

for (const [status, outcome] of [
  [486, 'busy'],
  [603, 'rejected'],
  [404, 'unreachable'],
] as const) {
  test(`a customer whose phone answers ${status} ends the call as failed`, async () => {
    const to = newPerson();
    people.set(to, { refusesWith: status });
    const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to });
    await ended(id, { status: 'failed' });
    const legs = (await get(`/calls/${id}`)).events.filter(({ type }: { type: string }) => type === 'leg_ended');
    assert.ok(JSON.stringify(legs).includes(outcome) || legs.length === 0, JSON.stringify(legs));
  });
}

test('a caller rings all targets, the first who answers has the call, and the others stop ringing', async () => {
  const [first, second] = [newPerson(), newPerson()];
  people.set(first, { answersAfterMs: 1_000, frequencyHz: 500 });
  people.set(second, { answersAfterMs: null });
  await route({ type: 'ring', targets: [first, second] }, { closed_behavior: voicemail });
  const { id, caller } = await callIn();
  await untilHas(`/calls/${id}`, { status: 'in_progress', answered_by: first });
  await until('the caller hears who answered', () => people.phoneOf(caller).hears(500), LIMIT_MS);
  await until('the other phone is quiet', async () => (await engine.listChannels()).length === 2, LIMIT_MS);
  people.hangUp(caller);
  await ended(id, { status: 'completed', outcome: 'answered' });
});

test('a caller who gives up while it rings has missed the call', async () => {
  const target = newPerson();
  people.set(target, { answersAfterMs: null });
  await route({ type: 'ring', targets: [target] }, { closed_behavior: voicemail });
  const { id, caller } = await callIn();
  await until('it rings', async () => (await engine.listChannels()).length === 2, LIMIT_MS);
  people.hangUp(caller);
  await ended(id, { outcome: 'missed' });
});

test('a caller whom nobody answers is refused as unavailable (480), and not as declined (603)', async () => {
  const target = newPerson();
  people.set(target, { refusesWith: 486 });
  await route({ type: 'ring', targets: [target] }, { closed_behavior: voicemail });
  const { id, caller } = await callIn();
  await ended(id, { status: 'missed', outcome: 'missed' });
  await until('the caller is refused', () => people.refusalOf(caller) !== undefined, LIMIT_MS);
  assert.equal(people.refusalOf(caller), 480);
});

test('a message after the tone is in the voicemail', async () => {
  const [absent, caller] = [newPerson(), newPerson()];
  people.set(absent, { refusesWith: 486 });
  await route({ type: 'ring', targets: [absent], no_answer: voicemail });
  people.set(caller, { frequencyHz: 0 });
  const { id } = await callIn(caller);
  await until(
    'the recording runs',
    async () => {
      const { events } = await get(`/calls/${id}`);
      return JSON.stringify(events).includes('voicemail');
    },
    LIMIT_MS,
  );
  const phone = people.phoneOf(caller);
  await until('the caller hears the beep', () => phone.hasHeard(BEEP_HZ), LIMIT_MS);
  phone.frequencyHz = 850;
  await engine.carry(SAID_MS);
  people.hangUp(caller);
  await ended(id, { outcome: 'voicemail' });
  await until('the message is there', async () => (await get(`/calls/${id}`)).voicemail_id !== null, LIMIT_MS);
  const { voicemail_id } = await get(`/calls/${id}`);
  assert.match(voicemail_id, /^vm_/);
  const audio = await fetch(`${harness.url}/v1/voicemails/${voicemail_id}/audio`, {
    headers: { authorization: `Bearer ${key}` },
  });
  assert.equal(audio.status, 200);
  const { pcm } = decodeWav(new Uint8Array(await audio.arrayBuffer()));
  assert.deepEqual(tonesIn(pcm, [650, 850]), [850]);
});

test('a gather takes the keys that the customer presses', async () => {
  const { id, customer } = await connect();
  await make(`/calls/${id}/gather`, { prompt: 'Press one.', max_digits: 2 }, 200);
  await people.press(customer, '4');
  await untilEvent(id, 'call.dtmf');
  await people.press(customer, '2');
  await untilEvent(id, 'call.gather');
  assert.equal((await eventsOf(id, 'call.gather'))[0]?.digits, '42');
  await make(`/calls/${id}/hangup`, {}, 200);
  await ended(id, { status: 'completed' });
});

test('a call that is recorded has the announcement and both sides', async () => {
  const { id } = await connect({ record: true });
  // From the end of the announcement on, the parties hear each other.
  await engine.carry(SAID_MS);
  await make(`/calls/${id}/hangup`, {}, 200);
  await ended(id, { status: 'completed' });
  await until('the recording is there', async () => (await get(`/calls/${id}`)).recording_id !== null, LIMIT_MS);
  const { recording_id } = await get(`/calls/${id}`);
  const audio = await fetch(`${harness.url}/v1/recordings/${recording_id}/audio`, {
    headers: { authorization: `Bearer ${key}` },
  });
  assert.equal(audio.status, 200);
  const { pcm } = decodeWav(new Uint8Array(await audio.arrayBuffer()));
  assert.deepEqual(tonesIn(pcm, [500, 600, 700]), [500, 700]);
});

test('the metrics show that the engine is heard, and which trunks answer', async () => {
  const shows = async (text: string) => (await harness.context.metrics.scrape()).includes(text);
  const of = `connection="${line.connectionId}",engine="a"`;
  await until('the engine is heard', () => shows(`dialplane_sip_engine_heard{${of}} 1`));
  await until('the trunk answers', () => shows(`dialplane_sip_trunk_up{${of},trunk="main"} 1`), 30_000);
});

test('the headers that vouch for a caller are in the log of the call', async () => {
  await route({ type: 'ring', targets: [newPerson()] }, { closed_behavior: voicemail });
  const caller = newPerson();
  const identity = 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln;info=<https://certs.example/a.pem>;alg=ES256;ppt=shaken';
  const asserted_identity = `"Clinic, North" <sip:${caller}@provider.example;verstat=TN-Validation-Passed>`;
  const passedOn = identity.replace('shaken', 'div');
  const headers = [`Identity: ${identity}`, `P-Asserted-Identity: ${asserted_identity}`, `Identity: ${passedOn}`];
  const { id } = await callIn(caller, headers);
  const [{ detail }] = (await get(`/calls/${id}`)).events;
  assert.deepEqual([detail.identity, detail.asserted_identity], [`${identity}, ${passedOn}`, asserted_identity]);
  people.hangUp(caller);
  await untilQuiet();
});
