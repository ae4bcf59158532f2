/** Relays of simulated calls: the gateway recognises speech and speaks for an agent that exchanges text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { type Json, listEvents } from '../support/events.ts';
import { useHarness } from '../support/harness.ts';
import { startHttpTarget } from '../support/http-target.ts';
import { until } from '../support/jobs.ts';
import { makeLine } from '../support/numbers.ts';
import { type StreamAgent, useStreamAgents } from '../support/stream-agent.ts';
import { reachStatus } from '../support/streams.ts';
import { place } from '../support/voice.ts';
import { toneFile } from '../support/wav-file.ts';

const harness = await useHarness();
const startAgent = useStreamAgents();

/** Places a click-to-call and waits until its parties talk. */
async function talk(fields: object = {}): Promise<Json> {
  const { number } = await makeLine(harness);
  const { id } = await place(harness, number.id, fields);
  return await reachStatus(harness, id, 'in_progress');
}

async function startRelay(callId: string, fields: object): Promise<Json> {
  const { status, body } = await harness.call('POST', `/v1/calls/${callId}/relay`, { body: fields });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

const messagesOf = (agent: StreamAgent, type: string): Json[] =>
  agent.messages.filter((one: Json) => one.type === type);

/** Waits for a message of the agent, and returns it. */
async function received(agent: StreamAgent, type: string, count = 1): Promise<Json> {
  await until(`the agent has ${count} × ${type}`, () => messagesOf(agent, type).length >= count);
  return messagesOf(agent, type)[count - 1];
}

async function ended(callId: string): Promise<Json> {
  let relay: Json;
  await until('the relay has ended', async () => {
    relay = (await harness.call('GET', `/v1/calls/${callId}/relay`)).body;
    return relay.status === 'ended';
  });
  return relay;
}

const say = (callId: string, text: string) =>
  harness.call('POST', `/v1/test/calls/${callId}/speech`, { body: { speaker: 'customer', text } });

test('an agent is set up, is sent what the customer says and presses, speaks, sends digits, and hands over', async () => {
  const agent = await startAgent();
  const call = await talk();
  const relay = await startRelay(call.id, {
    url: agent.url,
    welcome_text: 'Hello, this is the clinic.',
    parameters: { plan: 'gold' },
  });
  assert.match(relay.id, /^rly_/);
  assert.deepEqual([relay.object, relay.status, relay.call_id], ['call_relay', 'connecting', call.id]);
  const setup = await received(agent, 'setup');
  assert.deepEqual(
    [setup.sessionId, setup.callSid, setup.from, setup.to, setup.direction, setup.customParameters],
    [relay.id, call.id, call.from, call.to, 'outbound', { plan: 'gold' }],
  );

  await say(call.id, 'I would like to move my appointment.');
  const prompt = await received(agent, 'prompt');
  assert.deepEqual(prompt, {
    type: 'prompt',
    voicePrompt: 'I would like to move my appointment.',
    lang: 'en-US',
    last: true,
  });
  await harness.call('POST', `/v1/test/calls/${call.id}/dtmf`, { body: { digits: '4', party: 'customer' } });
  assert.equal((await received(agent, 'dtmf')).digit, '4');

  agent.send({ type: 'sendDigits', digits: '12w3' });
  await until('the digits are sent', async () => {
    const { body } = await harness.call('GET', `/v1/calls/${call.id}`);
    return body.events.some(({ type, detail }: Json) => type === 'dtmf' && detail.sent === true);
  });
  agent.send({ type: 'text', token: 'One moment', last: false });
  agent.send({ type: 'text', token: ' please.', last: true });
  agent.send({ type: 'end', handoffData: '{"reason":"person"}' });
  const over = await ended(call.id);
  assert.deepEqual([over.reason, over.handoff_data], ['agent_ended', '{"reason":"person"}']);
  const events = await listEvents(harness, relay.id);
  assert.deepEqual(
    events.map(({ type, data }: Json) => [type, data.reason, data.handoff_data]),
    [
      ['call.relay.started', null, null],
      ['call.relay.ended', 'agent_ended', '{"reason":"person"}'],
    ],
  );
  assert.equal((await harness.call('GET', `/v1/calls/${call.id}`)).body.status, 'in_progress');
});

test('an agent plays a file of its server, and is told why another one cannot be played', async () => {
  const files = await startHttpTarget((_request, response) => response.end(toneFile(440, 1)));
  closeAfterTests(() => files.close());
  const agent = await startAgent();
  const call = await talk();
  await startRelay(call.id, { url: agent.url });
  await received(agent, 'setup');
  agent.send({ type: 'play', source: `${files.origin}/chime.wav` });
  agent.send({ type: 'play', source: 'https://169.254.169.254/latest/meta-data' });
  const { description } = await received(agent, 'error');
  assert.match(description, /^The file could not be played: The host of the URL must be reachable/);
  agent.send({ type: 'end' });
  assert.equal((await ended(call.id)).reason, 'agent_ended');
  assert.deepEqual([files.requests.map(({ path }) => path), messagesOf(agent, 'error').length], [['/chime.wav'], 1]);
});

test('an agent that wants them is sent the words so far, before all of them', async () => {
  const agent = await startAgent();
  const call = await talk();
  const relay = await startRelay(call.id, { url: agent.url, partial_prompts: true, silence_ms: 400 });
  assert.deepEqual([relay.partial_prompts, relay.silence_ms], [true, 400]);
  await received(agent, 'setup');
  await say(call.id, 'Where are you?');
  await until('the last words', () => messagesOf(agent, 'prompt').some(({ last }) => last));
  assert.deepEqual(
    messagesOf(agent, 'prompt').map(({ voicePrompt, last }) => [voicePrompt, last]),
    [
      ['Where', false],
      ['Where are', false],
      ['Where are you?', true],
    ],
  );
});

test('the agent is connected after the listening announcement, and not before', async () => {
  const agent = await startAgent();
  const call = await talk({ listening_announcement: 'An assistant listens to this call.' });
  await startRelay(call.id, { url: agent.url });
  await received(agent, 'setup');
  const { body } = await harness.call('GET', `/v1/calls/${call.id}`);
  const types = body.events.map(({ type }: Json) => type);
  const announced = types.indexOf('announcement_played');
  assert.ok(announced >= 0, 'the announcement was played');
  await until('the relay is in the log', async () => {
    const { body: later } = await harness.call('GET', `/v1/calls/${call.id}`);
    return later.events.some(({ type }: Json) => type === 'relay_started');
  });
});

test('a relay is refused for a person who has opted out of calls, and while another one is open', async () => {
  const agent = await startAgent();
  const call = await talk();
  await startRelay(call.id, { url: agent.url, welcome_text: 'Hello.' });
  const again = await harness.call('POST', `/v1/calls/${call.id}/relay`, { body: { url: agent.url } });
  assert.deepEqual([again.status, again.body.error.code], [409, 'relay_active']);
  const stream = await harness.call('POST', `/v1/calls/${call.id}/streams`, { body: {} });
  assert.deepEqual([stream.status, stream.body.error.code], [409, 'relay_active']);
  assert.equal((await harness.call('DELETE', `/v1/calls/${call.id}/relay`)).body.reason, 'api_request');
  await harness.call('POST', `/v1/calls/${call.id}/opt_out`);
  const refused = await harness.call('POST', `/v1/calls/${call.id}/relay`, { body: { url: agent.url } });
  assert.deepEqual([refused.status, refused.body.error.code], [422, 'recipient_opted_out']);
});

test('an address that is not for a WebSocket on the public internet is refused', async () => {
  const call = await talk();
  for (const url of ['https://agent.example/', 'wss://10.0.0.1/', 'ws://agent.example/', 'wss://a:b@agent.example/']) {
    const { status, body } = await harness.call('POST', `/v1/calls/${call.id}/relay`, { body: { url } });
    assert.deepEqual([status, body.error?.code, body.error?.param], [400, 'invalid_url', 'url'], url);
  }
});
