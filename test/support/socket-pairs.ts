/** Both ends of WebSocket connections, on a separate server. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

type SocketPair = { readonly client: WebSocket; readonly webSocket: WebSocket };

export type SocketPairs = {
  /** Connects; `webSocket` is the server's end. */
  connect(options?: { autoPong?: boolean }): Promise<SocketPair>;
  close(): void;
};

export async function openSocketPairs(): Promise<SocketPairs> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  return {
    connect: async (options = {}) => {
      const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, options);
      client.on('error', () => undefined);
      const [[webSocket]] = await Promise.all([once(server, 'connection'), once(client, 'open')]);
      return { client, webSocket: webSocket as WebSocket };
    },
    close: () => server.close(),
  };
}
