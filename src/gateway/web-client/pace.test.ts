import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { until } from '../../../test/support/jobs.ts';
import { createPace } from './pace.ts';

let server: WebSocketServer;
before(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
});
after(() => server.close());

/** A client, and what is read of it. */
async function connect() {
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [[webSocket]] = (await Promise.all([once(server, 'connection'), once(client, 'open')])) as [
    [WebSocket],
    unknown,
  ];
  const seen = { messages: 0, resumed: 0 };
  const pace = createPace(webSocket, () => {
    seen.resumed += 1;
  });
  webSocket.on('message', () => {
    seen.messages += 1;
    pace.count();
  });
  return { client, webSocket, pace, seen };
}

test('a client that floods is read slower, and in the end all of it', async () => {
  const { client, webSocket, seen } = await connect();
  const begun = performance.now();
  for (let n = 0; n < 5_000; n++) client.send('x'.repeat(100));
  await until('it is put off', () => webSocket.isPaused);
  await until('all is read', () => seen.messages === 5_000);
  assert.ok(performance.now() - begun > 1_000, 'everything was read at once');
  await until('it is read as before', () => !webSocket.isPaused);
  assert.ok(seen.resumed > 0);
  client.terminate();
});

test('while it is held nothing is read, but what had come before; once every reason is gone, the rest', async () => {
  const { client, webSocket, pace, seen } = await connect();
  pace.hold('help', true);
  pace.hold('login', true);
  for (let n = 0; n < 500; n++) client.send('x'.repeat(4_000));
  pace.hold('login', false);
  client.ping();
  await new Promise((resolve) => client.send('last', resolve));
  assert.deepEqual([webSocket.isPaused, seen.messages], [true, 0]);
  pace.hold('help', false);
  await until('all is read', () => seen.messages === 501);
  client.terminate();
});
