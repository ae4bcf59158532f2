import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import { CLOSE } from './close-codes.ts';
import { attachSockets, queryTokenOf, type SocketServerOptions } from './socket-server.ts';

type Grant = { token: string };

async function open(t: TestContext, options: Partial<SocketServerOptions<Grant>> = {}) {
  const server = createServer((_request, response) => response.writeHead(404).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = attachSockets<Grant>(server, {
    name: 'test',
    matches: (path) => path === '/socket',
    messageBytesMax: 1_000,
    pings: { everyMs: 60_000, answer: 'any' },
    log: pino({ level: 'silent' }),
    authorize: (request) => ({ token: queryTokenOf(request) ?? '' }),
    serve: ({ webSocket }, { token }) => webSocket.send(token),
    ...options,
  });
  t.after(async () => {
    await sockets.close();
    server.close();
  });
  const connect = (path: string) => {
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
    client.on('error', () => undefined);
    return client;
  };
  const closing = async (path: string) => {
    const [code, text] = await once(connect(path), 'close');
    return [code, String(text)];
  };
  return { sockets, connect, closing };
}

test('a socket is served with the grant of its authorizer', async (t) => {
  const { connect } = await open(t);
  const [message] = await once(connect('/socket?token=abc'), 'message');
  assert.equal(String(message), 'abc');
});

test('a refused client gets its close code after a completed handshake', async (t) => {
  const { connect } = await open(t, { authorize: () => CLOSE.badToken });
  const client = connect('/socket');
  await once(client, 'open');
  const [code] = await once(client, 'close');
  assert.equal(code, 4401);
});

test('a failure of the authorizer or of the service closes the socket with 1011', async (t) => {
  const fail = () => Promise.reject(new Error('failed'));
  for (const options of [{ authorize: fail }, { serve: fail }]) {
    const { closing } = await open(t, options);
    assert.deepEqual(await closing('/socket'), CLOSE.internalError);
  }
});

test('the number of sockets is bounded', async (t) => {
  const { connect, closing } = await open(t, { socketsMax: 1 });
  await once(connect('/socket'), 'open');
  assert.deepEqual(await closing('/socket'), CLOSE.tooManySockets);
});

test('new sockets are refused while the node stops; open ones are closed with 1012, also paused ones', async (t) => {
  const { sockets, connect, closing } = await open(t, {
    serve: ({ webSocket }) => {
      webSocket.pause();
      webSocket.send('served');
    },
  });
  const client = connect('/socket');
  await once(client, 'message');
  sockets.refuseNew();
  assert.deepEqual(await closing('/socket'), CLOSE.restart);
  assert.equal(client.readyState, client.OPEN);
  const [[code]] = await Promise.all([once(client, 'close'), sockets.close()]);
  assert.equal(code, 1012);
});

test('a handshake on another path stays an ordinary request', async (t) => {
  const { connect } = await open(t);
  const [, response] = await once(connect('/other'), 'unexpected-response');
  assert.equal(response.statusCode, 404);
});
