/**
 * The event socket: GET /v1/realtime?token=svcrt_… . Each message is one event envelope as JSON, the same bytes that
 * webhooks carry, in the order of their commits on the node that made them. Delivery is best effort: a client that
 * connects, or connects again, reads what it missed from the API. Nothing a client sends has a meaning.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Context } from '../context.ts';
import type { KeyWatch } from '../domain/accounts/index.ts';
import { openRealtimeToken, REALTIME_PATH, type RealtimeGrant } from '../domain/events/index.ts';
import { closeSocketServer, createSocketServer } from '../http/sockets/socket-server.ts';
import { takeUpgrades } from '../http/sockets/upgrades.ts';
import { CLOSE } from './close-codes.ts';
import { startEventFeed } from './event-feed.ts';
import { createEventSocket, type EventSocket } from './event-socket.ts';
import { createHub } from './hub.ts';
import { startKeyCheck } from './key-check.ts';

type RealtimeContext = Pick<Context, 'db' | 'bus' | 'cipher' | 'clock' | 'log' | 'metrics'>;

export type RealtimeOptions = {
  /** Ends tokens and sockets with the keys they were made with; without it they live out their hour. */
  keys?: KeyWatch;
  /** Sockets of one ledger on this node. */
  ledgerSocketsMax?: number;
  /** How often a ping goes out; a client that has not answered by the next is cut off. */
  heartbeatMs?: number;
};

export type Realtime = {
  /** Tells every client to connect elsewhere (1012) and resolves when all are gone, within 2 s. */
  close(): Promise<void>;
};

const LEDGER_SOCKETS_MAX = 1_000;
const HEARTBEAT_MS = 30_000;
const EXPIRY_CHECK_MS = 1_000;
const CLIENT_MESSAGE_BYTES_MAX = 1_024;

/**
 * Serves the event socket on the server and passes this process's events on to the other processes. A process without
 * a server (a worker) gives null and only does the latter.
 */
export function attachRealtime(
  server: Server | null,
  context: RealtimeContext,
  { keys, ledgerSocketsMax = LEDGER_SOCKETS_MAX, heartbeatMs = HEARTBEAT_MS }: RealtimeOptions = {},
): Realtime {
  const { clock, log, metrics } = context;
  const hub = createHub();
  startEventFeed(context, hub);
  const webSockets = createSocketServer(CLIENT_MESSAGE_BYTES_MAX);
  let open = true;

  const forget = (socket: EventSocket) => {
    hub.remove(socket);
    metrics.realtimeSockets.set(hub.sockets.size);
  };

  const keyCheck = keys === undefined ? undefined : startKeyCheck(keys, hub, log);

  const admit = async (token: string): Promise<RealtimeGrant | Refusal> => {
    const grant = openRealtimeToken(context, token);
    if (typeof grant === 'string') return CLOSE.badToken;
    return (await keyCheck?.refusalOf(grant)) ?? grant;
  };

  const welcome = (webSocket: WebSocket, connection: Duplex, grant: RealtimeGrant | Refusal) => {
    // A broken connection or protocol; the library closes the socket itself.
    webSocket.on('error', (error) => log.debug({ err: error }, 'realtime socket failed'));
    if (isRefusal(grant)) return webSocket.close(...grant);
    if (!open) return webSocket.close(...CLOSE.restart);
    if (hub.countOf(grant.ledgerId) >= ledgerSocketsMax) return webSocket.close(...CLOSE.tooManySockets);
    hub.add(createEventSocket(webSocket, connection, grant, forget));
    metrics.realtimeSockets.set(hub.sockets.size);
  };

  const upgrade = (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    const token = new URLSearchParams(request.url?.split('?', 2)[1]).get('token') ?? '';
    // Between the request and the library nobody else listens, and a connection that breaks then would end the process.
    connection.on('error', (error) => log.debug({ err: error }, 'realtime connection failed'));
    // Before the handshake, so that a client that is connected misses nothing.
    void admit(token).then((grant) =>
      webSockets.handleUpgrade(request, connection, head, (webSocket) => welcome(webSocket, connection, grant)),
    );
  };
  if (server !== null) takeUpgrades(server, (path) => path === REALTIME_PATH, upgrade);

  const expiry = setInterval(() => {
    const nowMs = clock.now();
    for (const socket of [...hub.sockets]) if (socket.grant.expiresAtMs <= nowMs) socket.close(CLOSE.tokenExpired);
  }, EXPIRY_CHECK_MS).unref();
  const heartbeat = setInterval(() => {
    for (const socket of [...hub.sockets]) socket.checkAlive();
  }, heartbeatMs).unref();

  return {
    close: async () => {
      open = false;
      clearInterval(expiry);
      keyCheck?.stop();
      clearInterval(heartbeat);
      await closeSocketServer(webSockets, CLOSE.restart);
    },
  };
}

type Refusal = readonly [code: number, reason: string];

function isRefusal(grant: RealtimeGrant | Refusal): grant is Refusal {
  return !('ledgerId' in grant);
}
