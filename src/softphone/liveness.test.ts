import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { until } from '../../test/support/jobs.ts';
import { createLiveness } from './liveness.ts';
import { say, UNREAD_BYTES_MAX } from './say.ts';

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
