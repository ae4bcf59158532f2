/** A proxy in front of a server that loses replies, on demand. It forwards HTTP byte for byte. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeAfterTests } from '../../../../test/support/close-after-tests.ts';

/**
 * The fault of one request.
 * - `pass`: the proxy forwards it and returns the reply
 * - `refuse`: the proxy cuts the connection before the server gets the request
 * - `lose`: the server carries it out, and the proxy cuts the connection before the reply
 * - `halve`: the proxy cuts the connection in the middle of the reply's body
 * - `hang`: the server carries it out, and no reply comes
 * - a number: the proxy itself replies with this status, in HTML, and with the server as the target of a redirect
 */
export type Fault = 'pass' | 'refuse' | 'lose' | 'halve' | 'hang' | number;

export type FaultyProxy = {
  readonly url: string;
  /** The requests that arrived, in order. */
  readonly requests: { method: string; path: string; headers: IncomingHttpHeaders; atMs: number }[];
  /** Sets what happens to the next requests, one each; later ones pass. */
  script(...faults: Fault[]): void;
};

/** Starts a proxy for the tests of the file, and closes it after them. */
export async function useFaultyProxy(target: string): Promise<FaultyProxy> {
  const requests: FaultyProxy['requests'] = [];
  let faults: Fault[] = [];
  const server = createServer((incoming, reply) => {
    const { method = '', url = '', headers } = incoming;
    requests.push({ method, path: url, headers, atMs: performance.now() });
    const fault = faults.shift() ?? 'pass';
    if (fault === 'refuse') return incoming.socket.destroy();
    if (typeof fault === 'number') {
      return reply.writeHead(fault, { 'content-type': 'text/html', location: `${target}${url}` }).end('<h1>No</h1>');
    }
    forward(new URL(url, target), incoming, (answer, body) => answerWith(fault, reply, answer, body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAfterTests(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    script: (...next) => {
      faults = next;
      requests.length = 0;
    },
  };
}

function forward(address: URL, incoming: IncomingMessage, onAnswer: (answer: IncomingMessage, body: Buffer) => void) {
  const { method, headers } = incoming;
  const outgoing = request(address, { method, headers }, async (answer) => {
    onAnswer(answer, Buffer.concat(await answer.toArray()));
  });
  incoming.pipe(outgoing);
}

function answerWith(fault: Fault, reply: ServerResponse, answer: IncomingMessage, body: Buffer): void {
  if (fault === 'hang') return;
  if (fault === 'lose') return void reply.socket?.destroy();
  reply.writeHead(answer.statusCode ?? 0, { ...answer.headers, 'content-length': body.length });
  if (fault === 'pass') return void reply.end(body);
  reply.write(body.subarray(0, body.length / 2), () => reply.socket?.destroy());
}
