/** Web clients that are logged in over their socket, as a browser would be. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { ClientMessage, ServerMessage } from '../../src/gateway/web-client/protocol.ts';
import type { Json } from './events.ts';
import type { Harness } from './harness.ts';
import { until } from './jobs.ts';

type Serving = Pick<Harness, 'url' | 'call'>;
type Said<Type extends ServerMessage['type']> = Extract<ServerMessage, { type: Type }>;

export type WebClientSocket = {
  readonly socket: WebSocket;
  /** All that the server has said, in order. */
  readonly said: readonly ServerMessage[];
  readonly closed: Promise<number>;
  say(message: ClientMessage): void;
  /** Waits for the next message of a type that was not awaited before. */
  hear<Type extends ServerMessage['type']>(type: Type): Promise<Said<Type>>;
  close(): Promise<void>;
};

export async function makeWebClient(serving: Serving, tenantId: string): Promise<Json> {
  const reply = await serving.call('POST', '/v1/web_clients', { body: { tenant_id: tenantId } });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

export async function mintLogin(serving: Serving, webClientId: string): Promise<string> {
  const reply = await serving.call('POST', `/v1/web_clients/${webClientId}/tokens`);
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body.token;
}

/** Connects, with the token in the query if there is one. */
export async function connectWebClient({ url }: Pick<Harness, 'url'>, token?: string): Promise<WebClientSocket> {
  const query = token === undefined ? '' : `?token=${encodeURIComponent(token)}`;
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/softphone${query}`);
  const said: ServerMessage[] = [];
  let heard = 0;
  socket.on('message', (text) => said.push(JSON.parse(String(text))));
  const closed = once(socket, 'close').then(([code]) => code as number);
  await once(socket, 'open');
  return {
    socket,
    said,
    closed,
    say: (message) => socket.send(JSON.stringify(message)),
    hear: async <Type extends ServerMessage['type']>(type: Type) => {
      const find = () => said.findIndex((message, index) => index >= heard && message.type === type);
      await until(`the server says ${type} (it said ${said.map((each) => each.type).join(', ')})`, () => find() >= 0);
      const at = find();
      heard = at + 1;
      return said[at] as Said<Type>;
    },
    close: async () => {
      socket.close();
      await closed;
    },
  };
}

/** A web client of the tenant that is logged in. */
export async function logIn(serving: Serving, webClientId: string): Promise<WebClientSocket> {
  const webClient = await connectWebClient(serving, await mintLogin(serving, webClientId));
  await webClient.hear('registered');
  return webClient;
}
