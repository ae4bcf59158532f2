/** Web clients on live calls, over a carrier that knows nothing of web clients. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeMulaw } from '../../src/audio/mulaw.ts';
import type { Json } from '../support/events.ts';
import { sql, until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { powerAt, powerOf } from '../support/tone-power.ts';
import { hearsCustomer, talk, useWireAgents } from '../wire/wire-agents.ts';

const { harness, key, get, make, untilHas, number, people, makeAgent, callIn, answerCaller, untilUnheard } =
  await useWireAgents();

const targetsOf = ({ events }: Json): string[] =>
  events.flatMap(({ type, detail }: Json) => (type === 'target_cancelled' ? [detail.reason] : []));

test('a web client answers a caller, both hear each other, and the web client hangs up', async () => {
  const { id, client, audio } = await answerCaller();
  client.send({ type: 'dtmf', call_id: id, digits: '42' });
  await until('its keys are known', async () => {
    const { events } = await get(`/calls/${id}`);
    return events.filter(({ type, detail }: Json) => type === 'dtmf' && detail.pressed_by === 'agent').length === 2;
  });
  client.send({ type: 'mute', call_id: id, on: true });
  await untilUnheard(id);
  client.send({ type: 'hang_up', call_id: id });
  assert.equal((await client.receive('ended')).reason, 'hung_up');
  const call = await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
  assert.ok(call.events.some(({ type }: Json) => type === 'bridged'));
  await audio.closed;
  await until('the carrier has hung up the customer', async () => {
    const { legs } = await people.history({});
    const own = legs.filter(({ callRef }) => callRef === id);
    assert.deepEqual(
      own.map(({ party }) => party),
      ['customer'],
    );
    return own.every(({ state }) => state === 'ended');
  });
  await client.close();
});

test('the customer of a web client hangs up', async () => {
  const { id, client, audio } = await answerCaller();
  assert.ok(await people.play({ callRef: id, control: { do: 'hang_up', party: 'customer' } }));
  assert.equal((await client.receive('ended')).call_id, id);
  await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
  await audio.closed;
  await client.close();
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

test('a web client that is not logged in, or on a call, is not rung', async () => {
  const { client, id } = await answerCaller();
  const second = await callIn();
  assert.deepEqual(targetsOf(await untilHas(`/calls/${second}`, { outcome: 'missed' })), ['busy']);
  client.send({ type: 'hang_up', call_id: id });
  await client.receive('ended');
  await client.close();
  await makeAgent().then((agent) => agent.client.close());
  const third = await callIn();
  assert.deepEqual(targetsOf(await untilHas(`/calls/${third}`, { outcome: 'missed' })), ['unreachable']);
});

test('a web client places a call, and takes a click-to-call that is recorded', async () => {
  const { id: agentId, client } = await makeAgent();
  client.send({ type: 'place', to: newPerson() });
  const placed = await client.receive('dialing');
  const audio = talk(await client.receive('media'));
  await client.receive('ringing');
  await client.receive('answered');
  await until('the web client hears the customer', () => hearsCustomer(audio), 20_000);
  await until('the customer hears it', async () => (await people.played({ callRef: placed.call_id })) > 500, 20_000);
  client.send({ type: 'hang_up', call_id: placed.call_id });
  await client.receive('ended');

  const { id } = await make('/calls', { from: number.id, connect_to: agentId, to: newPerson(), record: true });
  await client.receive('incoming');
  client.send({ type: 'answer', call_id: id });
  const listening = talk(await client.receiveMedia());
  await until('it hears that it is recorded', () => {
    const pcm = decodeMulaw(Uint8Array.from(listening.audioOf('inbound').slice(-4_000)));
    return powerOf(pcm) > 10_000 && powerAt(pcm, 440) < 0.5 * powerOf(pcm);
  });
  await until('it is recorded', async () => {
    const { events } = await get(`/calls/${id}`);
    return events.some(({ type }: Json) => type === 'recording_started');
  });
  await make(`/calls/${id}/hangup`, {}, 200);
  await client.receive('ended');
  await until('there is a recording', async () => (await get(`/calls/${id}`)).recording_id !== null, 20_000);
  await client.close();
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

test('a web client calls an emergency number', async () => {
  const { client } = await makeAgent();
  client.send({ type: 'place', to: '911' });
  const { call_id: id, to } = await client.receive('dialing');
  assert.equal(to, '911');
  await client.receive('answered');
  const { legs } = await people.history({});
  const parties = legs.flatMap(({ callRef, party }) => (callRef === id ? [party] : []));
  assert.deepEqual(parties, ['customer']);
  client.send({ type: 'hang_up', call_id: id });
  await client.receive('ended');
  await client.close();
});
