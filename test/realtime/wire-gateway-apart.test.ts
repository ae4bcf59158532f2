/** The audio of web clients' live calls. Their gateway is a separate process, which the test kills. */

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { time } from '../support/emulator-time.ts';
import type { Json } from '../support/events.ts';
import { sql, until } from '../support/jobs.ts';
import { openMediaClient } from '../support/media-node.ts';
import { newPerson } from '../support/messages.ts';
import { freePort } from '../support/ports.ts';
import { forgetHeartbeats, holdHeartbeats, type ProductProcess, startGateway } from '../support/product-process.ts';
import type { WebClientSocket } from '../support/web-clients.ts';
import { hearsCustomer, hearsSpeech, listen, speechMs, talk, useWireAgents } from '../wire/wire-agents.ts';

/** All gateways of this file use this port, one after the other. */
const port = await freePort();
const { harness, get, make, untilHas, number, people, makeLoggedIn, answerCaller } = await useWireAgents(
  {},
  { serveMedia: false, settings: { mediaUrl: `ws://127.0.0.1:${port}` } },
);
const { db } = harness.context;

let gateway: ProductProcess | undefined;
async function startAnother(): Promise<ProductProcess> {
  await gateway?.kill();
  // Calls end when no gateway is left. A busy machine may need more than ten seconds to start the next one.
  const killed = await holdHeartbeats(db);
  gateway = await startGateway({ databaseUrl: harness.databaseUrl, port });
  await forgetHeartbeats(db, killed);
  return gateway;
}
const untilOneIsUp = () =>
  until('the new gateway is up', async () => {
    const nodes = `select count(*)::int as up from gateway_nodes where seen_at > clock_timestamp() - interval '10 s'`;
    return (await sql<{ up: number }>(db, nodes))[0]?.up === 1;
  });
beforeEach(async () => {
  await startAnother();
  await untilOneIsUp();
});
after(() => gateway?.kill());

/** Connects the audio of a web client's leg, and repeats that until the web client hears the expected audio. */
async function hearsAgain(
  client: WebClientSocket,
  callId: string,
  connect: typeof talk,
  hears: (audio: ReturnType<typeof talk>) => boolean,
) {
  await untilOneIsUp();
  const deadline = time.monotonicMs() + 40_000;
  while (time.monotonicMs() < deadline) {
    const had = client.messages.length;
    client.send({ type: 'media', call_id: callId });
    const answer = () => client.messages.slice(had).find(({ type }) => type === 'media' || type === 'error');
    await until('the product answers', () => answer() !== undefined, 30_000);
    const media = answer();
    if (media?.type !== 'media') assert.fail(JSON.stringify(media));
    const audio = connect(media);
    audio.socket.on('error', () => undefined);
    let isClosed = false;
    void audio.closed.then(() => {
      isClosed = true;
    });
    await until('the web client hears it, or its audio ends', () => isClosed || hears(audio), 30_000);
    if (!isClosed) return audio;
  }
  return assert.fail('the audio has not come again');
}

test('a stream on another process than the session of a web client has its keys', async () => {
  const { id, client } = await answerCaller();
  const stream = await make(`/calls/${id}/streams`, {});
  const listener = openMediaClient(`${stream.url}?token=${stream.token}`);
  await until('the stream has started', () => listener.messages.some(({ event }) => event === 'start'));
  client.send({ type: 'dtmf', call_id: id, digits: '5' });
  await until('the stream has the key', () => listener.messages.some(({ event }) => event === 'dtmf'));
  assert.deepEqual(
    listener.messages.filter(({ event }) => event === 'dtmf'),
    [{ event: 'dtmf', digit: '5', track: 'outbound' }],
  );
  client.send({ type: 'hang_up', call_id: id });
  await client.receive('ended');
  await client.close();
});

test('after its gateway is killed both parties hear each other again, over another one', async () => {
  const { id, client, audio } = await answerCaller();
  await startAnother();
  assert.equal((await audio.closed).code, 1006);
  const again = await hearsAgain(client, id, talk, hearsCustomer);
  const before = await people.played({ callRef: id });
  await until('the customer hears it again', async () => (await people.played({ callRef: id })) > before + 500, 20_000);
  client.send({ type: 'hang_up', call_id: id });
  assert.equal((await client.receive('ended')).reason, 'hung_up');
  await again.closed;
  const call = await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
  assert.equal(call.events.filter(({ type }: Json) => type === 'bridged').length, 1);
  await client.close();
});

test('while no gateway is up, a call whose gateway was killed can be hung up, and ends for the customer', async () => {
  const { id, client, audio } = await answerCaller();
  await gateway?.kill();
  await audio.closed;
  client.send({ type: 'hang_up', call_id: id });
  assert.equal((await client.receive('ended')).reason, 'hung_up');
  await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
  await until('the carrier has no leg left', async () => {
    const { legs } = await people.history({});
    return legs.every(({ callRef, state }) => callRef !== id || state === 'ended');
  });
  await client.close();
});

test('an announcement that a killed gateway has begun is spoken by the next one, once', async () => {
  const { id: agent, client } = await makeLoggedIn();
  const { id } = await make('/calls', { from: number.id, connect_to: agent, to: newPerson(), record: true });
  await client.receive('incoming');
  client.send({ type: 'answer', call_id: id });
  const audio = listen(await client.receiveMedia());
  await until('it hears that it is recorded', () => hearsSpeech(audio), 20_000);
  await startAnother();
  await audio.closed;
  const again = await hearsAgain(client, id, listen, hearsSpeech);
  const spoken = 'select 1 from web_client_speeches where call_id = $1 and ended_at is not null';
  await until('it has heard it', async () => (await sql(db, spoken, [id])).length === 1);
  again.socket.terminate();
  const third = await hearsAgain(client, id, listen, hearsCustomer);
  await until('it hears four seconds', () => third.audioOf('inbound').length > 32_000);
  // A stalled process skips pieces of the customer's tone. For a moment, the gaps sound like speech.
  assert.ok(speechMs(third) < 1_000, `it hears ${speechMs(third)} ms of the announcement once more`);
  assert.equal((await get(`/calls/${id}`)).status, 'in_progress');
  client.send({ type: 'hang_up', call_id: id });
  await client.receive('ended');
  await client.close();
});
