/** Relays that a routing config or a click-to-call starts: what the caller gets if the agent fails. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Json, listEvents } from '../support/events.ts';
import { useHarness } from '../support/harness.ts';
import { until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { type Line, makeLine } from '../support/numbers.ts';
import { useStreamAgents } from '../support/stream-agent.ts';
import { reachStatus } from '../support/streams.ts';

const harness = await useHarness();
const startAgent = useStreamAgents();

const VOICEMAIL = { type: 'voicemail', greeting_text: 'Please leave a message.', transcribe: false };

const NEVER_ANSWERS = '+15005550003';

/** Gives a number a routing config. */
async function route({ tenantId, number }: Line, open_behavior: object, more: object = {}): Promise<void> {
  const body = { tenant_id: tenantId, name: 'Relay', open_behavior, ...more };
  const config = await harness.call('POST', '/v1/routing_configs', { body });
  assert.equal(config.status, 201, JSON.stringify(config.body));
  const routed = { routing_config_id: config.body.id };
  assert.equal((await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, { body: routed })).status, 200);
}

async function callIn({ number }: Line, script?: string): Promise<string> {
  const body = { from: newPerson(), to: number.phone_number, ...(script !== undefined && { script }) };
  const { status, body: call } = await harness.call('POST', '/v1/test/inbound_calls', { body });
  assert.equal(status, 201, JSON.stringify(call));
  return call.id;
}

const callOf = async (id: string): Promise<Json> => (await harness.call('GET', `/v1/calls/${id}`)).body;

/** Waits until the log of a call has an entry of the type. */
async function logged(callId: string, type: string): Promise<Json> {
  let entry: Json;
  await until(
    `the log has ${type}`,
    async () => {
      entry = (await callOf(callId)).events.find((each: Json) => each.type === type);
      return entry !== undefined;
    },
    40_000,
  );
  return entry;
}

const relayOf = async (callId: string): Promise<Json> => (await harness.call('GET', `/v1/calls/${callId}/relay`)).body;

describe('a routing config that sends callers to an agent', () => {
  test('lets the agent answer, and goes on with the fallback after a hand-over that nobody takes', async () => {
    const agent = await startAgent();
    const line = await makeLine(harness);
    await route(line, { type: 'relay', url: agent.url, welcome_text: 'Hello.', fallback: VOICEMAIL });
    const callId = await callIn(line);
    const call = await reachStatus(harness, callId, 'in_progress');
    assert.equal(call.answered_by, 'relay');
    await until('the agent is set up', () => agent.messages.length > 0);
    const setup = agent.messages[0] as Json;
    assert.deepEqual([setup.type, setup.direction, setup.from], ['setup', 'inbound', call.from]);
    agent.send({ type: 'end', handoffData: 'to a person' });
    await logged(callId, 'voicemail_started');
    const relay = await relayOf(callId);
    assert.deepEqual([relay.reason, relay.handoff_data], ['agent_ended', 'to a person']);
  });

  test('keeps the caller out of the fallback if the platform transfers after the hand-over', async () => {
    const agent = await startAgent();
    const line = await makeLine(harness);
    await route(line, { type: 'relay', url: agent.url, welcome_text: 'Hello.', fallback: VOICEMAIL });
    const callId = await callIn(line);
    await until('the agent is set up', () => agent.messages.length > 0);
    agent.send({ type: 'end', handoffData: 'to a person' });
    await logged(callId, 'relay_ended');
    const transfer = await harness.call('POST', `/v1/calls/${callId}/transfer`, { body: { to: newPerson() } });
    assert.equal(transfer.status, 202);
    await logged(callId, 'transfer_completed');
    const { events } = await callOf(callId);
    assert.equal(
      events.some(({ type }: Json) => type === 'voicemail_started'),
      false,
    );
  });

  test('goes on with the fallback if the agent fails while a transfer rings that then returns', async () => {
    const agent = await startAgent();
    const line = await makeLine(harness);
    await route(line, { type: 'relay', url: agent.url, welcome_text: 'Hello.', fallback: VOICEMAIL });
    const callId = await callIn(line);
    await until('the agent is set up', () => agent.messages.length > 0);
    const body = { to: NEVER_ANSWERS, ring_seconds: 5, on_no_answer: 'return' };
    const transfer = await harness.call('POST', `/v1/calls/${callId}/transfer`, { body });
    assert.equal(transfer.status, 202, JSON.stringify(transfer.body));
    agent.sockets[0]?.terminate();
    await logged(callId, 'relay_ended');
    await logged(callId, 'voicemail_started');
    const types = (await callOf(callId)).events.map(({ type }: Json) => type);
    assert.ok(types.indexOf('transfer_failed') < types.indexOf('voicemail_started'), types.join());
  });

  for (const [what, fail] of [
    ['is killed', (agent: Json) => agent.sockets[0].terminate()],
    ['says nothing for 10 s', () => undefined],
    [
      'babbles',
      (agent: Json) => {
        for (let n = 0; n < 40; n++) agent.send({ type: 'text', token: `${'word '.repeat(60)}. `, last: false });
      },
    ],
  ] as const) {
    test(`goes on with the fallback at once if the agent ${what}`, async () => {
      const agent = await startAgent();
      const line = await makeLine(harness);
      await route(line, { type: 'relay', url: agent.url, fallback: { type: 'ring', targets: [newPerson()] } });
      const callId = await callIn(line);
      await until('the agent is set up', () => agent.messages.length > 0);
      fail(agent);
      await logged(callId, 'bridged');
      const call = await callOf(callId);
      assert.match(call.answered_by, /^\+/);
      const events = await listEvents(harness, (await relayOf(callId)).id);
      assert.deepEqual(
        events.map(({ type }: Json) => type),
        ['call.relay.started', 'call.relay.ended'],
      );
    });
  }

  test('goes on with the fallback if the agent cannot be connected, and says why', async () => {
    const agent = await startAgent([500, 500, 503]);
    const line = await makeLine(harness);
    await route(line, { type: 'relay', url: agent.url, fallback: VOICEMAIL });
    const callId = await callIn(line);
    await logged(callId, 'voicemail_started');
    const relay = await relayOf(callId);
    assert.equal(relay.reason, 'connect_failed');
    assert.match(relay.connect_error, /answered the WebSocket handshake with 503/);
    assert.equal((await callOf(callId)).route.reason, 'no_answer');
  });

  test('goes on with the fallback if the agent accepts no handshake within 10 s', async () => {
    const line = await makeLine(harness);
    const silent = await startAgent(['hang']);
    await route(line, { type: 'relay', url: silent.url, fallback: VOICEMAIL });
    const callId = await callIn(line);
    await logged(callId, 'voicemail_started');
    assert.equal((await relayOf(callId)).reason, 'connect_failed');
  });

  test('is reached by a key of a menu, after the listening announcement', async () => {
    const agent = await startAgent();
    const line = await makeLine(harness);
    const relay = { type: 'relay', url: agent.url, welcome_text: 'Hello.', fallback: VOICEMAIL };
    const menu = { type: 'menu', prompt: 'Press 1.', options: { 1: relay }, otherwise: VOICEMAIL };
    await route(line, menu, { listening_announcement: 'An assistant listens.' });
    const callId = await callIn(line, 'press 1, wait 60');
    await until('the agent is set up', () => agent.messages.length > 0, 30_000);
    const types = (await callOf(callId)).events.map(({ type }: Json) => type);
    assert.ok(types.indexOf('announcement_played') > types.indexOf('menu_choice'));
  });
});

describe('a click-to-call whose agent is one of text', () => {
  const placeRelay = (numberId: string, relay: object | undefined, connect_to = 'relay') =>
    harness.call('POST', '/v1/calls', { body: { from: numberId, to: newPerson(), connect_to, relay } });

  test('dials the customer, connects the agent when the customer answers, and fails with the agent', async () => {
    const agent = await startAgent();
    const { number } = await makeLine(harness);
    const { status, body } = await placeRelay(number.id, { url: agent.url, welcome_text: 'Hello.' });
    assert.deepEqual([status, body.connect_to], [201, 'relay']);
    await until('the agent is set up', () => agent.messages.length > 0);
    assert.equal((await callOf(body.id)).answered_by, 'relay');
    agent.sockets[0]?.terminate();
    const call = await reachStatus(harness, body.id, 'failed');
    assert.equal(call.outcome, 'no_application');
  });

  test('needs the agent, and takes one only then', async () => {
    const { number } = await makeLine(harness);
    const missing = await placeRelay(number.id, undefined);
    assert.deepEqual(
      [missing.status, missing.body.error.code, missing.body.error.param],
      [400, 'missing_fields', 'relay'],
    );
    const needless = await placeRelay(number.id, { url: 'wss://agent.example/' }, newPerson());
    assert.deepEqual([needless.status, needless.body.error.code], [400, 'invalid_body']);
    const local = await placeRelay(number.id, { url: 'wss://10.0.0.1/' });
    assert.deepEqual([local.body.error.code, local.body.error.param], ['invalid_url', 'relay.url']);
  });

  test('is refused for a person who has opted out of calls', async () => {
    const { tenantId, number } = await makeLine(harness);
    const external_number = newPerson();
    const optOut = { tenant_id: tenantId, external_number, channels: ['call'] };
    assert.equal((await harness.call('POST', '/v1/opt_outs', { body: optOut })).status, 201);
    const body = { from: number.id, to: external_number, connect_to: 'relay', relay: { url: 'wss://agent.example/' } };
    const refused = await harness.call('POST', '/v1/calls', { body });
    assert.deepEqual([refused.status, refused.body.error.code], [422, 'recipient_opted_out']);
  });
});

test('the address of an agent in a routing config is guarded', async () => {
  const { tenantId } = await makeLine(harness);
  const open_behavior = { type: 'relay', url: 'wss://169.254.169.254/', fallback: VOICEMAIL };
  const body = { tenant_id: tenantId, name: 'Relay', open_behavior };
  const { status, body: reply } = await harness.call('POST', '/v1/routing_configs', { body });
  assert.deepEqual([status, reply.error.code, reply.error.param], [400, 'invalid_url', 'open_behavior.url']);
});
