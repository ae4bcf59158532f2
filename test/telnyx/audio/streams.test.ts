import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/jobs.ts';
import { pcmOf, soundingOf } from './listening.ts';
import { type StreamMessage, useStreamServer } from './stream-server.ts';
import { ANN, BOB, useCallAudio } from './use-call-audio.ts';
import { toneFrames, voiceHz } from './voices.ts';

const { control, receiver, callIn, bridged, command, comes } = await useCallAudio();
const server = await useStreamServer();

const BOTH_WAYS = {
  stream_track: 'both_tracks',
  stream_codec: 'PCMU',
  stream_bidirectional_mode: 'rtp',
  stream_bidirectional_codec: 'PCMU',
  stream_bidirectional_sampling_rate: 8_000,
} as const;

const mediaOf = (messages: readonly StreamMessage[], track: string) =>
  messages.filter(({ media }) => media.track === track);

function tonesOf(messages: readonly StreamMessage[]): readonly number[] {
  return soundingOf(pcmOf(messages.map(({ media }) => Buffer.from(media.payload, 'base64')))).peaksHz;
}

/** The tones that a person has heard in the last half second. */
async function heardBy(phoneNumber: string): Promise<readonly number[]> {
  return (await control.heard({ phoneNumber, lastMs: 500 })).peaksHz;
}

/** Messages that play a tone for 400 ms. */
function toneMessages(frequencyHz: number): object[] {
  return toneFrames(frequencyHz, 400).map((frame) => ({
    event: 'media',
    media: { payload: Buffer.from(frame).toString('base64') },
  }));
}

test('a stream connects with its token, tells of the call, and carries both tracks and digits', async () => {
  const { ann } = await bridged();
  const asked = {
    ...BOTH_WAYS,
    stream_url: server.url,
    stream_auth_token: 'secret',
    client_state: 'c3RtXzE=',
    custom_parameters: [{ name: 'desk', value: '7' }],
  };
  assert.equal((await command(ann, 'streaming_start', asked)).status, 200);
  const stream = await server.connected();
  await control.say({ phoneNumber: ANN, ms: 400 });
  await control.say({ phoneNumber: BOB, ms: 400 });
  await control.press({ phoneNumber: ANN, digits: '5' });
  await stream.came('dtmf');
  const hasCarried = (track: string, phoneNumber: string) => {
    const messages = mediaOf(stream.of('media'), track);
    const isOver = messages.length >= 30 && tonesOf(messages.slice(-5)).length === 0;
    return isOver && tonesOf(messages).includes(voiceHz(phoneNumber));
  };
  await until('both have talked', () => hasCarried('inbound', ANN) && hasCarried('outbound', BOB));
  const media = stream.of('media');
  const [connected, start] = stream.messages;
  assert.equal(stream.headers['x-telnyx-streaming-auth-token'], 'secret');
  assert.deepEqual(connected, { event: 'connected', version: '1.0.0', 'x-telnyx-streaming-auth-token': 'secret' });
  const { call_control_id, client_state, custom_parameters, media_format } = start?.start ?? {};
  assert.deepEqual(
    [start?.event, call_control_id, client_state, custom_parameters],
    ['start', ann.call_control_id, 'c3RtXzE=', { desk: '7' }],
  );
  assert.deepEqual(media_format, { encoding: 'PCMU', sample_rate: 8_000, channels: 1 });
  const inbound = mediaOf(media, 'inbound');
  assert.deepEqual(
    inbound.slice(0, 3).map(({ media: { chunk, timestamp } }) => [chunk, timestamp]),
    [
      ['1', '0'],
      ['2', '20'],
      ['3', '40'],
    ],
  );
  assert.ok(tonesOf(inbound).includes(voiceHz(ANN)));
  assert.deepEqual(tonesOf(mediaOf(media, 'outbound')), [voiceHz(BOB)]);
  assert.equal(stream.of('dtmf')[0]?.dtmf.digit, '5');
  const numbers = stream.messages.slice(1).map(({ sequence_number }) => sequence_number);
  assert.deepEqual(
    numbers,
    numbers.map((_, at) => String(at + 1)),
  );
  const { payload } = await comes('streaming.started');
  assert.deepEqual([payload['client_state'], payload['stream_url']], ['c3RtXzE=', server.url]);
  assert.ok(!('stream_id' in payload));
});

test('a stream is stopped by a command and by the end of the call, with a last message and one report', async () => {
  const ann = await callIn();
  for (const action of ['streaming_stop', 'hangup']) {
    receiver.received.length = 0;
    const count = server.taken.length + 1;
    await command(ann, 'streaming_start', { stream_url: server.url, client_state: 'YQ==' });
    const stream = await server.connected(count);
    const media = await stream.came('media', 2);
    assert.deepEqual(mediaOf(media, 'outbound'), []);
    await command(ann, action, {});
    await stream.came('stop');
    const { payload } = await comes('streaming.stopped');
    assert.deepEqual([payload['client_state'], payload['stream_url']], ['YQ==', server.url]);
    assert.equal(stream.messages.at(-1)?.event, 'stop');
  }
});

test('what an application plays is heard by the target legs, and a mark comes back once it has been heard', async () => {
  const { ann } = await bridged();
  const count = server.taken.length + 1;
  const target = { stream_bidirectional_target_legs: 'self' };
  await command(ann, 'streaming_start', { ...BOTH_WAYS, ...target, stream_url: server.url });
  const stream = await server.connected(count);
  for (const message of toneMessages(900)) stream.send(message);
  stream.send({ event: 'mark', mark: { name: 'greeting' } });
  const [mark] = await stream.came('mark');
  assert.equal(mark?.mark.name, 'greeting');
  assert.deepEqual([await heardBy(ANN), await heardBy(BOB)], [[900], []]);
});

test('what an application plays is heard by the other leg by default; clear stops it and returns the marks', async () => {
  const { ann } = await bridged();
  const count = server.taken.length + 1;
  await command(ann, 'streaming_start', { ...BOTH_WAYS, stream_url: server.url });
  const stream = await server.connected(count);
  // 12 s.
  for (let time = 0; time < 30; time++) for (const message of toneMessages(900)) stream.send(message);
  stream.send({ event: 'mark', mark: { name: 'end' } });
  await until('Bob hears it', async () => (await heardBy(BOB)).includes(900));
  assert.deepEqual([await heardBy(ANN), stream.of('mark')], [[], []]);
  stream.send({ event: 'clear' });
  await stream.came('mark');
  await until('it is over', async () => (await control.heard({ phoneNumber: BOB, lastMs: 100 })).level === 0);
});

test('audio that cannot be played is answered with an error', async () => {
  const ann = await callIn();
  const count = server.taken.length + 1;
  await command(ann, 'streaming_start', { stream_url: server.url });
  const stream = await server.connected(count);
  // The mode is MP3 unless it is set.
  for (const message of toneMessages(900).slice(0, 1)) stream.send(message);
  stream.send({ event: 'jump' });
  const errors = await stream.came('error', 2);
  assert.deepEqual(
    errors.map(({ payload }) => payload.title),
    ['invalid_media', 'malformed_frame'],
  );
});

test('a call has one stream, to an address of a WebSocket, of mu-law', async () => {
  const ann = await callIn();
  const start = (more: object) => command(ann, 'streaming_start', { stream_url: server.url, ...more });
  assert.equal((await start({ stream_url: 'https://example.com' })).code, '90046');
  assert.equal((await start({ stream_codec: 'OPUS' })).code, '10015');
  assert.equal((await start({})).status, 200);
  assert.equal((await start({})).code, '90045');
});

test('a stream that cannot connect, or whose connection breaks, has failed and is not opened again', async () => {
  const ann = await callIn();
  await control.set({ streamsFail: true });
  await command(ann, 'streaming_start', { stream_url: server.url, client_state: 'YQ==' });
  const { payload } = await comes('streaming.failed');
  assert.match(`${payload['failure_reason']}`, /^connection_failed/);
  assert.ok(payload['stream_id']);
  assert.deepEqual([payload['stream_type'], payload['client_state']], ['websocket', 'YQ==']);
  await control.set({ streamsFail: false });
  receiver.received.length = 0;
  const count = server.taken.length + 1;
  await command(ann, 'streaming_start', { stream_url: server.url });
  (await server.connected(count)).socket.terminate();
  assert.match(`${(await comes('streaming.failed')).payload['failure_reason']}`, /^connection_closed/);
  assert.equal(server.taken.length, count);
});

test('a fault changes the places of messages, by two at most, and loses none', async () => {
  const ann = await callIn();
  await control.set({ streamsShuffle: true });
  const count = server.taken.length + 1;
  await command(ann, 'streaming_start', { stream_url: server.url });
  const stream = await server.connected(count);
  await stream.came('media', 9);
  await command(ann, 'streaming_stop', {});
  await stream.came('stop');
  await control.set({ streamsShuffle: false });
  assert.equal(stream.messages[4]?.event, 'start', 'after the first three');
  const chunks = stream.of('media').map(({ media }) => Number(media.chunk));
  assert.deepEqual(chunks.slice(0, 6), [2, 3, 1, 5, 6, 4]);
  assert.deepEqual(
    chunks.toSorted((one, other) => one - other),
    chunks.map((_, at) => at + 1),
  );
});

test('a fault sends another codec than was asked for, and says so', async () => {
  const ann = await callIn();
  for (const [codec, rate] of [
    ['PCMA', 8_000],
    ['G722', 16_000],
  ] as const) {
    await control.set({ streamsCodec: codec });
    const count = server.taken.length + 1;
    await command(ann, 'streaming_start', { stream_url: server.url });
    const stream = await server.connected(count);
    await stream.came('media', 2);
    await command(ann, 'streaming_stop', {});
    await stream.came('stop');
    const [start] = stream.of('start');
    assert.deepEqual(start?.start.media_format, { encoding: codec, sample_rate: rate, channels: 1 });
    const payload = Buffer.from(stream.of('media')[0]?.media.payload ?? '', 'base64');
    assert.equal(payload.length, 160);
    // The smallest values of A-law: silence.
    if (codec === 'PCMA') assert.ok(payload.every((code) => code === 0xd5 || code === 0x55));
  }
  await control.set({ streamsCodec: 'PCMU' });
});

test('emptying the account closes its streams without a report', async () => {
  const ann = await callIn();
  const count = server.taken.length + 1;
  await command(ann, 'streaming_start', { stream_url: server.url });
  const stream = await server.connected(count);
  await stream.came('media');
  await control.reset({});
  await until('the socket is closed', async () => stream.socket.readyState === stream.socket.CLOSED);
  await control.settled({});
  assert.deepEqual(await control.webhooks({ type: 'streaming.stopped' }), []);
});
