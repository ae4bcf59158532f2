/** Who answers a call over a real engine. An engine has no detector, so the gateway listens to the customer's voice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { concat, type Pcm, silence } from '../../src/audio/pcm.ts';
import { sine } from '../../src/audio/tones.ts';
import { beepOf, talk } from '../support/answers.ts';
import type { Json } from '../support/events.ts';
import { until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { useSipLine } from './sip-line.ts';

const line = await useSipLine();
const { people, engine, number, get, make, untilHas, eventsOf, untilQuiet } = line;

const LIMIT_MS = 30_000;
const LEAVE = { on_machine: 'leave_message', message: 'This is the clinic. Please call us back.' };
const GREETING = concat([silence(300), talk(8_000), silence(400)]);

/** Calls a customer, who speaks once the engine has connected the call. */
async function call(machine_detection: object, says: Pcm, fields: object = {}) {
  const [customer, agent] = [newPerson(), newPerson()];
  people.set(customer, { frequencyHz: 0 });
  const body = { from: number.id, connect_to: agent, to: customer, machine_detection, ...fields };
  const { id } = await make('/calls', body);
  await until('the customer has answered', () => people.listTalkers().includes(customer), LIMIT_MS);
  const phone = people.phoneOf(customer);
  const said = phone.say(says);
  return { id: id as string, customer, agent, phone, said };
}

const logOf = async (id: string): Promise<string[]> =>
  (await get(`/calls/${id}`)).events.map(({ type }: Json) => type as string);

test('a person talks with the agent, and hears the agent before the verdict', async () => {
  const { id, phone, customer } = await call(LEAVE, concat([silence(300), talk(700)]));
  await until('the customer hears the agent', () => phone.hears(440), LIMIT_MS);
  await untilHas(`/calls/${id}`, { answered_by_kind: 'person', status: 'in_progress' });
  assert.equal((await eventsOf(id, 'call.machine_detected')).length, 0);
  await until('the engine sends no audio to the gateway', async () => {
    const channels = await engine.listChannels();
    return channels.every((name) => !name.startsWith('WebSocket/'));
  });
  assert.ok(phone.hears(440));
  people.hangUp(customer);
  await untilQuiet();
});

test('a machine gets the message after its beep, the agent is free, and the call ends', async () => {
  const { id, phone, said, agent } = await call(LEAVE, concat([GREETING, beepOf(1_000, 400)]));
  await untilHas(`/calls/${id}`, { answered_by_kind: 'machine' });
  await until('the agent is free', () => !people.listTalkers().includes(agent), LIMIT_MS);
  assert.ok(!(await logOf(id)).includes('greeting_ended'));
  await said;
  const [beepEndedMs, before] = [performance.now(), phone.gotCount];
  await until('it records the message', () => phone.loudFromMs(before) !== undefined, LIMIT_MS);
  const lateMs = (phone.loudFromMs(before) ?? 0) - beepEndedMs;
  assert.ok(lateMs > 0);
  await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
  assert.deepEqual(
    (await eventsOf(id, 'call.greeting_ended')).map(({ beep }) => beep),
    [true],
  );
  assert.ok((await logOf(id)).includes('message_left'));
  await untilQuiet();
});

/** Ends the audio from the engine to the gateway, without the product. */
async function cutOff(): Promise<void> {
  const channels = await engine.client.ask({ method: 'GET', path: '/channels' });
  const found = (channels.is === 'answered' ? (channels.body as Json[]) : []).filter(({ name }) =>
    name.startsWith('WebSocket/'),
  );
  assert.equal(found.length, 1);
  await engine.remove(`/channels/${found[0]?.id}`);
}

test('a machine whose voice is lost during its greeting gets the message after the beep all the same', async () => {
  const { id, phone, said } = await call(LEAVE, concat([GREETING, talk(8_000), silence(400), beepOf(1_000, 400)]));
  await untilHas(`/calls/${id}`, { answered_by_kind: 'machine' });
  await cutOff();
  await said;
  const before = phone.gotCount;
  await until('it records the message', () => phone.loudFromMs(before) !== undefined, LIMIT_MS);
  await untilHas(`/calls/${id}`, { status: 'completed' });
  assert.deepEqual(
    (await eventsOf(id, 'call.greeting_ended')).map(({ beep }) => beep),
    [true],
  );
  await untilQuiet();
});

test('a party whose voice is lost before the verdict is of an unknown kind, and the call goes on', async () => {
  const { id, phone, customer } = await call({ on_machine: 'hangup' }, GREETING);
  await until('the customer hears the agent', () => phone.hears(440), LIMIT_MS);
  await until('the engine sends audio', async () =>
    (await engine.listChannels()).some((name) => name.startsWith('WebSocket/')),
  );
  await cutOff();
  await untilHas(`/calls/${id}`, { answered_by_kind: 'unknown', status: 'in_progress' });
  people.hangUp(customer);
  await untilQuiet();
});

test('a fax is hung up', async () => {
  const tone = sine({ frequencyHz: 2_100, samples: 8 * 3_000, amplitude: 8_000 });
  const { id } = await call({ on_machine: 'hangup' }, concat([silence(300), tone]));
  await untilHas(`/calls/${id}`, { answered_by_kind: 'fax', status: 'completed' });
  await untilQuiet();
});

test('a party that says nothing is of an unknown kind after some seconds, and the call goes on', async () => {
  const { id, customer } = await call({ on_machine: 'hangup' }, silence(100), {
    connect_to: 'application',
  });
  await untilHas(`/calls/${id}`, { answered_by_kind: 'unknown', status: 'in_progress' });
  people.hangUp(customer);
  await untilQuiet();
});
