/** Live calls of web clients: audio that does not come from the parties, transcripts, and digits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SMALL_TALK } from '../../src/carriers/simulated/voice/machine/commands.ts';
import type { Json } from '../support/events.ts';
import { sql, until } from '../support/jobs.ts';
import { openMediaClient } from '../support/media-node.ts';
import { newPerson } from '../support/messages.ts';
import { json, useModelServer } from '../support/model-server.ts';
import {
  type Agent,
  hearsCustomer,
  hearsSpeech,
  latestPower,
  listen,
  say,
  speechMs,
  useWireAgents,
} from '../wire/wire-agents.ts';

const models = await useModelServer();
models.answer(json({ text: 'Can I come on Monday?' }));
const { harness, get, make, number, people, makeLoggedIn, answerCaller } = await useWireAgents(
  {},
  { speech: { toText: models.settings, summary: null, voice: null } },
);
const { db } = harness.context;

/** Places a click-to-call whose agent is a web client, which answers. Resolves with the address of its audio. */
async function pick(agent: Agent, fields: object = {}) {
  const { id } = await make('/calls', { from: number.id, connect_to: agent.id, to: newPerson(), ...fields });
  await agent.client.receive('incoming');
  agent.client.send({ type: 'answer', call_id: id });
  const address = await agent.client.receiveMedia();
  return { id, address };
}

/** Connects the audio of a web client's leg again. */
async function listenAgain({ client }: Agent, callId: string) {
  client.send({ type: 'media', call_id: callId });
  return listen(await client.receive('media'));
}

const hangUp = async ({ client }: Agent, id: string) => {
  await make(`/calls/${id}/hangup`, {}, 200);
  await client.receive('ended');
  await client.close();
};

test('a transcript by the carrier has each side once: the gateway cuts what the web client says', async () => {
  const agent = await makeLoggedIn();
  const { id, address } = await pick(agent, { transcribe: true });
  const audio = listen(address);
  await until('it hears the customer', () => hearsCustomer(audio), 20_000);
  const segmentsOf = async (): Promise<Json[]> =>
    (await get(`/calls/${id}/transcript`)).segments.filter(({ text }: Json) => text !== SMALL_TALK.customer);
  await people.sayNow({ callRef: id, text: 'Hello, is this the clinic?' });
  await until('what the customer says is there', async () => (await segmentsOf()).length === 1, 20_000);
  const endedMs = await say(audio);
  await until('what the web client says is there', async () => (await segmentsOf()).length === 2, 20_000);
  await hangUp(agent, id);
  await until('the call is summarized', async () => (await get(`/calls/${id}`)).summary !== null, 20_000);
  const segments = await segmentsOf();
  assert.deepEqual(
    segments.map(({ speaker, text }) => [speaker, text]),
    [
      ['customer', 'Hello, is this the clinic?'],
      ['agent', 'Can I come on Monday?'],
    ],
  );
  const lateMs = Date.parse(segments[1]?.occurred_at) - endedMs;
  assert.ok(Math.abs(lateMs) < 5_000, `its end is ${lateMs} ms late`);
});

test('a stream has the keys of the web client, and those that the API sends, each once', async () => {
  const { id, client } = await answerCaller();
  const stream = await make(`/calls/${id}/streams`, {});
  const listener = openMediaClient(`${stream.url}?token=${stream.token}`);
  const digitsOf = (messages: readonly Json[]) =>
    messages.flatMap(({ event, digit, track }) => (event === 'dtmf' ? [[digit, track]] : []));
  await listener.until((messages) => messages.some(({ event }) => event === 'start'));
  client.send({ type: 'dtmf', call_id: id, digits: '42' });
  await until('the stream has the keys', () => digitsOf(listener.messages).length === 2);
  await make(`/calls/${id}/dtmf`, { digits: '7W#' }, 200);
  await until('the stream has the digits', () => digitsOf(listener.messages).length === 4);
  assert.deepEqual(
    digitsOf(listener.messages),
    ['4', '2', '7', '#'].map((digit) => [digit, 'outbound']),
  );
  client.send({ type: 'hang_up', call_id: id });
  await listener.closed;
  await client.close();
});

const speechesOf = (callId: string) =>
  sql<{ ended: boolean }>(
    db,
    'select ended_at is not null as ended from web_client_speeches where call_id = $1 order by asked_at',
    [callId],
  );
const isSpoken = async (callId: string) => {
  const speeches = await speechesOf(callId);
  return speeches.length > 0 && speeches.every(({ ended }) => ended);
};

/** Waits until a web client receives the customer's audio, and checks that it received no other audio. */
async function hearsNoSpeech(audio: ReturnType<typeof listen>): Promise<void> {
  await until('it hears the customer', () => hearsCustomer(audio), 20_000);
  await until('it hears two seconds', () => audio.audioOf('inbound').length > 16_000);
  // The announcement takes 1.7 s. On a busy machine, gaps in the customer's tone count as some speech.
  assert.ok(speechMs(audio) < 1_000, `it hears ${speechMs(audio)} ms of something else`);
}

test('an announcement before the audio of a web client is heard once the audio comes, and not again', async () => {
  const agent = await makeLoggedIn();
  const { id, address } = await pick(agent, { record: true });
  await until('it is asked for', async () => (await speechesOf(id)).length === 1);
  await until('the customer has heard it', async () => {
    const { events } = await get(`/calls/${id}`);
    return events.some(({ type }: Json) => type === 'recording_started');
  });
  const audio = listen(address);
  await until('it hears that it is recorded', () => hearsSpeech(audio));
  await until('it has heard it', () => isSpoken(id));
  audio.socket.terminate();
  await hearsNoSpeech(await listenAgain(agent, id));
  await hangUp(agent, id);
});

test('an announcement that is cut off is spoken again from the beginning', async () => {
  const agent = await makeLoggedIn();
  const { id, address } = await pick(agent, { record: true });
  const audio = listen(address);
  await until('it hears that it is recorded', () => hearsSpeech(audio));
  audio.socket.terminate();
  assert.equal(await isSpoken(id), false);
  const again = await listenAgain(agent, id);
  await until('it hears it again', () => hearsSpeech(again));
  await until('it has heard it', () => isSpoken(id));
  await hangUp(agent, id);
});

/** The ends of a call's speeches, by id: whether each was completed. */
async function endsOf(id: string): Promise<Record<string, boolean>> {
  const { data } = await get(`/events?resource_id=${id}&type=call.speech.ended`);
  return Object.fromEntries(data.map((event: Json) => [event.data.speech_id, event.data.completed]));
}

test('a speech to a web client alone is heard by it alone, and its end is reported; a stop ends it', async () => {
  const agent = await makeLoggedIn();
  const { id, address } = await pick(agent);
  const audio = listen(address);
  await until('it hears the customer', () => hearsCustomer(audio), 20_000);
  await people.hush({ callRef: id });
  const short = await make(`/calls/${id}/speak`, { text: 'A caller about a bill.', to: 'agent' });
  await until('it hears the text', () => hearsSpeech(audio));
  await until('its end is reported', async () => (await endsOf(id))[short.speech_id] === true);
  await until('it is silent', () => latestPower(audio) < 100);
  const text = 'You have a call from the front desk, and it is about the appointment on Monday. '.repeat(20);
  const long = await make(`/calls/${id}/speak`, { text, to: 'agent' });
  await until('it hears the long text', () => hearsSpeech(audio));
  await make(`/calls/${id}/speak/stop`, {}, 200);
  await until('its end is reported too', async () => (await endsOf(id))[long.speech_id] === false);
  await until('it is silent again', () => latestPower(audio) < 100);
  assert.ok(await isSpoken(id));
  assert.deepEqual(await people.sounds({ callRef: id }), []);
  await hangUp(agent, id);
});

test('a call is bridged if the carrier says only later that it took the request for audio', async () => {
  const { client } = await makeLoggedIn();
  client.send({ type: 'place', to: newPerson() });
  const { call_id: id } = await client.receive('dialing');
  await client.receive('ringing');
  await people.faults({
    rules: [
      { operation: 'voice.dispatch', is: 'timeout_after_acceptance', times: 1 },
      { operation: 'voice.findCommand', is: '500', times: 1 },
    ],
  });
  await until('the carrier could not be asked', async () => (await people.struck({})) === 2, 20_000);
  await people.faults({ rules: [] });
  await until('the call is bridged', async () => {
    const { events } = await get(`/calls/${id}`);
    return events.some(({ type }: Json) => type === 'bridged');
  });
  client.send({ type: 'hang_up', call_id: id });
  await client.receive('ended');
  await client.close();
});
