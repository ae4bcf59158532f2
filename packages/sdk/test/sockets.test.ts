/** The socket clients in cases that a real server shows rarely, after an hour, or under load. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebSocket as ServerSocket } from 'ws';
import { closeAfterTests } from '../../../test/support/close-after-tests.ts';
import { until } from '../../../test/support/jobs.ts';
import { type AudioFrame, type Event, MediaConnection, Realtime, type RealtimeOptions } from '../src/index.ts';
import { useSocketServer } from './support/socket-server.ts';

const eventOf = (index: number) =>
  ({ id: `evt_${String(index).padStart(6, '0')}`, object: 'event', type: 'balance.low', sequence: index }) as Event;

function listen(url: string, options: Partial<RealtimeOptions> = {}) {
  const realtime = new Realtime({ token: async () => ({ token: 'svcrt_x', url }), ...options });
  const waits: number[] = [];
  const ids: string[] = [];
  realtime.on('disconnected', ({ waitMs }) => waits.push(waitMs));
  realtime.on('event', ({ id }) => ids.push(id));
  closeAfterTests(() => realtime.close());
  return { realtime, waits, ids };
}

const closeWith = (code: number) => (socket: ServerSocket) => socket.close(code);

test('after the hour of a token the next connection follows at once, after a restart within 2 s, else with back-off', async () => {
  for (const [code, least, most] of [
    [4408, 0, 0],
    [1012, 0, 2_000],
    [1013, 500, 1_000],
    [4429, 500, 1_000],
  ] as const) {
    const { url } = await useSocketServer(closeWith(code), () => undefined);
    const { realtime, waits } = listen(url);
    const again = new Promise((resolve) => realtime.on('gap', resolve));
    realtime.connect();
    await again;
    assert.equal(waits.length, 1);
    assert.ok((waits[0] ?? -1) >= least && (waits[0] ?? -1) <= most, `${code}: ${waits[0]} ms`);
    realtime.close();
  }
});

test('the waits grow while no connection lasts', async () => {
  const { url } = await useSocketServer(closeWith(1013));
  const { realtime, waits } = listen(url);
  realtime.connect();
  await until('three failures', () => waits.length === 3, 10_000);
  realtime.close();
  assert.ok(
    waits.every((waitMs, index) => waitMs >= 500 * 2 ** index && waitMs <= 1_000 * 2 ** index),
    waits.join(),
  );
});

test('in a long stream of events the position follows, and nothing is repeated', async () => {
  const total = 2_500;
  const all = Array.from({ length: total }, (_, index) => eventOf(index + 1));
  const reads: (string | undefined)[] = [];
  const history = {
    newest: async () => undefined,
    async *after(id: string | undefined) {
      reads.push(id);
      // The history shows an event a moment later than the socket.
      for (const event of all) if (id === undefined || event.id > id) if (event.sequence <= sent - 10) yield event;
    },
  };
  let sent = 0;
  const { url } = await useSocketServer((socket) => {
    const sendSome = () => {
      for (const event of all.slice(sent, sent + 100)) socket.send(JSON.stringify(event));
      sent += 100;
      if (sent < total) setImmediate(sendSome);
    };
    sendSome();
  });
  const { realtime, ids } = listen(url, { history, checkSeconds: 3_600 });
  realtime.connect();
  await until('all events', () => ids.length >= total);
  await until('two comparisons', () => reads.length >= 2);
  assert.deepEqual(
    ids,
    all.map(({ id }) => id),
  );
  assert.ok((realtime.position ?? '') > eventOf(900).id, `the position is ${realtime.position}`);
  realtime.close();
});

test('a history that cannot be read is read again with the next connection', async () => {
  const { url, connectedAtMs } = await useSocketServer(() => undefined);
  let reads = 0;
  const history = {
    newest: async () => undefined,
    async *after() {
      reads += 1;
      if (reads === 1) throw new Error('the API is away');
      yield eventOf(7);
    },
  };
  const { realtime, ids } = listen(url, { history, after: eventOf(6).id });
  realtime.connect();
  await until('the event', () => ids.length === 1);
  assert.equal(connectedAtMs.length, 2);
  realtime.close();
});

test('an error of a listener is uncaught, and the other listeners run', async () => {
  const { url } = await useSocketServer((socket) => socket.send(JSON.stringify(eventOf(1))));
  const broken = new Error('the listener is broken');
  const first = new Realtime({ token: async () => ({ token: 'x', url }) });
  const heard: string[] = [];
  first.on('event', () => {
    throw broken;
  });
  first.on('event', ({ id }) => heard.push(id));
  const listeners = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  const uncaught = new Promise((resolve) => process.once('uncaughtException', resolve));
  first.connect();
  const error = await uncaught;
  for (const listener of listeners) process.on('uncaughtException', listener);
  assert.equal(error, broken);
  assert.deepEqual(heard, [eventOf(1).id]);
  first.close();
});

const media = (seq: number) =>
  JSON.stringify({
    event: 'media',
    track: 'inbound',
    seq,
    timestamp_ms: (seq - 1) * 20,
    payload: btoa('\xff'.repeat(160)),
  });
const START = JSON.stringify({ event: 'start', stream_id: 'stm_1', call_id: 'call_1', tracks: ['inbound'] });

test('dropped frames are counted', async () => {
  const { url } = await useSocketServer((socket) => {
    for (const text of [START, media(1), media(2), media(5), media(6)]) socket.send(text);
  });
  const connection = new MediaConnection({ url, token: 'x' });
  const frames: AudioFrame[] = [];
  connection.on('audio', (frame) => frames.push(frame));
  await connection.connect();
  await until('the frames', () => frames.length === 4);
  assert.deepEqual(
    frames.map(({ lost }) => lost),
    [0, 0, 2, 0],
  );
  assert.deepEqual([...(frames[0]?.pcm ?? [])], new Array(160).fill(0));
  connection.close();
});

test('a node that stops or is full is tried again with the same token, one that refuses is not', async () => {
  for (const code of [1012, 1013]) {
    const { url, connectedAtMs } = await useSocketServer(closeWith(code), (socket) => socket.send(START));
    const connection = new MediaConnection({ url, token: 'x' });
    await connection.connect();
    assert.equal(connectedAtMs.length, 2);
    connection.close();
  }
  const { url, connectedAtMs } = await useSocketServer((socket) => socket.close(4404, 'the stream has ended'));
  const refused = new MediaConnection({ url, token: 'x' }).connect();
  await assert.rejects(refused, {
    code: 'disconnected',
    message: 'The stream was closed with 4404: the stream has ended.',
  });
  assert.equal(connectedAtMs.length, 1);
});

test('a stream that ended while the client connected is not opened again', async () => {
  const { url, connectedAtMs } = await useSocketServer((socket) => {
    socket.send(JSON.stringify({ event: 'stop', reason: 'carrier_error' }));
    socket.close(1012);
  });
  const connection = new MediaConnection({ url, token: 'x', direction: 'bidirectional' });
  const closed = new Promise((resolve) => connection.on('close', ({ code }) => resolve(code)));
  let reason = '';
  connection.on('stop', (end) => {
    reason = end.reason;
  });
  await connection.connect();
  assert.deepEqual([await closed, reason, connectedAtMs.length], [1012, 'carrier_error', 1]);
  assert.equal(await connection.play(new Uint8Array(160)), 'ended');
});

test('without a WebSocket the error says what to pass', async () => {
  const { url } = await useSocketServer(() => undefined);
  const original = globalThis.WebSocket;
  Reflect.deleteProperty(globalThis, 'WebSocket');
  try {
    await assert.rejects(new MediaConnection({ url, token: 'x' }).connect(), {
      code: 'invalid_argument',
      message: /package ws/,
    });
    const { realtime } = listen(url);
    const closed = new Promise<{ error: unknown }>((resolve) => realtime.on('closed', resolve));
    realtime.connect();
    assert.equal(((await closed).error as { code: string }).code, 'invalid_argument');
  } finally {
    globalThis.WebSocket = original;
  }
});
