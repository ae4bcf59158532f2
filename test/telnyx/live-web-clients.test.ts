/** Web clients on calls of a live key over the emulated Telnyx, which knows nothing of web clients. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeMulaw } from '../../src/audio/mulaw.ts';
import type { Json } from '../support/events.ts';
import { until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { powerOf } from '../support/tone-power.ts';
import { leaveCrashed, logIn, makeWebClient } from '../support/web-clients.ts';
import { talk, type WebClientAudio } from '../wire/wire-agents.ts';
import { useTelnyxLine } from './telnyx-line.ts';

const { telnyx, harness, key, tenantId, number, get, make, untilHas } = await useTelnyxLine();
const { control } = telnyx;

const serving = {
  url: harness.url,
  call: ((method, path, asked = {}) => harness.call(method, path, { key, ...asked })) as typeof harness.call,
};

/** Makes a web client that is logged in, and that calls to the number ring. */
async function makeAgent() {
  const { id } = await makeWebClient(serving, tenantId);
  const client = await logIn(serving, id);
  const routing = await make('/routing_configs', {
    ...{ tenant_id: tenantId, name: 'Front desk' },
    open_behavior: { type: 'ring', targets: [id], timeout_seconds: 30 },
  });
  const patch = { key, body: { routing_config_id: routing.id } };
  assert.equal((await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, patch)).status, 200);
  return { id, client };
}

const legOf = async (person: string) => (await control.calls({})).findLast((leg) => leg.person === person);

/** True if a web client has heard something in the last half second. */
const hears = (audio: WebClientAudio) => powerOf(decodeMulaw(audio.audioOf('inbound').subarray(-4_000))) > 10_000;

/** Returns how loud the call was for a person in the last half second. */
async function levelOf(person: string): Promise<number> {
  const { call_control_id } = (await legOf(person)) ?? assert.fail();
  return (await control.heard({ callControlId: call_control_id, lastMs: 500 })).level;
}

/** True if a person hears a note of the built-in hold audio. */
async function hearsHold(person: string): Promise<boolean> {
  const { call_control_id } = (await legOf(person)) ?? assert.fail();
  const { peaksHz } = await control.heard({ callControlId: call_control_id, lastMs: 500 });
  return peaksHz.some((hz) => [390, 590].includes(hz));
}

/** Lets a web client answer a caller. Resolves when both hear each other. */
async function answerCaller() {
  const { client } = await makeAgent();
  const caller = newPerson();
  await control.person({ phoneNumber: caller, hangsUpAfterMs: null, saysMs: 60_000 });
  await control.callIn({ from: caller, to: number.phone_number });
  const { call_id: id } = await client.receive('incoming');
  client.send({ type: 'answer', call_id: id });
  const audio = talk(await client.receiveMedia());
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  await until('the web client hears the caller', () => hears(audio), 20_000);
  await until('the caller hears the web client', async () => (await levelOf(caller)) > 300, 20_000);
  return { id, client, audio, caller };
}

test('a web client answers a caller, both hear each other, and the web client hangs up', async () => {
  const { id, client, audio, caller } = await answerCaller();
  client.send({ type: 'hang_up', call_id: id });
  await client.receive('ended');
  await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
  await audio.closed;
  await until('the caller is hung up', async () => (await legOf(caller))?.state === 'ended');
  await client.close();
});

test('the caller of a web client hangs up', async () => {
  const { id, client, audio, caller } = await answerCaller();
  await control.hangUp({ phoneNumber: caller });
  assert.equal((await client.receive('ended')).call_id, id);
  await untilHas(`/calls/${id}`, { status: 'completed' });
  await audio.closed;
  await client.close();
});

test('a caller on hold hears hold audio, and not the web client', async () => {
  const { id, client, audio, caller } = await answerCaller();
  await make(`/calls/${id}/hold`, {}, 200);
  await until('the web client hears nothing', () => !hears(audio), 20_000);
  await until('the caller hears the notes of the hold audio', () => hearsHold(caller), 20_000);
  await make(`/calls/${id}/resume`, {}, 200);
  await until('the web client hears the caller again', () => hears(audio), 20_000);
  client.send({ type: 'hang_up', call_id: id });
  await client.receive('ended');
  await until('the caller is hung up', async () => (await legOf(caller))?.state === 'ended');
  await client.close();
});

test('a web client whose node has crashed counts as reachable for a few seconds more, then as unreachable', async () => {
  const { id: agent, client } = await makeAgent();
  await client.close();
  await leaveCrashed(harness.context.db, agent, '11 s');
  const caller = newPerson();
  await control.person({ phoneNumber: caller, hangsUpAfterMs: null });
  await control.callIn({ from: caller, to: number.phone_number });
  let log: Json[] = [];
  const find = (wanted: string) => log.find(({ type }) => type === wanted);
  await until('the web client is cancelled', async () => {
    const { data } = await get('/calls?limit=1');
    log = data[0]?.from === caller ? (await get(`/calls/${data[0].id}`)).events : [];
    return find('target_cancelled') !== undefined;
  });
  assert.deepEqual(find('target_cancelled')?.detail, { target: agent, reason: 'unreachable' });
  const rangForMs = Date.parse(find('target_cancelled')?.at) - Date.parse(find('ringing')?.at);
  assert.ok(rangForMs >= 4_000, 'its session is looked for four more times, a second apart');
});

test('a web client calls 911, with the address of its number', async () => {
  const place = { street: '100 N Central Ave', city: 'Phoenix', state: 'AZ', postal_code: '85004' };
  const address = await make('/e911_addresses', { tenant_id: tenantId, ...place });
  const patch = { key, body: { e911_address_id: address.id } };
  assert.equal((await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, patch)).status, 200);
  const request = 'POST /phone_numbers/{id}/actions/enable_emergency';
  await until('Telnyx has it', async () => (await control.requests({ operation: request })).length > 0);
  const { client } = await makeAgent();
  for (const to of ['911', '933'] as const) {
    client.send({ type: 'place', to });
    const dialing = await client.receive('dialing');
    assert.equal(dialing.to, to);
    await client.receive('answered');
    assert.equal((await legOf(to))?.from, number.phone_number);
    client.send({ type: 'hang_up', call_id: dialing.call_id });
    await client.receive('ended');
    await until('the leg has ended', async () => (await legOf(to))?.state === 'ended');
  }
  const { data } = await get('/events?type=emergency_call.placed');
  assert.equal(data.filter((event: Json) => event.data.to === '911').length, 1);
  await client.close();
});
