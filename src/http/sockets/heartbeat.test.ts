import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { openSocketPairs, type SocketPairs } from '../../../test/support/socket-pairs.ts';
import { createHeartbeat, type PingOptions } from './heartbeat.ts';

let pairs: SocketPairs;
before(async () => {
  pairs = await openSocketPairs();
});
after(() => pairs.close());

/** Returns both ends of a connection, and a heartbeat that watches the server's end. The test runs the beats itself. */
async function connect(pings: PingOptions, options: { autoPong?: boolean } = {}) {
  const { client, webSocket } = await pairs.connect(options);
  const heartbeat = createHeartbeat(60_000);
  heartbeat.watch(webSocket, pings);
  return { client, webSocket, heartbeat };
}

test('a client that answers pings stays connected', async () => {
  const { client, webSocket, heartbeat } = await connect({ answer: 'echo' });
  for (let n = 0; n < 3; n++) {
    heartbeat.beat();
    await once(webSocket, 'pong');
  }
  assert.equal(webSocket.readyState, webSocket.OPEN);
  client.terminate();
});

test('a client whose pongs do not echo the ping is cut off at the next ping', async () => {
  const { client, webSocket, heartbeat } = await connect({ answer: 'echo' }, { autoPong: false });
  heartbeat.beat();
  await once(client, 'ping');
  for (const bytes of ['', 'I am here']) {
    client.pong(bytes);
    await once(webSocket, 'pong');
  }
  assert.equal(heartbeat.isSilent(webSocket), true);
  heartbeat.beat();
  await once(client, 'close');
  assert.equal(webSocket.readyState, webSocket.CLOSED);
});

test('where any answer counts, a pong with other bytes or a message keeps the connection', async () => {
  const { client, webSocket, heartbeat } = await connect({ answer: 'any' }, { autoPong: false });
  heartbeat.beat();
  client.pong('I am here');
  await once(webSocket, 'pong');
  heartbeat.beat();
  client.send('I am here');
  await once(webSocket, 'message');
  heartbeat.beat();
  assert.equal(webSocket.readyState, webSocket.OPEN);
  heartbeat.beat();
  await once(client, 'close');
});

test('a paused socket is not cut off for an answer that the server has not read', async () => {
  const { client, webSocket, heartbeat } = await connect({ answer: 'echo' });
  heartbeat.beat();
  webSocket.pause();
  for (let n = 0; n < 3; n++) heartbeat.beat();
  webSocket.resume();
  heartbeat.excuse(webSocket);
  heartbeat.beat();
  await once(webSocket, 'pong');
  assert.equal(webSocket.readyState, webSocket.OPEN);
  client.terminate();
});

test("a socket's own ping and cut-off replace the heartbeat's", async () => {
  const { client, webSocket, heartbeat } = await connect({ answer: 'any' }, { autoPong: false });
  const done: string[] = [];
  const cutOff = () => {
    done.push('cut off');
    webSocket.terminate();
  };
  heartbeat.watch(webSocket, { answer: 'any', ping: () => done.push('ping'), cutOff });
  heartbeat.beat();
  heartbeat.beat();
  await once(client, 'close');
  assert.deepEqual(done, ['ping', 'cut off']);
});
