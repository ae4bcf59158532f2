/** A fake SIP engine for tests of the watch: it sends events over a socket, and takes requests by socket and HTTP. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { parseObject, textAt } from '../../src/lib/json-object.ts';

export type FakeEngine = {
  readonly url: string;
  /** The channels that it reports. */
  channels: object[];
  /** The endpoints that it reports: their names (`resource`) and states. */
  endpoints: object[];
  /** The number of requests for its channels that it answers with 503. */
  failures: number;
  /** The number of changes by HTTP that it makes without an answer, because the connection breaks. */
  cuts: number;
  /** Until this resolves, the engine opens no socket. */
  mayOpen: Promise<void>;
  /** True: the engine accepts requests on its sockets and answers none, like a deadlocked engine. */
  isMute: boolean;
  /** Returns how many sockets were requested. */
  asked(): number;
  /** Returns how many times the engine has listed its channels. */
  said(): number;
  /** The methods and paths of the requests that change something. */
  readonly requests: string[];
  /** How many sockets are open. */
  open(): number;
  send(event: object): void;
  close(): void;
};

export async function startFakeEngine(): Promise<FakeEngine> {
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer(({ method, url }, response) => {
    const [status, body] = answer(String(method), String(url).replace(/^\/ari\//, ''));
    if (method !== 'GET' && engine.cuts-- > 0) return response.destroy();
    response.writeHead(status).end(JSON.stringify(body));
  });
  let asked = 0;
  let said = 0;
  const requests: string[] = [];
  const answer = (method: string, uri: string): [status: number, body: unknown] => {
    if (method !== 'GET' && !uri.startsWith('applications/')) requests.push(`${method} ${uri}`);
    if (uri.startsWith('applications/')) return [200, {}];
    if (uri === 'applications') return [200, [{ name: 'dialplane' }]];
    if (uri === 'endpoints/PJSIP') return [200, engine.endpoints];
    const [, id] = /^channels\/([^/?]+)$/.exec(uri) ?? [];
    if (method === 'GET' && id !== undefined) {
      const channel = engine.channels.find((each) => textAt(each, 'id') === id);
      return channel === undefined ? [404, { message: 'Channel not found' }] : [200, channel];
    }
    if (uri !== 'channels') return [200, []];
    if (engine.failures-- > 0) return [503, { message: 'starting' }];
    said++;
    return [200, engine.channels];
  };
  const take = (socket: WebSocket) =>
    socket.on('message', (data) => {
      if (engine.isMute) return;
      const { request_id, method, uri } = parseObject(String(data)) ?? {};
      const [status_code, body] = answer(String(method), String(uri));
      socket.send(
        JSON.stringify({ type: 'RESTResponse', request_id, status_code, message_body: JSON.stringify(body) }),
      );
    });
  server.on('upgrade', async (request, stream, head) => {
    asked++;
    await engine.mayOpen;
    sockets.handleUpgrade(request, stream, head, take);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const engine: FakeEngine = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    channels: [],
    endpoints: [],
    failures: 0,
    cuts: 0,
    mayOpen: Promise.resolve(),
    isMute: false,
    asked: () => asked,
    said: () => said,
    requests,
    open: () => sockets.clients.size,
    send: (event) => {
      for (const each of sockets.clients) each.send(JSON.stringify(event));
    },
    close: () => {
      for (const each of sockets.clients) each.terminate();
      server.close();
    },
  };
  return engine;
}
