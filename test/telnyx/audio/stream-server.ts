/** A local application that takes media streams: it keeps what arrives, and sends what a test says. */
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { closeAfterTests } from '../../support/close-after-tests.ts';
import { until } from '../../support/jobs.ts';

/** A message of the emulator. Fields that belong to other events are absent. */
export type StreamMessage = {
  readonly event: string;
  readonly sequence_number: string;
  readonly stream_id: string;
  readonly media: {
    readonly track: 'inbound' | 'outbound';
    readonly chunk: string;
    readonly timestamp: string;
    readonly payload: string;
  };
  readonly start: Readonly<Record<string, unknown>>;
  readonly dtmf: { readonly digit: string };
  readonly mark: { readonly name: string };
  readonly payload: { readonly title: string };
  readonly [name: string]: unknown;
};

/** One connection. */
export type Taken = {
  readonly headers: IncomingHttpHeaders;
  /** In the order of arrival. */
  readonly messages: StreamMessage[];
  readonly socket: WebSocket;
  /** Sends a message. */
  send(message: object): void;
  /** The messages of one event. */
  of(event: string): StreamMessage[];
  /** Waits until this many messages of an event have come. */
  came(event: string, count?: number): Promise<StreamMessage[]>;
};

export async function useStreamServer() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const taken: Taken[] = [];
  closeAfterTests(async () => {
    for (const { socket } of taken) socket.terminate();
    server.close();
  });
  server.on('connection', (socket, request) => {
    const messages: StreamMessage[] = [];
    socket.on('message', (data) => messages.push(JSON.parse(String(data))));
    const of = (event: string) => messages.filter((message) => message.event === event);
    taken.push({
      headers: request.headers,
      messages,
      socket,
      send: (message) => socket.send(JSON.stringify(message)),
      of,
      came: async (event, count = 1) => {
        await until(`${count} messages ${event}`, async () => of(event).length >= count);
        return of(event);
      },
    });
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}/stream`,
    taken,
    /** Waits for a connection, and returns it. */
    connected: async (count = 1): Promise<Taken> => {
      await until('a stream connects', async () => taken.length >= count);
      return taken[count - 1] as Taken;
    },
  };
}
