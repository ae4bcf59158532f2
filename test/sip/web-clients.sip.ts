/** Web clients on calls over a real engine, which has no notion of web clients. Also emergency calls. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FRAME_SAMPLES } from '../../src/audio/frames.ts';
import { decodeMulaw, encodeMulaw } from '../../src/audio/mulaw.ts';
import { sine } from '../../src/audio/tones.ts';
import { until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { powerAt } from '../support/tone-power.ts';
import { logIn, makeWebClient } from '../support/web-clients.ts';
import { listen, type WebClientAudio } from '../wire/wire-agents.ts';
import { useSipLine } from './sip-line.ts';

const line = await useSipLine({ names: ['main', 'rescue'], emergencyTrunk: 'rescue' });
const { harness, people, providers, key, tenantId, number, untilHas, route, untilQuiet } = line;
const [, rescue = assert.fail()] = providers;

const LIMIT_MS = 20_000;
const CALLER_HZ = 500;
/** A frame has a whole number of periods of this tone. */
const AGENT_HZ = 600;

const serving = {
  url: harness.url,
  call: ((method, path, asked = {}) => harness.call(method, path, { key, ...asked })) as typeof harness.call,
};

/** Makes a web client, logs it in, and routes calls to the number to it. */
async function makeAgent() {
  const { id } = await makeWebClient(serving, tenantId);
  const client = await logIn(serving, id);
  await route({ type: 'ring', targets: [id], timeout_seconds: 30 });
  return client;
}

/** Connects a web client's audio, which sends its tone from now on. */
function talk(address: { readonly url: string; readonly token: string }): WebClientAudio {
  const audio = listen(address);
  const frame = encodeMulaw(sine({ frequencyHz: AGENT_HZ, samples: FRAME_SAMPLES }));
  const payload = Buffer.from(frame).toString('base64');
  const said = setInterval(() => {
    if (audio.socket.readyState === audio.socket.OPEN) audio.send({ event: 'media', payload });
  }, 20);
  audio.socket.on('close', () => clearInterval(said));
  return audio;
}

/** True if a web client heard a tone in the last half second. */
const hears = (audio: WebClientAudio, hz: number) =>
  powerAt(decodeMulaw(audio.audioOf('inbound').subarray(-4_000)), hz) > 200_000;

/** Lets a web client answer a caller. Resolves when both hear each other. */
async function answerCaller() {
  const client = await makeAgent();
  const caller = newPerson();
  people.set(caller, { frequencyHz: CALLER_HZ });
  await people.callIn(caller, number.phone_number, line.engine.sipPort);
  const { call_id: id } = await client.receive('incoming');
  client.send({ type: 'answer', call_id: id });
  const audio = talk(await client.receiveMedia());
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  await until('the web client hears the caller', () => hears(audio, CALLER_HZ), LIMIT_MS);
  await until('the caller hears the web client', () => people.phoneOf(caller).hears(AGENT_HZ), LIMIT_MS);
  return { id, client, audio, caller };
}

test('a web client answers a caller, both hear each other, and the web client hangs up', async () => {
  const { id, client, audio } = await answerCaller();
  client.send({ type: 'hang_up', call_id: id });
  await client.receive('ended');
  await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
  await audio.closed;
  await untilQuiet();
  await client.close();
});

test('the caller of a web client hangs up', async () => {
  const { id, client, audio, caller } = await answerCaller();
  people.hangUp(caller);
  assert.equal((await client.receive('ended')).call_id, id);
  await untilHas(`/calls/${id}`, { status: 'completed' });
  await audio.closed;
  await untilQuiet();
  await client.close();
});

test('an emergency call takes the emergency trunk, and another if that one fails', async () => {
  const client = await makeAgent();
  for (const [to, provider] of [
    ['911', rescue],
    ['933', people],
  ] as const) {
    if (to === '933') rescue.set(to, { refusesWith: 503 });
    client.send({ type: 'place', to });
    const { call_id } = await client.receive('dialing');
    await client.receive('answered');
    await until(`${to} talks`, () => provider.listTalkers().includes(to), LIMIT_MS);
    for (const other of providers) if (other !== provider) assert.ok(!other.listTalkers().includes(to));
    client.send({ type: 'hang_up', call_id });
    await client.receive('ended');
    await untilQuiet();
  }
  await client.close();
});
