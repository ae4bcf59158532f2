/** Streams of simulated calls that the gateway connects to a server of the caller. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, listEvents } from '../support/events.ts';
import { useHarness } from '../support/harness.ts';
import { until } from '../support/jobs.ts';
import { makeLine } from '../support/numbers.ts';
import { useStreamAgents } from '../support/stream-agent.ts';
import { reachStatus, startStream } from '../support/streams.ts';
import { place } from '../support/voice.ts';

const harness = await useHarness();
const startAgent = useStreamAgents();

/** Places a click-to-call and waits until its parties talk. */
async function talk(): Promise<string> {
  const { number } = await makeLine(harness);
  const { id } = await place(harness, number.id);
  await reachStatus(harness, id, 'in_progress');
  return id;
}

async function untilStream(callId: string, status: string): Promise<Json> {
  let stream: Json;
  await until(`the stream is ${status}`, async () => {
    [stream] = (await harness.call('GET', `/v1/calls/${callId}/streams`)).body.data;
    return stream?.status === status;
  });
  return stream;
}

const eventsOf = async (stream: Json): Promise<Json[]> =>
  (await listEvents(harness, stream.id)).map(({ type, data }: Json) => [type, data.reason, data.connect_error]);

test('a stream connects to its address, in the native dialect with its parameters, and ends by the API', async () => {
  const agent = await startAgent();
  const callId = await talk();
  const parameters = { plan: 'gold' };
  const stream = await startStream(harness, callId, { connect_url: agent.url, parameters });
  assert.deepEqual([stream.token, stream.connect_url, stream.parameters], ['', agent.url, parameters]);
  await until('audio arrives', () => agent.messages.filter(({ event }) => event === 'media').length > 4);
  const [first] = agent.messages;
  assert.deepEqual(
    [first?.event, first?.['stream_id'], first?.['tracks'], first?.['parameters']],
    ['start', stream.id, ['inbound', 'outbound'], parameters],
  );
  await untilStream(callId, 'active');
  assert.equal((await harness.call('DELETE', `/v1/calls/${callId}/streams/${stream.id}`)).status, 200);
  await until('the socket is closed', () => agent.closes.length === 1);
  assert.deepEqual(agent.messages.at(-1), { event: 'stop', reason: 'api_request' });
  assert.deepEqual(await eventsOf(stream), [
    ['call.stream.started', null, null],
    ['call.stream.stopped', 'api_request', null],
  ]);
});

test('a bidirectional stream in the dialect of Twilio has the account, and the track of the customer alone', async () => {
  const agent = await startAgent();
  const callId = await talk();
  const fields = { connect_url: agent.url, dialect: 'twilio', direction: 'bidirectional' };
  const { tenant_id: _, ...stream } = await startStream(harness, callId, fields);
  await until('start arrives', () => agent.messages.length > 1);
  const start = agent.messages[1]?.['start'] as Json;
  assert.deepEqual([start.streamSid, start.callSid, start.tracks], [stream.id, callId, ['inbound']]);
  assert.match(start.accountSid, /^acct?_/);
  agent.sockets[0]?.close();
  assert.equal((await untilStream(callId, 'stopped')).stop_reason, 'client_closed');
});

test('a stream whose server refuses three handshakes fails with the reason, and the call goes on', async () => {
  const agent = await startAgent([500, 500, 503]);
  const callId = await talk();
  const stream = await startStream(harness, callId, { connect_url: agent.url });
  const failed = await untilStream(callId, 'failed');
  const error = 'The server answered the WebSocket handshake with 503.';
  assert.deepEqual([failed.stop_reason, failed.connect_error], ['no_client', error]);
  assert.deepEqual(await eventsOf(stream), [['call.stream.failed', 'no_client', error]]);
  assert.equal((await harness.call('GET', `/v1/calls/${callId}`)).body.status, 'in_progress');
});

test('an address that is not for a WebSocket on the public internet is refused', async () => {
  const callId = await talk();
  const wrong = ['https://agent.example/', 'wss://10.0.0.1/', 'ws://agent.example/', 'wss://a:b@agent.example/', 'x'];
  for (const connect_url of [...wrong, 'wss://agent.example/#part']) {
    const { status, body } = await harness.call('POST', `/v1/calls/${callId}/streams`, { body: { connect_url } });
    assert.deepEqual([status, body.error?.code, body.error?.param], [400, 'invalid_url', 'connect_url'], connect_url);
  }
});
