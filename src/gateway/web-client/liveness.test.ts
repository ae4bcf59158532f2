import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { openSocketPairs, type SocketPairs } from '../../../test/support/socket-pairs.ts';
import { createLiveness } from './liveness.ts';

let pairs: SocketPairs;
before(async () => {
  pairs = await openSocketPairs();
});
after(() => pairs.close());

test('a client that answers pings stays connected', async () => {
  const liveness = createLiveness();
  const { client, webSocket } = await pairs.connect();
  liveness.watch(webSocket);
  for (let n = 0; n < 3; n++) {
    liveness.pingAll([webSocket]);
    await once(webSocket, 'pong');
  }
  assert.equal(webSocket.readyState, webSocket.OPEN);
  client.terminate();
});

test('a client that does not answer is cut off at the next ping, even if it sends pongs of its own', async () => {
  const liveness = createLiveness();
  const { client, webSocket } = await pairs.connect({ autoPong: false });
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

test('a client whose socket is not read is not cut off for a pong that was not read', async () => {
  const liveness = createLiveness();
  const { client, webSocket } = await pairs.connect();
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
