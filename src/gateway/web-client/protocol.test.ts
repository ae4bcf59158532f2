import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../../../test/support/jobs.ts';
import { openSocketPairs, type SocketPairs } from '../../../test/support/socket-pairs.ts';
import { type ServerMessage, send, sendIfRead, UNREAD_BYTES_FOR_ERRORS_MAX, UNREAD_BYTES_MAX } from './protocol.ts';

const ERROR: ServerMessage = { type: 'error', code: 'x', message: 'x'.repeat(4_000), request: null };

let pairs: SocketPairs;
before(async () => {
  pairs = await openSocketPairs();
});
after(() => pairs.close());

test('a client that leaves errors unread is not cut off: no more errors are sent', async () => {
  const { client, webSocket } = await pairs.connect();
  client.pause();
  let sent = 0;
  webSocket.send = new Proxy(webSocket.send, {
    apply: (original, self, [bytes]) => {
      sent += 1;
      return Reflect.apply(original, self, [bytes]);
    },
  });
  let tried = 0;
  await until('no more are sent', () => {
    for (let n = 0; n < 500; n++) sendIfRead(webSocket, ERROR);
    tried += 500;
    return sent <= tried - 1_000;
  });
  assert.equal(webSocket.readyState, webSocket.OPEN);
  assert.ok(webSocket.bufferedAmount < UNREAD_BYTES_FOR_ERRORS_MAX + 10_000);
  client.terminate();
});

test('a client that reads nothing is cut off, and its unread bytes are bounded', async () => {
  const { client, webSocket } = await pairs.connect();
  let mostBytes = 0;
  client.pause();
  await until('the server cuts it off', () => {
    for (let n = 0; n < 500 && webSocket.readyState === webSocket.OPEN; n++) {
      send(webSocket, ERROR);
      mostBytes = Math.max(mostBytes, webSocket.bufferedAmount);
    }
    return webSocket.readyState !== webSocket.OPEN;
  });
  assert.ok(mostBytes < UNREAD_BYTES_MAX + 10_000, `${mostBytes} bytes were unread`);
  client.terminate();
});
