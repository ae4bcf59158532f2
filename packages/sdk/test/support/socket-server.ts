/**
 * A WebSocket server whose connections each follow a script. It shows cases that a real server shows rarely, or after
 * an hour.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { closeAfterTests } from '../../../../test/support/close-after-tests.ts';

export type SocketServer = {
  readonly url: string;
  /** When each connection came, in milliseconds of a monotonic clock. */
  readonly connectedAtMs: number[];
};

/**
 * Starts a server for the tests of the file, and closes it after them.
 * @param scripts one for each connection, in order; the last one serves all later connections
 */
export async function useSocketServer(...scripts: ((socket: WebSocket) => void)[]): Promise<SocketServer> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const connectedAtMs: number[] = [];
  server.on('connection', (socket) => {
    const script = scripts[Math.min(connectedAtMs.length, scripts.length - 1)];
    connectedAtMs.push(performance.now());
    script?.(socket);
  });
  await once(server, 'listening');
  closeAfterTests(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`, connectedAtMs };
}
