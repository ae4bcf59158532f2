import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { WebSocket } from 'ws';
import { connectBareClient } from '../../test/support/bare-realtime-client.ts';
import { type Harness, startHarness } from '../../test/support/harness.ts';
import { skippedBy } from '../../test/support/stepping-time.ts';
import { listLedgers } from '../domain/accounts/index.ts';
import { mintRealtimeToken } from '../domain/events/index.ts';
import type { Mode } from '../lib/scope.ts';
import { attachRealtime, type RealtimeOptions } from './attach-realtime.ts';

let harness: Harness;
const servers: Server[] = [];

before(async () => {
  harness = await startHarness({ startWorkers: false });
});

after(async () => {
  for (const server of servers) server.close();
  await harness.close();
});

async function serve(options: RealtimeOptions) {
  const server = createServer((_request, response) => response.end());
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const realtime = attachRealtime(server, harness.context, options);
  const { port } = server.address() as AddressInfo;
  return { realtime, port };
}

async function tokenOf(mode: Mode): Promise<string> {
  const ledgers = await listLedgers(harness.context.db, harness.account.id);
  const ledgerId = ledgers.find((ledger) => ledger.mode === mode)?.id as number;
  const scope = { ledgerId, accountId: harness.account.id, mode, tenantId: null, keyId: 'key_test' };
  return mintRealtimeToken(harness.context, scope).token;
}

async function open(port: number, token: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/realtime?token=${token}`);
  const closed = once(socket, 'close').then(([code]) => code as number);
  await once(socket, 'open');
  return { socket, closed };
}

test('shutting down closes every client with 1012', async () => {
  const { realtime, port } = await serve({});
  const token = await tokenOf('test');
  const clients = await Promise.all([open(port, token), open(port, token)]);
  await realtime.close();
  assert.deepEqual(await Promise.all(clients.map((client) => client.closed)), [1012, 1012]);
});

test('shutting down does not wait for a client that does not answer', async () => {
  const { realtime, port } = await serve({});
  const silent = await openSilent(port, await tokenOf('test'));
  assert.ok((await skippedBy(realtime.close())) < 10_000);
  silent.destroy();
});

test('a ledger has a limit of sockets, and the sockets of other ledgers do not count', async () => {
  const { realtime, port } = await serve({ ledgerSocketsMax: 2 });
  const token = await tokenOf('test');
  const first = await open(port, token);
  await open(port, token);
  assert.equal(await (await open(port, token)).closed, 1013);
  const other = await open(port, await tokenOf('live'));
  assert.equal(other.socket.readyState, WebSocket.OPEN);
  first.socket.close();
  await first.closed;
  assert.equal((await open(port, token)).socket.readyState, WebSocket.OPEN);
  await realtime.close();
});

/** Returns a connected client that answers nothing, not even pings. */
async function openSilent(port: number, token: string) {
  const socket = connectBareClient({ hostname: '127.0.0.1', port: String(port) }, token);
  await once(socket, 'data');
  return socket;
}

test('a client that does not answer pings is cut off, and a client that answers them stays connected', async () => {
  const { realtime, port } = await serve({ heartbeatMs: 1_000 });
  const token = await tokenOf('test');
  const answering = await open(port, token);
  const silent = await openSilent(port, token);
  await once(silent, 'close');
  await once(answering.socket, 'ping');
  await once(answering.socket, 'ping');
  assert.equal(answering.socket.readyState, WebSocket.OPEN);
  await realtime.close();
});
