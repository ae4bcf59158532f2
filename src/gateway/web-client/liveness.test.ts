import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { until } from '../../../test/support/jobs.ts';
import { createLiveness } from './liveness.ts';
import { say, sayIfRead, UNREAD_BYTES_MAX, UNREAD_BYTES_TO_SPARE } from './say.ts';

let server: WebSocketServer;
before(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
});
after(() => server.close());

/** Both ends of a connection. */
async function connect(options: { autoPong?: boolean } = {}) {
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, options);
  client.on('error', () => undefined);
  const [[webSocket]] = await Promise.all([once(server, 'connection'), once(client, 'open')]);
  return { client, webSocket: webSocket as WebSocket };
}

test('a client that answers pings stays', async () => {
  const liveness = createLiveness();
  const { client, webSocket } = await connect();
  liveness.watch(webSocket);
  for (let n = 0; n < 3; n++) {
    liveness.pingAll([webSocket]);
    await once(webSocket, 'pong');
  }
  assert.equal(webSocket.readyState, webSocket.OPEN);
  client.terminate();
});

test('a client that does not answer is cut off at the next ping, also if it sends pongs of its own', async () => {
  const liveness = createLiveness();
  const { client, webSocket } = await connect({ autoPong: false });
  liveness.watch(webSocket);
  liveness.pingAll([webSocket]);
  await once(client, 'ping');
  for (const bytes of ['', 'I am here']) {
    client.pong(bytes);
    await once(webSocket, 'pong');
  }
  liveness.pingAll([webSocket]);
  await once(client, 'close');
  assert.equal(webSocket.readyState, webSocket.CLOSED);
});

test('a client that the server reads slower is not cut off for an answer that was not read', async () => {
  const liveness = createLiveness();
  const { client, webSocket } = await connect();
  liveness.watch(webSocket);
  liveness.pingAll([webSocket]);
  webSocket.pause();
  for (let n = 0; n < 3; n++) liveness.pingAll([webSocket]);
  webSocket.resume();
  liveness.excuse(webSocket);
  liveness.pingAll([webSocket]);
  await once(webSocket, 'pong');
  assert.equal(webSocket.readyState, webSocket.OPEN);
  client.terminate();
});

test('a client is not cut off for leaving answers unread that it could do without: no more are sent', async () => {
  const { client, webSocket } = await connect();
  const message = 'x'.repeat(4_000);
  client.pause();
  let sent = 0;
  webSocket.send = new Proxy(webSocket.send, {
    apply: (send, self, [bytes]) => {
      sent += 1;
      return Reflect.apply(send, self, [bytes]);
    },
  });
  let tried = 0;
  await until('no more are sent', () => {
    for (let n = 0; n < 500; n++) sayIfRead(webSocket, { type: 'error', code: 'x', message, request: null });
    tried += 500;
    return sent <= tried - 1_000;
  });
  assert.equal(webSocket.readyState, webSocket.OPEN);
  assert.ok(webSocket.bufferedAmount < UNREAD_BYTES_TO_SPARE + 10_000);
  client.terminate();
});

test('a client that reads nothing is cut off, and what waits for it is bounded', async () => {
  const { client, webSocket } = await connect();
  let mostBytes = 0;
  const message = 'x'.repeat(4_000);
  client.pause();
  await until('the server has had enough', () => {
    for (let n = 0; n < 500 && webSocket.readyState === webSocket.OPEN; n++) {
      say(webSocket, { type: 'error', code: 'x', message, request: null });
      mostBytes = Math.max(mostBytes, webSocket.bufferedAmount);
    }
    return webSocket.readyState !== webSocket.OPEN;
  });
  assert.ok(mostBytes < UNREAD_BYTES_MAX + 10_000, `${mostBytes} bytes waited`);
  client.terminate();
});
