/** Processes are killed while a call waits for DTMF, for another agent or for a message. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeWav } from '../../src/audio/wav.ts';
import type { Json } from '../support/events.ts';
import { until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { tonesInOrder } from '../support/tone-power.ts';
import { useSipSite } from './sip-site.ts';

const LIMIT_MS = 40_000;
const BEEP_HZ = 1_000;
/** The tones of a caller before a kill, before the next start, and after it. */
const [BEFORE_HZ, MEANWHILE_HZ, AFTER_HZ] = [700, 850, 1_200];
const THIRD_HZ = 600;
const SAID_MS = 1_500;

const site = await useSipSite();
const { people, engine, number, get, make, untilIs, untilSeen, connect, hearEachOther } = site;

const eventsOf = async (id: string, type: string): Promise<Json[]> =>
  (await get(`/events?resource_id=${id}&type=${type}`)).data.map(({ data }: Json) => data);
const untilEvent = (id: string, type: string) =>
  until(`${type} of ${id}`, async () => (await eventsOf(id, type)).length > 0, LIMIT_MS);

/**
 * Passes the engine to another process by killing its present process. The engine gets sounds from the first process.
 */
async function takeOver(at: 0 | 1): Promise<void> {
  const next = await site.start(at);
  await site.product().kill();
  const killedMs = Date.now();
  site.use(next);
  await untilSeen(killedMs);
}

test('a process that took an engine over asks for keys, and passes on, a call that began before', async () => {
  await takeOver(1);
  const placed = await connect();
  const { id, agent, customer } = placed;
  await takeOver(0);
  await until('they still hear each other', () => hearEachOther(placed), LIMIT_MS);
  await make(`/calls/${id}/gather`, { prompt: 'Press two keys.', max_digits: 2 }, 200);
  await people.press(customer, '4');
  await untilEvent(id, 'call.dtmf');
  await people.press(customer, '2');
  await untilEvent(id, 'call.gather');
  assert.deepEqual(
    (await eventsOf(id, 'call.gather')).map(({ digits }) => digits),
    ['42'],
  );
  const third = newPerson();
  people.set(third, { frequencyHz: THIRD_HZ });
  await make(`/calls/${id}/transfer`, { to: third }, 202);
  await untilEvent(id, 'call.transfer.completed');
  await until('the customer hears the third', () => people.phoneOf(customer).hears(THIRD_HZ), LIMIT_MS);
  await until('the agent is hung up', () => !people.listTalkers().includes(agent), LIMIT_MS);
  await make(`/calls/${id}/hangup`, {}, 200);
  await untilIs(id, { status: 'completed', outcome: 'answered' });
  await site.assertEndedOnce(id, { billed: 1 });
});

/** A person calls and speaks after the beep. Resolves when a part of the message is said. */
async function beginMessage() {
  const caller = newPerson();
  people.set(caller, { frequencyHz: 0 });
  const closed_behavior = { type: 'voicemail', greeting_text: 'Please speak.', transcribe: false };
  await site.route({ type: 'ring', targets: [newPerson()] }, { business_hours: { schedule: [] }, closed_behavior });
  await people.callIn(caller, number.phone_number, engine.sipPort);
  const find = async () => (await get('/calls?limit=20')).data.find(({ from }: Json) => from === caller);
  await until('the call has arrived', async () => (await find()) !== undefined, LIMIT_MS);
  const phone = people.phoneOf(caller);
  await until('the caller hears the beep', () => phone.hasHeard(BEEP_HZ), LIMIT_MS);
  await engine.untilUnheard('the beep is over', () => phone.hears(BEEP_HZ));
  const say = async (frequencyHz: number) => {
    phone.frequencyHz = frequencyHz;
    await engine.carry(SAID_MS);
  };
  await say(BEFORE_HZ);
  return { id: (await find()).id as string, say, hangUp: () => people.hangUp(caller) };
}

/** Fails unless the call has one message that contains all tones, one after the other. */
async function assertMessage(id: string, said: readonly number[]): Promise<void> {
  await untilIs(id, { status: 'completed', outcome: 'voicemail' });
  await until('the message is there', async () => (await get(`/calls/${id}`)).voicemail_id !== null, LIMIT_MS);
  const { voicemail_id } = await get(`/calls/${id}`);
  await untilEvent(voicemail_id, 'voicemail.created');
  assert.equal((await eventsOf(voicemail_id, 'voicemail.created')).length, 1);
  const headers = { authorization: `Bearer ${site.key}` };
  const audio = await fetch(`${site.product().url}/v1/voicemails/${voicemail_id}/audio`, { headers });
  assert.equal(audio.status, 200);
  const { pcm } = decodeWav(new Uint8Array(await audio.arrayBuffer()));
  assert.deepEqual(tonesInOrder(pcm, [AFTER_HZ, MEANWHILE_HZ, BEFORE_HZ]), said);
  await site.assertEndedOnce(id, { billed: 1 });
}

test('a message goes on while the process is killed and started again, and is there once and whole', async () => {
  const { id, say, hangUp } = await beginMessage();
  await site.killAndStart(() => say(MEANWHILE_HZ));
  await say(AFTER_HZ);
  hangUp();
  await assertMessage(id, [BEFORE_HZ, MEANWHILE_HZ, AFTER_HZ]);
});

test('a message whose caller hangs up while no process runs is there once and whole', async () => {
  const { id, say, hangUp } = await beginMessage();
  await site.killAndStart(async () => {
    await say(MEANWHILE_HZ);
    hangUp();
  });
  await assertMessage(id, [BEFORE_HZ, MEANWHILE_HZ]);
});
