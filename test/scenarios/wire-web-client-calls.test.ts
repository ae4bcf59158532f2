/**
 * The actions of web clients on live calls: keys, emergency calls, transfers, revocation, and rings of several targets.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEmergencyGroup } from '../../src/domain/voice/calls/commands/lane-groups.ts';
import type { Json } from '../support/events.ts';
import { sql, until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { skippedSoFarMs } from '../support/stepping-time.ts';
import {
  hearsCustomer,
  hearsSpeech,
  latestPower,
  talk,
  useWireAgents,
  type WebClientAudio,
} from '../wire/wire-agents.ts';

const { harness, key, get, make, untilHas, people, ringAt, makeAgent, makeLoggedIn, callIn, answerCaller } =
  await useWireAgents();

const legsOf = async (callId: string) => (await people.history({})).legs.filter(({ callRef }) => callRef === callId);
const untilLegsEnd = (callId: string) =>
  until('the carrier has no leg left', async () => (await legsOf(callId)).every(({ state }) => state === 'ended'));

/** Waits until a web client and the other party hear each other. */
async function untilHeard(callId: string, audio: WebClientAudio): Promise<void> {
  const before = await people.played({ callRef: callId });
  await until('the web client hears the other party', () => hearsCustomer(audio), 20_000);
  await until(
    'the other party hears it',
    async () => (await people.played({ callRef: callId })) > before + 500,
    20_000,
  );
}

test('keys that a web client presses reach the leg of the customer at the carrier, in their order', async () => {
  const { id, client } = await answerCaller();
  for (const digits of ['4', '21', '#']) client.send({ type: 'dtmf', call_id: id, digits });
  const played = () => people.sounds({ callRef: id });
  await until('the carrier has played them', async () => (await played()).length === 3, 20_000);
  const [customer] = await legsOf(id);
  assert.deepEqual(
    await played(),
    ['4', '21', '#'].map((content) => ({ kind: 'digits', content, playedTo: [customer?.legRef] })),
  );
  client.send({ type: 'hang_up', call_id: id });
  await client.receive('ended');
  await client.close();
});

test('the revocation of a web client ends its call at once, for the customer too', async () => {
  const { agent, id, client, audio } = await answerCaller();
  const before = skippedSoFarMs();
  const reply = await harness.call('DELETE', `/v1/web_clients/${agent}`, { key });
  assert.deepEqual([reply.status, reply.body.status], [200, 'revoked']);
  assert.equal(await client.closed, 4403);
  assert.ok([1000, 4403].includes((await audio.closed).code));
  await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
  await untilLegsEnd(id);
  const waitedMs = skippedSoFarMs() - before;
  assert.ok(waitedMs < 5_000, `something waited for ${waitedMs} ms`);
});

test('911 from a web client on a call, whose requests are used up, is dialled, with precedence', async () => {
  const { id: first, client, audio } = await answerCaller();
  await people.faults({ rules: [{ operation: 'voice.dispatch', is: '429', times: 3 }] });
  for (let n = 0; n < 80; n++) client.send({ type: 'answer', call_id: 'call_none' });
  client.send({ type: 'place', to: '911' });
  const { call_id: id } = await client.receive('dialing');
  const groupOf = 'select group_id from lanes where lane_key = $1';
  const [lane] = await sql<{ group_id: string }>(harness.context.db, groupOf, [id]);
  assert.ok(lane && isEmergencyGroup(lane.group_id), `its lane is in ${lane?.group_id}`);
  const emergency = talk(await client.receiveMedia());
  await untilHeard(id, emergency);
  const placed = await get(`/events?resource_id=${id}&type=emergency_call.placed`);
  assert.equal(placed.data.length, 1);
  for (const callId of [id, first]) client.send({ type: 'hang_up', call_id: callId });
  for (const _ of [id, first]) await client.receive('ended');
  await audio.closed;
  await client.close();
});

/** Two web clients and two telephones that a call to the number rings. The second telephone answers after `answerS`. */
async function ringAll(answerS: number) {
  const agents = [await makeLoggedIn(), await makeLoggedIn()] as const;
  const telephones = [newPerson(), newPerson()] as const;
  await ringAt([agents[0].id, telephones[0], agents[1].id, telephones[1]]);
  const id = await callIn(`ring ${answerS}, answer ${telephones[1]}`);
  return { id, agents, telephones };
}

const cancelledOf = ({ events }: Json): Record<string, string> =>
  Object.fromEntries(
    events.flatMap(({ type, detail }: Json) => (type === 'target_cancelled' ? [[detail.target, detail.reason]] : [])),
  );

test('of two web clients and two telephones the web client that answers first gets the call', async () => {
  const { id, agents, telephones } = await ringAll(60);
  const [winner, other] = agents;
  for (const { client } of agents) assert.equal((await client.receive('incoming')).call_id, id);
  winner.client.send({ type: 'answer', call_id: id });
  const audio = talk(await winner.client.receiveMedia());
  const ended = await other.client.receive('ended');
  assert.deepEqual([ended.call_id, ended.reason], [id, 'answered_elsewhere']);
  const call = await untilHas(`/calls/${id}`, { status: 'in_progress', answered_by: `web_client:${winner.id}` });
  assert.deepEqual(
    cancelledOf(call),
    Object.fromEntries([...telephones, other.id].map((target) => [target, 'answered_elsewhere'])),
  );
  await until('the telephones are silent', async () => {
    const agentLegs = (await legsOf(id)).filter(({ party }) => party === 'agent');
    return agentLegs.every(({ state }) => state === 'ended');
  });
  winner.client.send({ type: 'hang_up', call_id: id });
  await winner.client.receive('ended');
  await audio.closed;
  await untilLegsEnd(id);
  await Promise.all(agents.map(({ client }) => client.close()));
});

test('of two web clients and two telephones the telephone that answers first gets the call', async () => {
  const { id, agents, telephones } = await ringAll(3);
  const [silent, telephone] = telephones;
  for (const { client } of agents) assert.equal((await client.receive('incoming')).call_id, id);
  for (const { client } of agents) assert.equal((await client.receive('ended')).reason, 'answered_elsewhere');
  const call = await untilHas(`/calls/${id}`, { status: 'in_progress', answered_by: telephone });
  assert.deepEqual(
    cancelledOf(call),
    Object.fromEntries([silent, ...agents.map((agent) => agent.id)].map((target) => [target, 'answered_elsewhere'])),
  );
  for (const { client } of agents) client.send({ type: 'answer', call_id: id });
  for (const { client } of agents) assert.equal((await client.receive('error')).code, 'call_not_found');
  await harness.call('POST', `/v1/calls/${id}/hangup`, { key, body: {} });
  await untilLegsEnd(id);
  await Promise.all(agents.map(({ client }) => client.close()));
});

test('audio that breaks off comes again', async () => {
  const { id, client, audio } = await answerCaller();
  await people.cutAudio({ callRef: id });
  assert.equal((await audio.closed).code, 1013);
  client.send({ type: 'media', call_id: id });
  const again = talk(await client.receive('media'));
  await until('the web client hears the customer again', () => hearsCustomer(again), 30_000);
  client.send({ type: 'hang_up', call_id: id });
  await client.receive('ended');
  await client.close();
});

const targetsOf = ({ events }: Json): string[] =>
  events.flatMap(({ type, detail }: Json) => (type === 'target_cancelled' ? [detail.reason] : []));

test('a web client declines, and another does not answer in time', async () => {
  const { client } = await makeAgent();
  const id = await callIn();
  await client.receive('incoming');
  client.send({ type: 'decline', call_id: id });
  assert.equal((await client.receive('ended')).reason, 'declined');
  assert.deepEqual(targetsOf(await untilHas(`/calls/${id}`, { outcome: 'missed' })), ['rejected']);
  await client.close();

  const other = await makeAgent({ timeout_seconds: 5 });
  const missed = await callIn();
  await other.client.receive('incoming');
  assert.equal((await other.client.receive('ended')).reason, 'no_answer');
  assert.deepEqual(targetsOf(await untilHas(`/calls/${missed}`, { outcome: 'missed' })), ['no_answer']);
  await other.client.close();
});

test('the call of a web client that is gone ends', async () => {
  const { client } = await makeAgent();
  const id = await callIn();
  await client.receive('incoming');
  client.send({ type: 'answer', call_id: id });
  await client.receive('answered');
  client.socket.terminate();
  await client.closed;
  const path = `/v1/calls/${id}`;
  await until('the checks of its leg have missed it', async () => {
    await sql(harness.context.db, `update jobs set run_at = clock_timestamp() where kind = 'web-client-leg'`);
    return (await harness.call('GET', path, { key })).body.status === 'completed';
  });
});

test('a customer is transferred from one web client to another, which hears the announcement alone first', async () => {
  const first = await answerCaller();
  const { id } = first;
  const second = await makeLoggedIn();
  await make(`/calls/${id}/transfer`, { to: second.id, announce_text: 'A caller about a bill.' }, 202);
  await until('the first web client hears nothing', () => latestPower(first.audio) === 0, 20_000);
  assert.equal((await second.client.receive('incoming')).call_id, id);
  second.client.send({ type: 'answer', call_id: id });
  const audio = talk(await second.client.receive('media'));
  await until('the second web client hears the announcement', () => hearsSpeech(audio), 20_000);
  assert.equal((await first.client.receive('ended')).call_id, id);
  await untilHeard(id, audio);
  const call = await untilHas(`/calls/${id}`, { status: 'in_progress' });
  assert.ok(call.events.some(({ type }: Json) => type === 'transfer_completed'));
  second.client.send({ type: 'hang_up', call_id: id });
  await second.client.receive('ended');
  await Promise.all([first.client.close(), second.client.close()]);
});
