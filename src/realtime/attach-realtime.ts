/**
 * The event socket: GET /v1/realtime?token=svcrt_… . Each message is one event envelope as JSON, the same bytes that
 * webhooks carry, in the order of their commits on the node that made them. Delivery is best effort: after each
 * connection a client reads the events that it missed from the API. Messages of clients are ignored.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Context } from '../context.ts';
import type { KeyWatch } from '../domain/accounts/index.ts';
import { openRealtimeToken, REALTIME_PATH, type RealtimeGrant } from '../domain/events/index.ts';
import { CLOSE, closeSocket, type EventSocketReason } from '../http/sockets/close-codes.ts';
import { attachSockets, type Incoming, queryTokenOf } from '../http/sockets/socket-server.ts';
import { every } from '../lib/time/time.ts';
import { startEventFeed } from './event-feed.ts';
import { createEventSocket, type EventSocket } from './event-socket.ts';
import { createHub } from './hub.ts';
import { startKeyCheck } from './key-check.ts';

type RealtimeContext = Pick<Context, 'db' | 'bus' | 'cipher' | 'clock' | 'log' | 'metrics'>;

export type RealtimeOptions = {
  /** Reports ended keys, so that tokens and sockets end with their key. Without it they last one hour. */
  keys?: KeyWatch;
  /** Most sockets of one ledger on this node. */
  ledgerSocketsMax?: number;
  /** Interval of the pings. A client that has not answered a ping by the next one is cut off. */
  heartbeatMs?: number;
};

export type Realtime = {
  /** Closes every socket with 1012 (connect again) and resolves when all are closed, within 2 s. */
  close(): Promise<void>;
};

const LEDGER_SOCKETS_MAX = 1_000;
const HEARTBEAT_MS = 30_000;
const EXPIRY_CHECK_MS = 1_000;
const CLIENT_MESSAGE_BYTES_MAX = 1_024;

/**
 * Serves the event socket on the server and sends this process's events to the other processes. A process without a
 * server (a worker) passes null and only sends its events.
 */
export function attachRealtime(
  server: Server | null,
  context: RealtimeContext,
  { keys, ledgerSocketsMax = LEDGER_SOCKETS_MAX, heartbeatMs = HEARTBEAT_MS }: RealtimeOptions = {},
): Realtime {
  const { clock, log, metrics } = context;
  const hub = createHub();
  startEventFeed(context, hub);

  const forget = (socket: EventSocket) => {
    hub.remove(socket);
    metrics.realtimeSockets.set(hub.sockets.size);
  };

  const keyCheck = keys === undefined ? undefined : startKeyCheck(keys, hub, log);

  const authorize = async (request: IncomingMessage): Promise<RealtimeGrant | EventSocketReason> => {
    const grant = openRealtimeToken(context, queryTokenOf(request) ?? '');
    if (typeof grant === 'string') return CLOSE.badToken;
    return (await keyCheck?.refusalOf(grant)) ?? grant;
  };

  const serve = ({ webSocket, connection }: Incoming, grant: RealtimeGrant) => {
    if (hub.countOf(grant.ledgerId) >= ledgerSocketsMax) return closeSocket(webSocket, CLOSE.tooManySockets);
    hub.add(createEventSocket(webSocket, connection, grant, forget));
    metrics.realtimeSockets.set(hub.sockets.size);
  };

  const sockets = attachSockets<RealtimeGrant>(server, {
    name: 'realtime',
    matches: (path) => path === REALTIME_PATH,
    messageBytesMax: CLIENT_MESSAGE_BYTES_MAX,
    pings: { everyMs: heartbeatMs, answer: 'any' },
    log,
    authorize,
    serve,
  });

  const expiry = every(EXPIRY_CHECK_MS, () => {
    const nowMs = clock.now();
    for (const socket of [...hub.sockets]) if (socket.grant.expiresAtMs <= nowMs) socket.close(CLOSE.tokenExpired);
  }).unref();

  return {
    close: async () => {
      expiry.cancel();
      keyCheck?.stop();
      await sockets.close();
    },
  };
}
