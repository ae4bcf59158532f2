/** Web clients of a live tenant over the wire carrier, and what is heard on their calls. */
import assert from 'node:assert/strict';
import { FRAME_SAMPLES } from '../../src/audio/frames.ts';
import { decodeMulaw, encodeMulaw } from '../../src/audio/mulaw.ts';
import { type Pcm, silence } from '../../src/audio/pcm.ts';
import { tonesFor } from '../../src/speech/speech-tones.ts';
import { time } from '../support/emulator-time.ts';
import { until } from '../support/jobs.ts';
import { openMediaClient } from '../support/media-node.ts';
import { newPerson } from '../support/messages.ts';
import { skipWhile } from '../support/stepping-time.ts';
import { powerAt, powerOf } from '../support/tone-power.ts';
import { logIn, makeWebClient, type WebClientSocket } from '../support/web-clients.ts';
import { useWireLine } from './wire-line.ts';

/** Where the audio of a web client's leg is. */
type MediaAddress = { readonly url: string; readonly token: string };

/** Connects a web client's audio. */
export function listen({ url, token }: MediaAddress) {
  return openMediaClient(`${url}?token=${encodeURIComponent(token)}`);
}

export type WebClientAudio = ReturnType<typeof listen>;

function play(audio: WebClientAudio, codes: Uint8Array): void {
  if (audio.socket.readyState !== audio.socket.OPEN) return;
  audio.send({ event: 'media', payload: Buffer.from(codes).toString('base64') });
}

/** Connects a web client's audio, which plays a different tone from now on. */
export function talk(address: MediaAddress): WebClientAudio {
  const audio = listen(address);
  const said = time.every(20, () => play(audio, new Uint8Array(160).fill(0x20)));
  audio.socket.on('close', () => said.cancel());
  return audio;
}

/** Says words at a web client, in real time. Resolves with the moment when they ended, in milliseconds. */
export async function say(audio: WebClientAudio): Promise<number> {
  const words = encodeMulaw(tonesFor('Can I come on Monday?'));
  const over = Promise.withResolvers<void>();
  let at = 0;
  const pacing = time.every(20, () => {
    if (at >= words.length) return over.resolve();
    play(audio, words.subarray(at, at + FRAME_SAMPLES));
    at += FRAME_SAMPLES;
  });
  await skipWhile(over.promise, 60_000);
  pacing.cancel();
  const endedMs = time.now();
  const pause = encodeMulaw(silence(1_000));
  for (let from = 0; from < pause.length; from += FRAME_SAMPLES)
    play(audio, pause.subarray(from, from + FRAME_SAMPLES));
  return endedMs;
}

/** The latest half second that a web client has heard. */
const latestOf = (audio: WebClientAudio) => decodeMulaw(audio.audioOf('inbound').subarray(-4_000));

/** The power of the latest half second. */
export function latestPower(audio: WebClientAudio): number {
  return powerOf(latestOf(audio));
}

/** True if a web client hears the customer's tone, and nothing else. */
export function hearsCustomer(audio: WebClientAudio): boolean {
  const pcm = latestOf(audio);
  return powerOf(pcm) > 10_000 && powerAt(pcm, 440) > 0.8 * powerOf(pcm);
}

const WINDOW = 800;

/** Counts the milliseconds of loud audio that is not the customer's tone. */
function countSpeechMs(pcm: Pcm): number {
  const count = Math.floor(pcm.length / WINDOW);
  const isSpeech = (window: { start: number; length: number }) =>
    powerOf(pcm, window) > 10_000 && powerAt(pcm, 440, window) < 0.5 * powerOf(pcm, window);
  return Array.from({ length: count }, (_, n) => ({ start: n * WINDOW, length: WINDOW })).filter(isSpeech).length * 100;
}

/** Counts the milliseconds of other audio than the customer's tone that a web client has received. */
export function speechMs(audio: WebClientAudio): number {
  return countSpeechMs(decodeMulaw(audio.audioOf('inbound')));
}

/** True if a web client hears something other than the customer's tone. */
export function hearsSpeech(audio: WebClientAudio): boolean {
  return countSpeechMs(latestOf(audio)) >= 300;
}

export type Agent = { readonly id: string; readonly client: WebClientSocket };

/** Starts a product and its carrier for the tests of the file, as `useWireLine` does. */
export async function useWireAgents(...options: Parameters<typeof useWireLine>) {
  const line = await useWireLine(...options);
  const { harness, key, make, untilHas, tenant, number } = line;
  const { people } = line.wire;
  const serving = {
    url: harness.url,
    call: ((method, path, asked = {}) => harness.call(method, path, { key, ...asked })) as typeof harness.call,
  };

  /** Lets calls to the number ring these targets. */
  const ringAt = async (targets: readonly string[], fields: object = {}): Promise<void> => {
    const routing = await make('/routing_configs', {
      tenant_id: tenant.id,
      name: 'Front desk',
      open_behavior: { type: 'ring', targets, timeout_seconds: 30, ...fields },
    });
    const patch = { key, body: { routing_config_id: routing.id } };
    const reply = await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, patch);
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
  };

  /** Makes a web client that is logged in. */
  const makeLoggedIn = async (): Promise<Agent> => {
    const { id } = await makeWebClient(serving, tenant.id);
    return { id, client: await logIn(serving, id) };
  };

  /** Makes a web client that is logged in, and that calls to the number ring. */
  const makeAgent = async (fields: object = {}): Promise<Agent> => {
    const agent = await makeLoggedIn();
    await ringAt([agent.id], fields);
    return agent;
  };

  /** Calls the number. Resolves with the call's id once the call has arrived. */
  const callIn = async (script?: string): Promise<string> => {
    const call = { from: newPerson(), to: number.phone_number };
    const { callRef } = await people.callIn({ ...call, ...(script !== undefined && { script }) });
    const path = `/v1/calls/${callRef}`;
    await until('the call has arrived', async () => (await harness.call('GET', path, { key })).status === 200);
    return callRef;
  };

  /** Lets a web client answer a caller. Resolves when both hear each other. */
  const answerCaller = async () => {
    const agent = await makeAgent();
    const { client } = agent;
    const id = await callIn();
    assert.equal((await client.receive('incoming')).call_id, id);
    client.send({ type: 'answer', call_id: id });
    const audio = talk(await client.receiveMedia());
    await untilHas(`/calls/${id}`, { status: 'in_progress', answered_by: `web_client:${agent.id}` });
    await until('the web client hears the customer', () => hearsCustomer(audio), 20_000);
    await until('the customer hears the web client', async () => (await people.played({ callRef: id })) > 500, 20_000);
    return { agent: agent.id, client, id, audio };
  };

  return { ...line, people, ringAt, makeLoggedIn, makeAgent, callIn, answerCaller };
}
