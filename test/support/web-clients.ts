/** Web clients that are logged in over their signalling socket, like a browser. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Db, Tx } from '../../src/db/database.ts';
import { placeWebClientCall } from '../../src/domain/voice/index.ts';
import { saveLeg } from '../../src/domain/voice/web-clients/leg-queries.ts';
import type { ClientMessage, ServerMessage } from '../../src/gateway/web-client/protocol.ts';
import { callIn, ringing, route } from './calls.ts';
import { type Json, testLedger } from './events.ts';
import type { Harness } from './harness.ts';
import { sql, until } from './jobs.ts';
import { buyNumber, makeTenant } from './numbers.ts';

type Serving = Pick<Harness, 'url' | 'call'>;
type Message<Type extends ServerMessage['type']> = Extract<ServerMessage, { type: Type }>;

export type WebClientSocket = {
  readonly socket: WebSocket;
  /** All messages from the server, in order. */
  readonly messages: readonly ServerMessage[];
  readonly closed: Promise<number>;
  send(message: ClientMessage): void;
  /** Waits for the next message of a type that no earlier call has returned. */
  receive<Type extends ServerMessage['type']>(type: Type): Promise<Message<Type>>;
  /** Waits for the next `answered` and the next `media`, in any order. Returns `media`. */
  receiveMedia(): Promise<Message<'media'>>;
  close(): Promise<void>;
};

export async function makeWebClient(serving: Serving, tenantId: string, name?: string): Promise<Json> {
  const reply = await serving.call('POST', '/v1/web_clients', { body: { tenant_id: tenantId, name } });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

export async function mintLogin(serving: Serving, webClientId: string): Promise<string> {
  const reply = await serving.call('POST', `/v1/web_clients/${webClientId}/tokens`);
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body.token;
}

/** Connects. The token, if given, is in the query. */
export async function connectWebClient({ url }: Pick<Harness, 'url'>, token?: string): Promise<WebClientSocket> {
  const query = token === undefined ? '' : `?token=${encodeURIComponent(token)}`;
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/softphone${query}`);
  const messages: ServerMessage[] = [];
  let awaited = 0;
  const find = (type: ServerMessage['type']) =>
    messages.findIndex((message, index) => index >= awaited && message.type === type);
  socket.on('message', (text) => messages.push(JSON.parse(String(text))));
  const closed = once(socket, 'close').then(([code]) => code as number);
  await once(socket, 'open');
  return {
    socket,
    messages,
    closed,
    send: (message) => socket.send(JSON.stringify(message)),
    receive: async <Type extends ServerMessage['type']>(type: Type) => {
      await until(`the server sends ${type}`, () => find(type) >= 0);
      const at = find(type);
      awaited = at + 1;
      return messages[at] as Message<Type>;
    },
    receiveMedia: async () => {
      const sent = () => [find('answered'), find('media')];
      await until('the server sends that the call is answered, and its media', () => Math.min(...sent()) >= 0);
      const [, at = 0] = sent();
      awaited = Math.max(...sent()) + 1;
      return messages[at] as Message<'media'>;
    },
    close: async () => {
      socket.close();
      await closed;
    },
  };
}

/** Connects and logs in a web client. */
export async function logIn(serving: Serving, webClientId: string): Promise<WebClientSocket> {
  const client = await connectWebClient(serving, await mintLogin(serving, webClientId));
  await client.receive('registered');
  return client;
}

export type Desk = {
  readonly tenantId: string;
  readonly number: Json;
  readonly webClient: Json;
  readonly client: WebClientSocket;
};

export type DeskOptions = {
  /** The process where the web client logs in; the harness by default. */
  readonly at?: Pick<Harness, 'url'>;
  /** Fields of the ring behavior. */
  readonly fields?: object;
  /** The name of the web client. */
  readonly name?: string;
};

/** Makes a tenant with a number and one web client, which the number rings. Logs the web client in. */
export async function makeDesk(harness: Harness, { at = harness, fields = {}, name }: DeskOptions = {}): Promise<Desk> {
  const tenantId = await makeTenant(harness);
  const number = await buyNumber(harness, tenantId);
  const webClient = await makeWebClient(harness, tenantId, name);
  await route(harness, { tenantId, number }, { open_behavior: ringing([webClient.id], fields) });
  return { tenantId, number, webClient, client: await logIn({ ...harness, url: at.url }, webClient.id) };
}

/** Calls the desk and waits until its web client rings. @returns the call's id */
export async function ringDesk(harness: Harness, { client, tenantId, number }: Desk): Promise<string> {
  const { id } = await callIn(harness, { tenantId, number });
  await client.receive('incoming');
  return id;
}

/** Calls the desk and answers at its web client. @returns the call's id */
export async function answerDesk(harness: Harness, desk: Desk): Promise<string> {
  const id = await ringDesk(harness, desk);
  desk.client.send({ type: 'answer', call_id: id });
  await desk.client.receive('answered');
  return id;
}

/** Makes a session of a web client whose node crashed some time ago, such as `11 s`. */
export async function leaveCrashed(db: Db, webClientId: string, ago: string): Promise<void> {
  await sql(
    db,
    `insert into web_client_sessions select ledger_id, id, 'gone', 'gone', clock_timestamp() - $2::interval
     from web_clients where id = $1
     on conflict (ledger_id, web_client_id) do update set seen_at = excluded.seen_at, session_id = 'gone'`,
    [webClientId, ago],
  );
}

/** Inserts a call that rings the desk's web client. @returns its id */
export async function insertRingingLeg(
  tx: Tx,
  { context, account }: Harness,
  { tenantId, webClient }: Pick<Desk, 'tenantId' | 'webClient'>,
): Promise<string> {
  const wanted = { webClient: { id: webClient.id, tenantId }, to: '+15005550003' };
  const ledger = { ledgerId: await testLedger({ context, account }), accountId: account.id, mode: 'test' } as const;
  const { callId, legId } = await placeWebClientCall(context, tx, ledger, wanted);
  const leg = { callId, legId, webClientId: webClient.id, wasRung: true, state: 'ringing', endReason: null } as const;
  await saveLeg(tx, ledger, leg);
  return callId;
}

/** Waits until the web client has no session in the database. */
export async function untilLoggedOut({ context }: Pick<Harness, 'context'>, webClientId: string): Promise<void> {
  await until('the session is deleted', async () => {
    const rows = await sql(context.db, 'select 1 from web_client_sessions where web_client_id = $1', [webClientId]);
    return rows.length === 0;
  });
}

/** Returns a token with another signature. */
export function forged(token: string): string {
  const at = token.lastIndexOf('.') + 1;
  assert.ok(at > 0, 'the token has a signature');
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
}
