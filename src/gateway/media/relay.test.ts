import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { type MediaNodeOptions, openMediaClient, useMediaNodes } from '../../../test/support/media-node.ts';
import { sleep } from '../../../test/support/stepping-time.ts';
import { createHeartbeat } from '../../http/sockets/heartbeat.ts';
import { openRelay } from './relay.ts';

const start = useMediaNodes();

/** The node with the audio, and the node that clients connect to. */
async function startPair(options: { holder?: MediaNodeOptions; front?: MediaNodeOptions } = {}) {
  const holder = await start({ nodeId: 'holder', ...options.holder });
  const find = async (nodeId: string) => (nodeId === 'holder' ? holder.url : undefined);
  const front = await start({ nodeId: 'front', nodes: { find }, ...options.front });
  const open = (id: string, stream = {}) =>
    openMediaClient(holder.addStream(id, stream).replace(holder.url, front.url));
  return { holder, front, open };
}

test('a client of any node reaches the audio on another, in both directions', async () => {
  const { holder, front, open } = await startPair();
  const client = open('stm_1');
  await client.until((messages) => messages.length > 4);
  assert.equal(client.messages[0]?.event, 'start');
  const audio = Uint8Array.from({ length: 800 }, (_, i) => i % 250);
  client.send({ event: 'media', payload: Buffer.from(audio).toString('base64') });
  client.send({ event: 'mark', name: 'end' });
  await client.until((messages) => messages.some(({ event }) => event === 'mark'));
  const heard = client.audioOf('outbound');
  const begin = heard.indexOf(0);
  assert.deepEqual(heard.slice(begin, begin + 800), audio);
  assert.deepEqual(front.gateway.sockets, { streams: 0, ingests: 0, relays: 1 });
  assert.deepEqual(holder.gateway.sockets, { streams: 1, ingests: 0, relays: 0 });
});

test('the other node checks tokens, and its close codes reach the client', async () => {
  const { holder, open } = await startPair();
  const client = open('stm_1');
  await client.until((messages) => messages.length > 1);
  const again = openMediaClient(holder.addStream('stm_2').replace('token-', 'token-x'));
  assert.equal((await again.closed).code, 4401);
  client.send({ event: 'nonsense' });
  assert.deepEqual(await client.closed, { code: 4400, reason: 'event is none of media, mark, clear' });
});

test('a client that disconnects ends its stream on the other node', async () => {
  const { holder, front, open } = await startPair();
  const client = open('stm_1');
  await client.until((messages) => messages.length > 1);
  client.socket.terminate();
  while (!holder.endings.has('stm_1')) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(holder.endings.get('stm_1')?.reason, 'client_closed');
  assert.equal(front.gateway.sockets.relays, 0);
});

test('an unknown node, or one that does not answer, closes the client with 1013', async () => {
  const { front } = await startPair();
  const client = openMediaClient(front.addStream('stm_1', { nodeId: 'elsewhere' }));
  assert.equal((await client.closed).code, 1013);
  const dead = await start({ nodeId: 'front2', nodes: { find: async () => 'ws://127.0.0.1:1' } });
  assert.equal((await openMediaClient(`${dead.url}/v1/streams/x/stm_1?token=x`).closed).code, 1013);
});

test('if the node is gone, a used token still gives 4401 and an unknown stream 4404', async () => {
  const { front } = await startPair();
  const used = openMediaClient(front.addStream('stm_1', { nodeId: 'elsewhere', token: undefined }));
  assert.equal((await used.closed).code, 4401);
  const none = openMediaClient(`${front.url}/v1/streams/elsewhere/stm_2?token=x`);
  assert.equal((await none.closed).code, 4404);
});

test('a node that is lost during a stream closes the client with 1012', async () => {
  const sockets = new Set<Socket>();
  const { holder } = await startPair();
  const tunnel = createServer((near) => {
    const socket = connect(Number(holder.url.split(':')[2]), '127.0.0.1');
    sockets.add(near).add(socket);
    near
      .on('error', () => undefined)
      .pipe(socket.on('error', () => undefined))
      .pipe(near);
  });
  tunnel.listen(0, '127.0.0.1');
  await once(tunnel, 'listening');
  const url = `ws://127.0.0.1:${(tunnel.address() as AddressInfo).port}`;
  const front = await start({ nodeId: 'front3', nodes: { find: async () => url } });
  const client = openMediaClient(holder.addStream('stm_1').replace(holder.url, front.url));
  await client.until((messages) => messages.length > 1);
  for (const socket of sockets) socket.destroy();
  assert.equal((await client.closed).code, 1012);
  tunnel.close();
});

test('a handshake is forwarded at most once: two nodes that each take the other for a third do not loop', async () => {
  let other = '';
  const first = await start({ nodeId: 'first', nodes: { find: async () => other } });
  const second = await start({ nodeId: 'second', nodes: { find: async () => first.url } });
  other = second.url;
  assert.equal((await openMediaClient(`${first.url}/v1/streams/third/stm_1?token=x`).closed).code, 4404);
});

test('draining a relaying node closes its clients with 1012, and the streams end', async () => {
  const { holder, front, open } = await startPair();
  const client = open('stm_1');
  await client.until((messages) => messages.length > 1);
  await front.gateway.drain(0);
  assert.equal((await client.closed).code, 1012);
  while (!holder.endings.has('stm_1')) await new Promise((resolve) => setImmediate(resolve));
});

const atLoopback = { port: 0, host: '127.0.0.1', perMessageDeflate: false };

/** A relay alone, between a client and a bare socket in place of the node with the audio. */
async function openBetween(onHolder: (socket: WebSocket) => void = () => undefined) {
  const holder = new WebSocketServer(atLoopback);
  const front = new WebSocketServer(atLoopback);
  await Promise.all([holder, front].map((server) => once(server, 'listening')));
  const urlOf = (server: WebSocketServer) => `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  holder.on('connection', onHolder);
  const held = once(holder, 'connection').then(([socket]) => socket as WebSocket);
  const joined = once(front, 'connection').then(([client, request]) => {
    client.pause();
    const connection = request.socket;
    const onEnd = () => undefined;
    const heartbeat = createHeartbeat(60_000);
    openRelay({ client, connection, url: urlOf(holder), token: 'x', nodeId: 'front', heartbeat, onEnd });
    return { client: client as WebSocket, heartbeat };
  });
  const reader = new WebSocket(urlOf(front), { perMessageDeflate: false });
  const close = () => {
    for (const server of [holder, front]) {
      for (const socket of server.clients) socket.terminate();
      server.close();
    }
  };
  return { reader, held, joined, close };
}

test('while one side is not read the other is not read either: the bytes between them are bounded', async () => {
  const count = 3_000;
  const size = 16 * 1024;
  const { reader, joined, close } = await openBetween((socket) => {
    for (let n = 0; n < count; n++) socket.send(String(n).padEnd(size));
  });
  const received: number[] = [];
  reader.on('message', (message) => received.push(Number(String(message))));
  reader.on('open', () => reader.pause());
  const { client } = await joined;
  while (client.bufferedAmount === 0) await new Promise((resolve) => setImmediate(resolve));
  for (let n = 0; n < 300; n++) {
    assert.ok(client.bufferedAmount <= 64 * 1024 + 5 * size, String(client.bufferedAmount));
    await new Promise((resolve) => setImmediate(resolve));
  }
  reader.resume();
  while (received.length < count) await new Promise((resolve) => setImmediate(resolve));
  received.forEach((n, i) => {
    assert.equal(n, i);
  });
  close();
});

/** Opens a relay, and passes a first message through it. */
async function openThrough() {
  const { reader, held, joined, close } = await openBetween((socket) => socket.send('hello'));
  await once(reader, 'message');
  return { reader, socket: await held, ...(await joined), close };
}

test('the client itself answers the pings of the node with the audio, in their place', async () => {
  const { reader, socket, heartbeat, close } = await openThrough();
  const received: string[] = [];
  const pongs: string[] = [];
  reader.on('message', (message) => received.push(String(message)));
  reader.on('ping', (ping) => received.push(`ping ${ping}`));
  socket.on('pong', (pong) => pongs.push(String(pong)));
  reader.pause();
  socket.send('before');
  socket.ping('25');
  socket.send('after');
  heartbeat.beat();
  const answeredEarly = once(socket, 'pong').then(() => 'answered');
  assert.notEqual(await Promise.race([answeredEarly, sleep(100)]), 'answered');
  reader.resume();
  while (!pongs.includes('25')) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    received.filter((what) => what !== 'ping '),
    ['before', 'ping 25', 'after'],
  );
  heartbeat.beat();
  const [again] = await once(reader, 'ping');
  assert.equal(String(again), '25', 'the relay repeats that ping, so that one answer serves both');
  close();
});

test('a client that the other node cuts off for its silence is cut off here, and not closed with 1012', async () => {
  for (const [checks, code] of [
    [0, 1012],
    [1, 1006],
  ] as const) {
    const { reader, socket, client, heartbeat, close } = await openThrough();
    const closed = once(
      reader.on('error', () => undefined),
      'close',
    );
    reader.pause();
    for (let n = 0; n < checks; n++) heartbeat.beat();
    socket.terminate();
    while (client.readyState === client.OPEN) await new Promise((resolve) => setImmediate(resolve));
    reader.resume();
    assert.equal((await closed)[0], code);
    close();
  }
});

test('both sides are pinged: a client that does not answer is cut off', async () => {
  const { holder, front } = await startPair({ front: { heartbeatMs: 60 } });
  const url = holder.addStream('stm_1').replace(holder.url, front.url);
  const client = openMediaClient(url, { autoPong: false });
  // The client sends nothing from the start. The messages that it receives do not keep it open.
  assert.equal((await client.closed).code, 1006);
});
