import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebSocket as WsWebSocket } from 'ws';
import { decodeMulaw as decodeByServer, encodeMulaw as encodeByServer } from '../../../src/audio/mulaw.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/jobs.ts';
import { powerAt, powerOf } from '../../../test/support/tone-power.ts';
import {
  type AudioFrame,
  decodeMulaw,
  encodeMulaw,
  MediaConnection,
  type MediaOptions,
  resample,
  SAMPLE_RATE,
  type Track,
} from '../src/index.ts';
import { Playback } from '../src/playback.ts';
import { clientOf, makeSender } from './support/sender.ts';
import { useSocketProxy } from './support/socket-proxy.ts';

const harness = await useHarness();
const client = clientOf(harness);
const proxy = await useSocketProxy(new URL(harness.url));
const { number } = await makeSender(client);

/** A call that is in progress, and a connection to a new stream of it, with all that the connection has emitted. */
async function openStream(direction: 'fork' | 'bidirectional', options: MediaOptions = {}) {
  const call = await client.calls.create({ from: number.id, to: '+16025550143', connect_to: '+16025550117' });
  await until('the answer', async () => (await client.calls.get(call.id)).status === 'in_progress');
  const created = await client.mediaStreams.create(call.id, { direction, track: 'both' });
  const stream = { ...created, url: `ws://${proxy.host}${new URL(created.url).pathname}` };
  const media = new MediaConnection(stream, options);
  const frames: AudioFrame[] = [];
  const happened: string[] = [];
  media.on('audio', (frame) => frames.push(frame));
  media.on('start', ({ callId, tracks }) => happened.push(`start ${callId === call.id} ${tracks}`));
  media.on('dtmf', ({ digit, track }) => happened.push(`dtmf ${digit} ${track}`));
  media.on('stop', ({ reason }) => happened.push(`stop ${reason}`));
  media.on('close', ({ code }) => happened.push(`close ${code}`));
  const audioOf = (track: Track) =>
    Int16Array.from(frames.flatMap((frame) => (frame.track === track ? [...frame.pcm] : [])));
  return { call, stream, media, frames, happened, audioOf };
}

const tone = (hz: number, seconds: number, rate = SAMPLE_RATE) =>
  Int16Array.from({ length: seconds * rate }, (_, at) => 12_000 * Math.sin((2 * Math.PI * hz * at) / rate));

test('a fork receives both tracks without gaps, digits, and the end', async () => {
  const { call, media, frames, happened, audioOf } = await openStream('fork');
  await media.connect();
  await until('a second of both tracks', () => frames.length >= 100);
  for (const track of ['inbound', 'outbound'] as const) {
    const trackFrames = frames.filter((frame) => frame.track === track);
    assert.deepEqual(
      trackFrames.map(({ seq }) => seq),
      trackFrames.map((_, index) => index + 1),
    );
    assert.ok(trackFrames.every(({ lost, timestampMs, seq }) => lost === 0 && timestampMs === (seq - 1) * 20));
  }
  const inbound = audioOf('inbound');
  // The tone is on half of the time.
  assert.ok(powerAt(inbound, 440) > 0.3 * powerOf(inbound), 'the customer is heard as 440 Hz');
  assert.throws(() => media.play(new Int16Array(160)), { code: 'invalid_argument' });
  await client.test.dtmfCall(call.id, { digits: '5' });
  await until('the digit', () => happened.includes('dtmf 5 inbound'));
  await client.calls.hangUp(call.id);
  await until('the end', () => happened.at(-1) === 'close 1000');
  assert.deepEqual(happened, ['start true inbound,outbound', 'dtmf 5 inbound', 'stop call_ended', 'close 1000']);
});

test('what is played is heard as it is, and play resolves at its end', async () => {
  const { media, audioOf } = await openStream('bidirectional', { WebSocket: WsWebSocket });
  await media.connect();
  const start = performance.now();
  const [first, second] = [tone(1000, 0.7), encodeMulaw(tone(1500, 0.5))];
  assert.deepEqual(await Promise.all([media.play(first), media.play(second)]), ['played', 'played']);
  assert.ok(performance.now() - start > 1_100, 'not before the audio is over');
  const outbound = audioOf('outbound');
  const at = outbound.findIndex((sample) => Math.abs(sample) > 1_000) - 1;
  const played = Buffer.concat([encodeMulaw(first), second]);
  await until('the rest', () => audioOf('outbound').length >= at + played.length);
  assert.deepEqual(Buffer.from(encodeByServer(audioOf('outbound').slice(at, at + played.length))), played);
  assert.equal(await media.play(new Int16Array(0)), 'played');
  media.close();
});

test('clear drops what was not played', async () => {
  const { media, audioOf } = await openStream('bidirectional');
  await media.connect();
  // The server has all of the first clip, a part of the second clip, and nothing of the third.
  const clips = [10, 120, 1].map((seconds) => media.play(tone(1000, seconds)));
  media.clear();
  assert.deepEqual(await Promise.all(clips), ['cleared', 'cleared', 'cleared']);
  assert.equal(await media.play(tone(1500, 0.2)), 'played');
  const heard = audioOf('outbound').filter((sample) => Math.abs(sample) > 1_000);
  assert.ok(heard.length < 5 * SAMPLE_RATE, 'nothing of the two minutes was played');
  media.close();
});

test('the end of the call ends what is playing', async () => {
  const { call, media } = await openStream('bidirectional');
  await media.connect();
  const playing = media.play(tone(1000, 30));
  await client.calls.hangUp(call.id);
  assert.equal(await playing, 'ended');
  assert.equal(await media.play(tone(1000, 1)), 'ended');
});

test('a token works once', async () => {
  const { stream, media } = await openStream('fork');
  await media.connect();
  await assert.rejects(new MediaConnection(stream).connect(), { code: 'login_refused' });
  media.close();
});

test('a node that cannot be reached is tried again', async () => {
  const { media, happened } = await openStream('fork');
  proxy.refuse(true);
  const before = proxy.count();
  const connecting = media.connect();
  await until('an attempt', () => proxy.count() > before);
  proxy.refuse(false);
  await connecting;
  assert.deepEqual(happened, ['start true inbound,outbound']);
  media.close();
});

test('close ends an attempt to connect', async () => {
  const { media } = await openStream('fork');
  proxy.refuse(true);
  const connecting = media.connect();
  media.close();
  await assert.rejects(connecting, { code: 'disconnected' });
  proxy.refuse(false);
});

test('the server never has more than it keeps, and gets all', async () => {
  let [waiting, longest, bytes] = [0, 0, 0];
  const marks: { name: string; bytes: number }[] = [];
  const playback = new Playback((message) => {
    if (message.event === 'media') {
      waiting += atob(message.payload).length;
      bytes += atob(message.payload).length;
      longest = Math.max(longest, waiting);
    }
    if (message.event === 'mark')
      marks.push({ name: message.name, bytes: waiting - marks.reduce((sum, mark) => sum + mark.bytes, 0) });
  });
  const ends = [playback.add(new Uint8Array(130 * 8_000)), playback.add(new Uint8Array(100))];
  for (let mark = marks.shift(); mark !== undefined; mark = marks.shift()) {
    waiting -= mark.bytes;
    playback.pass(mark.name);
  }
  assert.deepEqual(await Promise.all(ends), ['played', 'played']);
  assert.equal(bytes, 130 * 8_000 + 100);
  assert.ok(longest <= 480_000 && longest >= 300_000, `${longest} bytes at once`);
});

test('mu-law is that of the server, for every sample and every code', () => {
  const samples = Int16Array.from({ length: 65_536 }, (_, index) => index - 32_768);
  assert.deepEqual(Buffer.from(encodeMulaw(samples)), Buffer.from(encodeByServer(samples)));
  const codes = Uint8Array.from({ length: 256 }, (_, code) => code);
  assert.deepEqual(decodeMulaw(codes), decodeByServer(codes));
});

test('resampling keeps what both rates can carry, and nothing else', () => {
  const up = resample(tone(1000, 1), 8_000, 24_000);
  assert.equal(up.length, 24_000);
  const original = tone(1000, 1, 24_000);
  const difference = up.map((sample, index) => sample - (original[index] ?? 0)).slice(1_000, -1_000);
  assert.ok(powerOf(difference) < powerOf(original) / 10_000, '40 dB below the tone');
  const down = resample(tone(6_000, 1, 24_000), 24_000, 8_000).slice(400, -400);
  assert.ok(powerOf(down) < powerOf(original) / 10_000, '6 kHz is no tone at 8 kHz');
  const kept = resample(tone(2_500, 1, 24_000), 24_000, 8_000).slice(400, -400);
  assert.ok(Math.abs(powerOf(kept) / powerOf(original) - 1) < 0.05, '2.5 kHz stays as loud');
});
