/** Gateways in separate processes from the API and the workers. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { samplesOf } from '../../src/audio/pcm.ts';
import { playParty } from '../support/calls.ts';
import { cloneDatabase } from '../support/database.ts';
import { listEvents } from '../support/events.ts';
import { type Harness, startHarness } from '../support/harness.ts';
import { sql, until } from '../support/jobs.ts';
import { makeLine } from '../support/numbers.ts';
import { connectTo, heard, reachStatus, startStream } from '../support/streams.ts';
import { powerAt } from '../support/tone-power.ts';
import { place } from '../support/voice.ts';

let database: Awaited<ReturnType<typeof cloneDatabase>>;
/** The API and the workers, without a gateway. */
let api: Harness;

before(async () => {
  database = await cloneDatabase();
  api = await startHarness({ databaseUrl: database.url, serveMedia: false });
});
after(async () => {
  await api.close();
  await database.drop();
});

const openGateway = () => startHarness({ databaseUrl: database.url, startWorkers: false });

async function talk(): Promise<string> {
  const { number } = await makeLine(api);
  const { id } = await place(api, number.id);
  await reachStatus(api, id, 'in_progress');
  return id;
}

const hasStarted = (client: ReturnType<typeof connectTo>) =>
  client.until((messages) => messages.some(({ event }) => event === 'start'));

test('without any gateway no stream is opened, and the call goes on', async () => {
  const callId = await talk();
  const reply = await api.call('POST', `/v1/calls/${callId}/streams`, { body: {} });
  assert.deepEqual([reply.status, reply.body.error.code], [503, 'carrier_unavailable']);
  assert.ok(Number(reply.headers.get('retry-after')) > 0);
  assert.equal((await api.call('GET', `/v1/calls/${callId}/streams`)).body.data.length, 0);
  const listed = await api.call('GET', `/v1/calls/${callId}`);
  assert.equal(listed.body.status, 'in_progress');
});

test('a separate gateway carries the call’s audio, and learns of the end from the process that writes it', async () => {
  const gateway = await openGateway();
  try {
    const callId = await talk();
    const stream = await startStream(api, callId);
    const client = connectTo(stream, gateway.url);
    await hasStarted(client);
    await client.until(() => client.audioOf('inbound').length > samplesOf(1_200));
    assert.ok(powerAt(heard(client, 'inbound'), 440) > 500_000, 'no tone');
    await playParty(api, callId, 'dtmf', { digits: '7' });
    await client.until((messages) => messages.some(({ event, digit }) => event === 'dtmf' && digit === '7'));
    await api.call('DELETE', `/v1/calls/${callId}/streams/${stream.id}`);
    assert.equal((await client.closed).code, 1000);
    assert.deepEqual(client.messages.at(-1), { event: 'stop', reason: 'api_request' });
  } finally {
    await gateway.close();
  }
});

test('a client of another gateway is relayed, and a token is valid once over all gateways', async () => {
  const one = await openGateway();
  const other = await openGateway();
  try {
    const callId = await talk();
    const stream = await startStream(api, callId);
    const clients = [connectTo(stream, one.url), connectTo(stream, other.url)];
    const ends = clients.map((client) =>
      Promise.race([hasStarted(client).then(() => 'served'), client.closed.then(({ code }) => code)]).catch(() => 4401),
    );
    assert.deepEqual((await Promise.all(ends)).map(String).sort(), ['4401', 'served']);
  } finally {
    await one.close();
    await other.close();
  }
});

test('the streams of a lost gateway fail, and are billed until it was last seen', async () => {
  const gateway = await openGateway();
  try {
    const callId = await talk();
    const stream = await startStream(api, callId);
    await hasStarted(connectTo(stream, gateway.url));
    const [, , , nodeId] = new URL(stream.url).pathname.split('/');
    // As if the process had stopped a minute ago: its row is no longer renewed under this name.
    const [{ at: startedAt } = assert.fail()] = await sql<{ at: Date }>(
      api.context.db,
      `update media_streams set node_id = 'gone', started_at = started_at - interval '70 s' where id = $1
       returning started_at as at`,
      [stream.id],
    );
    const [{ at: seenAt } = assert.fail()] = await sql<{ at: Date }>(
      api.context.db,
      `insert into gateway_nodes (node_id, url, seen_at) values ('gone', 'ws://x', clock_timestamp() - interval '11 s')
       returning seen_at as at`,
    );
    assert.notEqual(nodeId, 'gone');
    await until('it has failed', async () => (await listEvents(api, stream.id)).length === 2, 15_000);
    const [, failed] = await listEvents(api, stream.id);
    assert.deepEqual([failed?.type, failed?.data.reason], ['call.stream.failed', 'carrier_error']);
    const seenS = (seenAt.getTime() - startedAt.getTime()) / 1_000;
    assert.ok(Math.abs(failed?.data.billed_seconds - seenS) <= 1, `${failed?.data.billed_seconds} s of ${seenS}`);
  } finally {
    await gateway.close();
  }
});

test('a draining gateway gets no new streams, and its open ones go on', async () => {
  const gateway = await openGateway();
  const callId = await talk();
  const stream = await startStream(api, callId);
  const client = connectTo(stream, gateway.url);
  await hasStarted(client);
  const drained = gateway.drain(60_000);
  try {
    const refused = await api.call('POST', `/v1/calls/${await talk()}/streams`, { body: {} });
    assert.equal(refused.status, 503);
    const had = client.audioOf('inbound').length;
    await client.until(() => client.audioOf('inbound').length > had + samplesOf(500));
    client.socket.close();
    await drained;
  } finally {
    await gateway.close();
  }
});
