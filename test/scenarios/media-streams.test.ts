/** Streams of simulated calls over real sockets, in both directions. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeMulaw, encodeMulaw } from '../../src/audio/mulaw.ts';
import { type Pcm, samplesOf } from '../../src/audio/pcm.ts';
import { sine } from '../../src/audio/tones.ts';
import { decodeWav, encodeWav } from '../../src/audio/wav.ts';
import { MAGIC } from '../../src/carriers/simulated/magic-numbers.ts';
import { playParty, readCall } from '../support/calls.ts';
import { type Json, listEvents } from '../support/events.ts';
import { useHarness } from '../support/harness.ts';
import { until } from '../support/jobs.ts';
import { makeLine } from '../support/numbers.ts';
import { connectTo, heard, reachStatus, startStream } from '../support/streams.ts';
import { hasDigit, powerAt, powerOf } from '../support/tone-power.ts';
import { place } from '../support/voice.ts';

const harness = await useHarness();

/** A click-to-call whose parties talk. */
async function talk(fields: object = {}): Promise<string> {
  const { number } = await makeLine(harness);
  const { id } = await place(harness, number.id, fields);
  await reachStatus(harness, id, 'in_progress');
  return id;
}

async function open(callId: string, fields: object = {}) {
  const stream = await startStream(harness, callId, fields);
  const client = connectTo(stream, harness.url);
  await client.until((messages) => messages.some(({ event }) => event === 'start'));
  return { stream, client };
}

type Client = Awaited<ReturnType<typeof open>>['client'];

const hasHeard = (client: Client, track: string, ms: number) =>
  client.until(() => client.audioOf(track).length >= samplesOf(ms));

const PIECE = samplesOf(20);
/** Returns for each 20 ms whether the tone is present. */
function pulsesOf(pcm: Pcm, frequencyHz: number): boolean[] {
  return Array.from({ length: Math.floor(pcm.length / PIECE) }, (_, index) => {
    return powerAt(pcm, frequencyHz, { start: index * PIECE, length: PIECE }) > 1_000_000;
  });
}

/** Returns the lengths of runs of equal values, without the first and the last, which are incomplete. */
function runsOf(pulses: readonly boolean[]): { on: boolean; ms: number }[] {
  const runs: { on: boolean; ms: number }[] = [];
  for (const on of pulses) {
    const last = runs.at(-1);
    if (last?.on === on) last.ms += 20;
    else runs.push({ on, ms: 20 });
  }
  return runs.slice(1, -1);
}

/** Returns the position of a piece in a longer one, or -1. */
function placeOf(piece: Uint8Array, whole: Uint8Array): number {
  return Buffer.from(whole).indexOf(piece);
}

describe('a fork', () => {
  test('carries 440 Hz that pulses half a second on and half a second off as what the customer says', async () => {
    const { client } = await open(await talk());
    await hasHeard(client, 'inbound', 3_000);
    const pcm = heard(client, 'inbound');
    const runs = runsOf(pulsesOf(pcm, 440));
    assert.ok(runs.length >= 3, JSON.stringify(runs));
    for (const { ms } of runs) assert.ok(Math.abs(ms - 500) <= 20, JSON.stringify(runs));
    const pulses = pulsesOf(pcm, 440);
    const on = { start: (pulses.indexOf(false) + pulses.slice(pulses.indexOf(false)).indexOf(true) + 1) * PIECE };
    const pulse = { ...on, length: samplesOf(440) };
    assert.ok(powerAt(pcm, 440, pulse) > 0.98 * powerOf(pcm, pulse), 'there is more than the tone');
    const pause = { start: on.start + samplesOf(520), length: samplesOf(400) };
    assert.equal(powerOf(pcm, pause), 0);
    for (const off of [400, 480]) assert.ok(powerAt(pcm, off) < powerAt(pcm, 440) / 50, `${off} Hz`);
    const agent = heard(client, 'outbound');
    assert.ok(powerAt(agent, 620) > 50 * powerAt(agent, 440), 'the agent is heard on outbound');
    client.socket.close();
  });

  test('is numbered without a gap, every 20 ms', async () => {
    const { client } = await open(await talk());
    await hasHeard(client, 'inbound', 1_000);
    const media = client.messages.filter(({ event, track }) => event === 'media' && track === 'inbound');
    media.forEach((message, index) => {
      assert.equal(message['seq'], Number(media[0]?.['seq']) + index);
      assert.equal(message['timestamp_ms'], Number(media[0]?.['timestamp_ms']) + index * 20);
    });
    client.socket.close();
  });

  test('whose client connects at once is started, and heard, after the announcements', async () => {
    for (const announced of [{ listening_announcement: 'A machine listens to this call.' }, { record: true }]) {
      const callId = await talk(announced);
      const { stream, client } = await open(callId);
      await hasHeard(client, 'inbound', 100);
      const { events } = await readCall(harness, callId);
      const log = events.map(({ type }: Json) => type);
      assert.ok(log.indexOf('announcement_played') >= 0, log.join());
      assert.ok(log.indexOf('announcement_played') < log.indexOf('stream_started'), log.join());
      const { data } = (await harness.call('GET', `/v1/calls/${callId}/streams`)).body;
      const played = events.find(({ type }: Json) => type === 'announcement_played').at;
      assert.deepEqual([data[0].id, data[0].started_at >= played], [stream.id, true]);
      client.socket.close();
    }
  });

  test('of one track has only that track', async () => {
    const { client } = await open(await talk(), { track: 'inbound' });
    assert.deepEqual(client.messages[0]?.['tracks'], ['inbound']);
    await hasHeard(client, 'inbound', 300);
    assert.equal(client.audioOf('outbound').length, 0);
    client.socket.close();
  });

  test('carries speech in place of the tone, and digits', async () => {
    const callId = await talk();
    const { client } = await open(callId);
    await playParty(harness, callId, 'dtmf', { digits: '5' });
    await client.until((messages) => messages.some(({ event, digit }) => event === 'dtmf' && digit === '5'));
    const isKeyHeard = () => {
      const pcm = heard(client, 'inbound', samplesOf(1_000));
      return pulsesOf(pcm, 770).filter(Boolean).length >= 4 && pulsesOf(pcm, 1_336).filter(Boolean).length >= 4;
    };
    await client.until(isKeyHeard);
    client.socket.close();
  });

  test('reports a digit just before the frames of its tone, so that a client can ignore them', async () => {
    const callId = await talk();
    const { client } = await open(callId, { track: 'inbound' });
    await playParty(harness, callId, 'dtmf', { digits: '5' });
    const at = await client.until((messages) => messages.at(-1)?.event === 'dtmf' && client.audioOf('inbound').length);
    const audio = () => client.audioOf('inbound').subarray(at, at + 4 * PIECE);
    await client.until(() => audio().length === 4 * PIECE);
    assert.ok(hasDigit(decodeMulaw(audio()), '5'));
    client.socket.close();
  });

  test('carries digits that are played to the customer as outbound, and reports them', async () => {
    const callId = await talk();
    const { client } = await open(callId);
    await harness.call('POST', `/v1/calls/${callId}/dtmf`, { body: { digits: '9' } });
    await client.until(() => {
      const pcm = heard(client, 'outbound', samplesOf(1_000));
      return pulsesOf(pcm, 852).filter(Boolean).length >= 4 && pulsesOf(pcm, 1_477).filter(Boolean).length >= 4;
    });
    const keys = client.messages.filter(({ event }) => event === 'dtmf');
    assert.deepEqual(keys, [{ event: 'dtmf', digit: '9', track: 'outbound' }]);
    client.socket.close();
  });
});

/** A unique sound, as a WAV file has it. */
function makeWav(): { wav: Uint8Array; codes: Uint8Array } {
  const pcm = sine({ frequencyHz: 523.25, samples: samplesOf(600) }).map((sample, i) => sample - (i % 37));
  const wav = encodeWav(pcm);
  return { wav, codes: encodeMulaw(decodeWav(wav).pcm) };
}

describe('a bidirectional stream', () => {
  test('plays what its client sends, and sends it back as outbound, sample for sample', async () => {
    const { client } = await open(await talk(), { direction: 'bidirectional' });
    const { codes } = makeWav();
    client.send({ event: 'media', payload: Buffer.from(codes).toString('base64') });
    client.send({ event: 'mark', name: 'said' });
    await client.until((messages) => messages.some(({ event, name }) => event === 'mark' && name === 'said'));
    const at = placeOf(codes, client.audioOf('outbound'));
    assert.ok(at >= 0, 'the audio did not come back');
    assert.equal(at % PIECE, 0);
    const others = [...client.audioOf('outbound')].toSpliced(at, codes.length);
    assert.ok(
      others.every((code) => code === 0xff),
      'something else is heard',
    );
    client.socket.close();
  });

  test('clear ends playback, and its marks are sent at once', async () => {
    const { client } = await open(await talk(), { direction: 'bidirectional' });
    const long = encodeMulaw(sine({ frequencyHz: 523.25, samples: samplesOf(20_000) }));
    client.send({ event: 'media', payload: Buffer.from(long).toString('base64') });
    client.send({ event: 'mark', name: 'never' });
    const isPlayed = () => powerOf(heard(client, 'outbound', PIECE)) > 1_000_000;
    await client.until(isPlayed);
    client.send({ event: 'clear' });
    await client.until((messages) => messages.some(({ event, name }) => event === 'mark' && name === 'never'));
    await client.until(() => !isPlayed());
    assert.ok(client.audioOf('outbound').length < samplesOf(10_000));
    client.socket.close();
  });

  test('is in the recording of the call', async () => {
    const callId = await talk({ record: true });
    await until('it is recorded', async () =>
      (await readCall(harness, callId)).events.some(({ type }: Json) => type === 'recording_started'),
    );
    const { client, stream } = await open(callId, { direction: 'bidirectional' });
    const tone = encodeMulaw(sine({ frequencyHz: 1_150, samples: samplesOf(800) }));
    client.send({ event: 'media', payload: Buffer.from(tone).toString('base64') });
    client.send({ event: 'mark', name: 'said' });
    await client.until((messages) => messages.some(({ event }) => event === 'mark'));
    await harness.call('POST', `/v1/calls/${callId}/hangup`);
    assert.deepEqual((await client.closed).code, 1000);
    assert.equal((await listEvents(harness, stream.id)).at(-1)?.data.reason, 'call_ended');
    await until('the recording is there', async () => (await readCall(harness, callId)).recording_id !== null);
    const { recording_id } = await readCall(harness, callId);
    const { body } = await harness.call('GET', `/v1/recordings/${recording_id}`);
    const reply = await fetch(new URL(new URL(body.audio_url).pathname + new URL(body.audio_url).search, harness.url));
    const { pcm } = decodeWav(new Uint8Array(await reply.arrayBuffer()));
    const heardMs = pulsesOf(pcm, 1_150).filter(Boolean).length * 20;
    assert.ok(Math.abs(heardMs - 800) <= 40, `${heardMs} ms of what was played`);
  });
});

describe('its connection', () => {
  test('a second client is refused with 4401, while the first is connected and after it', async () => {
    const { client, stream } = await open(await talk());
    assert.equal((await connectTo(stream, harness.url).closed).code, 4401);
    client.socket.close();
    await client.closed;
    await until('the stream is over', async () => (await listEvents(harness, stream.id)).length === 2);
    assert.equal((await connectTo(stream, harness.url).closed).code, 4401);
  });

  test('ends with 1000 and a stop message when the stream is stopped', async () => {
    const callId = await talk();
    const { client, stream } = await open(callId);
    await harness.call('DELETE', `/v1/calls/${callId}/streams/${stream.id}`);
    assert.equal((await client.closed).code, 1000);
    assert.deepEqual(client.messages.at(-1), { event: 'stop', reason: 'api_request' });
  });

  test('ends the stream when the client closes it', async () => {
    const callId = await talk();
    const { client, stream } = await open(callId);
    client.socket.close();
    await until('it is over', async () => (await listEvents(harness, stream.id)).length === 2);
    const [, ended] = await listEvents(harness, stream.id);
    assert.deepEqual([ended?.type, ended?.data.reason], ['call.stream.stopped', 'client_closed']);
    assert.equal((await readCall(harness, callId)).status, 'in_progress');
  });

  test('ends if the audio is not available', async () => {
    const callId = await talk({ to: MAGIC.streamFails });
    const hurried = await startStream(harness, callId);
    assert.equal((await connectTo(hurried, harness.url).closed).code, 4404);
    const types = (await listEvents(harness, hurried.id)).map(({ type }) => type);
    assert.deepEqual(types, ['call.stream.failed']);
    const stream = await startStream(harness, callId);
    await until('it has failed', async () => (await listEvents(harness, stream.id)).length === 1);
    assert.equal((await connectTo(stream, harness.url).closed).code, 4404);
  });

  test('ends when its ledger is reset', async () => {
    const { client } = await open(await talk());
    assert.equal((await harness.call('POST', '/v1/test/reset')).status, 200);
    assert.equal((await client.closed).code, 1000);
    assert.deepEqual(client.messages.at(-1), { event: 'stop', reason: 'call_ended' });
  });
});
