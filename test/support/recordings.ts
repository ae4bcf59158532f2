/** Recordings, voicemails and transcripts of calls on the simulated network. */
import assert from 'node:assert/strict';
import { samplesOf } from '../../src/audio/pcm.ts';
import { decodeWav } from '../../src/audio/wav.ts';
import { callIn, ringing, route, voicemail } from './calls.ts';
import type { Json } from './events.ts';
import type { Harness } from './harness.ts';
import { newPerson, read } from './messages.ts';
import type { Line } from './numbers.ts';

/** Returns the audio at a path of the API. Fails unless it can be fetched. */
export async function listen(harness: Harness, path: string, key = harness.account.test_key): Promise<Int16Array> {
  const reply = await fetch(`${harness.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(reply.status, 200, path);
  assert.equal(reply.headers.get('content-type'), 'audio/wav');
  const { pcm, sampleRateHz } = decodeWav(new Uint8Array(await reply.arrayBuffer()));
  assert.equal(sampleRateHz, 8_000);
  return pcm;
}

/** Returns a stretch of audio, by milliseconds from its start. */
export function stretch(fromMs: number, toMs: number) {
  return { start: samplesOf(fromMs), length: samplesOf(toMs - fromMs) };
}

/** Places a click-to-call. Returns it when its parties are joined. */
export async function talk(harness: Harness, line: Line, fields: object = {}): Promise<Json> {
  const body = { from: line.number.id, to: newPerson(), connect_to: newPerson(), ...fields };
  const placed = await harness.call('POST', '/v1/calls', { body });
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  await harness.advance(3);
  let call = await read(harness, `/calls/${placed.body.id}`);
  // On a busy machine the answers may take longer.
  for (let times = 0; times < 4 && call.status !== 'in_progress'; times++) {
    await harness.advance(0.25);
    call = await read(harness, `/calls/${placed.body.id}`);
  }
  assert.equal(call.status, 'in_progress');
  return call;
}

/** Calls a number, leaves a message in its voicemail, and returns the ended call. */
export async function leaveMessage(
  harness: Harness,
  line: Line,
  { config = {}, message = {} }: { config?: object; message?: object } = {},
): Promise<Json> {
  const no_answer = { ...voicemail, ...config };
  await route(harness, line, { open_behavior: ringing([newPerson()], { no_answer }) });
  const { id } = await callIn(harness, line);
  await harness.advance(0);
  const played = await harness.call('POST', `/v1/test/calls/${id}/voicemail`, { body: message });
  assert.equal(played.status, 200, JSON.stringify(played.body));
  await harness.advance(30);
  const call = await read(harness, `/calls/${id}`);
  assert.equal(call.outcome, 'voicemail', JSON.stringify(call));
  return call;
}
