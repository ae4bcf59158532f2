/** Media streams of simulated calls, over real sockets. */
import assert from 'node:assert/strict';
import { decodeMulaw } from '../../src/audio/mulaw.ts';
import type { Json } from './events.ts';
import type { Harness } from './harness.ts';
import { until } from './jobs.ts';
import { openMediaClient } from './media-node.ts';

/** Waits until a call has a status. @returns the call */
export async function reachStatus(harness: Pick<Harness, 'call'>, callId: string, status: string): Promise<Json> {
  let call: Json;
  const hasReached = async () => {
    call = (await harness.call('GET', `/v1/calls/${callId}`)).body;
    return call.status === status;
  };
  await until(`the call is ${status}`, hasReached).catch((error) => {
    error.message += `\nThe call is: ${JSON.stringify(call)}`;
    throw error;
  });
  return call;
}

/** Opens a stream. Fails unless it is accepted. */
export async function startStream(harness: Pick<Harness, 'call'>, callId: string, fields: object = {}): Promise<Json> {
  const reply = await harness.call('POST', `/v1/calls/${callId}/streams`, { body: fields });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

/** Connects to a stream by its address and token. `host` replaces the host of the address. */
export function connectTo(stream: Json, host: string) {
  const url = new URL(stream.url);
  return openMediaClient(`${host.replace(/^http/, 'ws')}${url.pathname}?token=${stream.token}`);
}

/** Returns a track of the audio that a client received, decoded; or only its latest samples. */
export function heard(client: ReturnType<typeof openMediaClient>, track: string, latest = Infinity): Int16Array {
  const codes = client.audioOf(track);
  return decodeMulaw(codes.subarray(Math.max(0, codes.length - latest)));
}
