import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { until } from '../../../test/support/http-target.ts';
import { limitOpenConnections, type OpenConnectionLimits } from './open-connections.ts';

const cleanups: (() => unknown)[] = [];
after(async () => {
  for (const cleanup of cleanups) await cleanup();
});

/** Serves on all loopback addresses: 127.0.0.1 and 127.0.0.2 are two clients. */
async function serve(limits: OpenConnectionLimits) {
  const server = createServer((_, response) => response.end('here'));
  const warnings: string[] = [];
  limitOpenConnections(server, limits, {
    warn: (_: unknown, text?: string) => void warnings.push(text ?? ''),
  } as never);
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const open = async (localAddress: string): Promise<Socket> => {
    const socket = connect({ host: '127.0.0.1', port, localAddress });
    cleanups.push(() => socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  return { open, warnings };
}

/** Sends a request. @returns true if it was answered, false if the connection was closed */
async function isServed(socket: Socket): Promise<boolean> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => text.includes('here') || socket.closed);
  return text.includes('here');
}

test('an address has a limited number of connections, and a closed one makes room', async () => {
  const { open, warnings } = await serve({ totalMax: 100, perAddressMax: 3 });
  const sockets = [await open('127.0.0.1'), await open('127.0.0.1'), await open('127.0.0.1')];
  for (const socket of sockets) assert.ok(await isServed(socket));
  assert.equal(await isServed(await open('127.0.0.1')), false);
  assert.equal(await isServed(await open('127.0.0.1')), false);
  assert.ok(await isServed(await open('127.0.0.2')), 'another address is not affected');
  // The log has one line, although several connections are refused.
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? '', /DIALPLANE_ADDRESS_CONNECTIONS/);
  sockets[0]?.destroy();
  await once(sockets[0] as Socket, 'close');
  while (!(await isServed(await open('127.0.0.1'))));
});

test('all addresses together have a limited number of connections', async () => {
  const { open, warnings } = await serve({ totalMax: 2, perAddressMax: 2 });
  assert.ok(await isServed(await open('127.0.0.1')));
  assert.ok(await isServed(await open('127.0.0.2')));
  assert.equal(await isServed(await open('127.0.0.3')), false);
  assert.match(warnings[0] ?? '', /DIALPLANE_CONNECTIONS/);
});
