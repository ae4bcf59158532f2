/** A real HTTP or HTTPS server on loopback that records its requests. */

import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { monotonicMs } from '../../src/lib/time/time.ts';
import { RECEIVER_CERTIFICATE, RECEIVER_KEY } from './receiver-certificate.ts';
import { until as untilTrue } from './until.ts';

interface SeenRequest {
  method: string | undefined;
  path: string | undefined;
  headers: http.IncomingHttpHeaders;
  body: string;
  /** The loopback address that the client connected to. */
  dialled: string | undefined;
  servername: string | false | null | undefined;
}

export interface HttpTarget {
  port: number;
  origin: string;
  requests: SeenRequest[];
  connections: Socket[];
  /** The lifetime of each closed connection, in milliseconds. */
  lifetimesMs: number[];
  close(): Promise<void>;
}

export type Respond = (request: http.IncomingMessage, response: http.ServerResponse) => void;

const respondOk: Respond = (_request, response) => response.end('ok');

async function readBody(request: http.IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

/** Starts a target on 127.0.0.1, or on `host`. */
export async function startHttpTarget(
  respond: Respond = respondOk,
  options: { tls?: boolean; host?: string } = {},
): Promise<HttpTarget> {
  const requests: SeenRequest[] = [];
  const connections: Socket[] = [];
  const lifetimesMs: number[] = [];
  const onRequest: Respond = (request, response) => {
    readBody(request).then(
      (body) => {
        const { method, url: path, headers, socket } = request;
        const { servername } = socket as Partial<TLSSocket>;
        requests.push({ method, path, headers, body, dialled: socket.localAddress, servername });
        respond(request, response);
      },
      () => response.destroy(),
    );
  };
  const server = options.tls
    ? https.createServer({ cert: RECEIVER_CERTIFICATE, key: RECEIVER_KEY }, onRequest)
    : http.createServer(onRequest);
  server.on('connection', (socket: Socket) => {
    const openedAtMs = monotonicMs();
    connections.push(socket);
    socket.once('close', () => lifetimesMs.push(monotonicMs() - openedAtMs));
  });
  server.listen(0, options.host ?? '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const scheme = options.tls ? 'https' : 'http';
  return {
    port,
    origin: `${scheme}://${options.host?.includes(':') ? `[${options.host}]` : '127.0.0.1'}:${port}`,
    requests,
    connections,
    lifetimesMs,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Waits until the condition is true. Fails after `limitMs`. */
export async function until(condition: () => boolean, limitMs = 5_000): Promise<void> {
  await untilTrue(String(condition), condition, limitMs);
}
