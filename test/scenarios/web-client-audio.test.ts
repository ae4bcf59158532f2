import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { decodeMulaw, encodeMulaw } from '../../src/audio/mulaw.ts';
import { every } from '../../src/lib/time/time.ts';
import { callIn, ringing, route } from '../support/calls.ts';
import { type Harness, startHarness, useHarness } from '../support/harness.ts';
import { until } from '../support/jobs.ts';
import { buyNumber, makeTenant } from '../support/numbers.ts';
import { powerAt, powerOf } from '../support/tone-power.ts';
import { logIn, makeWebClient } from '../support/web-clients.ts';

const harness = await useHarness();

/** Connects to the gateway, and collects the audio that it sends. */
async function listen(address: string, token: string, at: Pick<Harness, 'url'> = harness) {
  const { pathname } = new URL(address);
  const socket = new WebSocket(`${at.url.replace('http', 'ws')}${pathname}?token=${encodeURIComponent(token)}`);
  const codes: number[] = [];
  socket.on('message', (text) => {
    const message = JSON.parse(String(text));
    if (message.event === 'media') codes.push(...Buffer.from(message.payload, 'base64'));
  });
  await once(socket, 'open');
  return { socket, codes };
}

/** True if the latest half second has this tone in it, and hardly anything else. */
function hears(codes: readonly number[], frequencyHz: number): boolean {
  const pcm = decodeMulaw(Uint8Array.from(codes.slice(-4_000)));
  return powerOf(pcm) > 10_000 && powerAt(pcm, frequencyHz) > 0.8 * powerOf(pcm);
}

function toneFrame(frequencyHz: number, index: number): string {
  const pcm = Int16Array.from({ length: 160 }, (_, i) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * frequencyHz * (index * 160 + i)) / 8_000)),
  );
  return JSON.stringify({ event: 'media', payload: Buffer.from(encodeMulaw(pcm)).toString('base64') });
}

/** Makes a web client that has answered a caller, and returns the `media` message of its audio. */
async function answerCaller() {
  const tenantId = await makeTenant(harness);
  const number = await buyNumber(harness, tenantId);
  const webClient = await makeWebClient(harness, tenantId);
  await route(harness, { tenantId, number }, { open_behavior: ringing([webClient.id]) });
  const client = await logIn(harness, webClient.id);
  const { id } = await callIn(harness, { tenantId, number });
  await client.receive('incoming');
  client.send({ type: 'answer', call_id: id });
  const media = await client.receiveMedia();
  return { id: id as string, client, media };
}

test('a web client hears the customer of its call, and the customer hears the web client', async () => {
  const { id, client, media } = await answerCaller();
  const audio = await listen(media.url, media.token);
  await until('the web client hears the customer', () => hears(audio.codes, 440));

  const body = { direction: 'fork', track: 'outbound' };
  const { body: stream } = await harness.call('POST', `/v1/calls/${id}/streams`, { body });
  const customer = await listen(stream.url, stream.token);
  let said = 0;
  const talk = every(20, () => audio.socket.send(toneFrame(1_000, said++)));
  await until('the customer hears the web client', () => hears(customer.codes, 1_000));
  client.send({ type: 'mute', call_id: id, on: true });
  await until('the customer hears nothing', () => customer.codes.slice(-1_600).every((code) => code === 0xff));
  talk.cancel();

  client.send({ type: 'hang_up', call_id: id });
  assert.equal((await client.receive('ended')).reason, 'hung_up');
  customer.socket.terminate();
  audio.socket.terminate();
  await client.close();
});

test('a web client and the stream of its call hear each other on any gateways', async () => {
  const there = await startHarness({ databaseUrl: harness.databaseUrl, startWorkers: false });
  try {
    const { id, client, media } = await answerCaller();
    const { body: stream } = await harness.call('POST', `/v1/calls/${id}/streams`, { body: { track: 'outbound' } });
    const nodes = [media.url, stream.url].map((address) => new URL(address).pathname.split('/'));
    assert.equal(nodes[0]?.[4], nodes[1]?.[3]);
    const customer = await listen(stream.url, stream.token, harness);
    for (const [at, frequencyHz] of [
      [harness, 1_000],
      [there, 1_500],
    ] as const) {
      const audio = await listen(media.url, media.token, at);
      await until('the web client hears the customer', () => hears(audio.codes, 440));
      let said = 0;
      const talk = every(20, () => audio.socket.send(toneFrame(frequencyHz, said++)));
      await until('the customer hears the web client', () => hears(customer.codes, frequencyHz));
      talk.cancel();
    }
    customer.socket.terminate();
    client.send({ type: 'hang_up', call_id: id });
    await client.receive('ended');
    await client.close();
  } finally {
    await there.close();
  }
});

test('a web client whose audio is on a lost node is closed with 1013', async () => {
  const { client, media } = await answerCaller();
  const audio = await listen(media.url.replace(/[^/]+$/, 'gone'), media.token);
  const [code] = await once(audio.socket, 'close');
  assert.equal(code, 1013);
  await client.close();
});
