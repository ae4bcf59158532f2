/**
 * The signalling socket of web clients: GET /v1/softphone (protocol.ts). A browser logs in with a token that was minted
 * for one web client. It is then sent that client's calls, and its requests are carried out on them.
 *
 * A web client has one session at a time, on one node; a newer login replaces the older. The database holds which node
 * has it. A signal over the bus only asks the nodes to read the database again, so a lost signal loses nothing.
 */
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { WebSocket } from 'ws';
import type { WebClientPort } from '../../carriers/ports/web-client.ts';
import type { Context } from '../../context.ts';
import { findLedger } from '../../db/ledgers.ts';
import {
  closeSession,
  openLoginToken,
  openSession,
  readSessionState,
  renewSessions,
  type WebClientSession,
  wakeWebClient,
} from '../../domain/voice/index.ts';
import { CLOSE, type CloseReason, closeSocket } from '../../http/sockets/close-codes.ts';
import { attachSockets, queryTokenOf } from '../../http/sockets/socket-server.ts';
import { coalesce } from '../../lib/coalesce.ts';
import { ignoreError } from '../../lib/ignore-error.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { AudioAuthorizer } from './audio-authorizer.ts';
import { type ConnectedSession, createConnectedSession, createSessionList } from './connected-session.ts';
import { CLIENT_MESSAGE_BYTES_MAX, SOFTPHONE_PATH } from './protocol.ts';
import { createReadPace, type ReadPace } from './rate.ts';
import { readSignallingSocket } from './signalling-socket.ts';
import { createSetAudio, onWebClientSignal, relayWebClientSignals } from './signals.ts';

type SoftphoneContext = Pick<Context, 'db' | 'bus' | 'carriers' | 'cipher' | 'clock' | 'log'>;

export type SoftphoneOptions = {
  /** The web-client port of the ledger's carrier; undefined if the carrier cannot ring web clients. */
  readonly webClientPortOf: (ledger: Ledger) => WebClientPort | undefined;
  /** Absent if no gateway serves the audio of web clients. */
  readonly audio?: AudioAuthorizer;
  readonly webClientsMax?: number;
  /** How often sessions are renewed and checked: a revocation takes effect within it even if its signal is lost. */
  readonly heartbeatMs?: number;
};

export type Softphone = {
  /** Closes every socket with 1012 (connect elsewhere), and resolves when all are closed, within 2 s. */
  close(): Promise<void>;
};

const WEB_CLIENTS_MAX = 5_000;
const HEARTBEAT_MS = 3_000;
/** Heartbeats from one ping to the next. */
const PING_EVERY = 4;
const SESSION_MS_MAX = 12 * 3_600_000;

/**
 * Serves web clients on the server, and relays signals about them to the other processes. A process without a server
 * (a worker) passes null and only relays.
 */
export function attachSoftphone(
  server: Server | null,
  context: SoftphoneContext,
  options: SoftphoneOptions,
): Softphone {
  const { db, bus, log, clock } = context;
  const { webClientPortOf, audio, webClientsMax = WEB_CLIENTS_MAX, heartbeatMs = HEARTBEAT_MS } = options;
  const nodeId = randomUUID();
  const sessions = createSessionList();
  const setAudio = createSetAudio(context);

  const forget = async (session: WebClientSession) => {
    if (sessions.remove(session)) await closeSession(db, session);
  };

  const logIn = async (webSocket: WebSocket, pace: ReadPace, token: string): Promise<ConnectedSession | undefined> => {
    const grant = await openLoginToken(context, token);
    if (typeof grant === 'string') return refuse(webSocket, CLOSE.badToken);
    if (sessions.size >= webClientsMax) return refuse(webSocket, CLOSE.tooManySockets);
    const { ledgerId, webClientId, tenantId } = grant;
    const ledger = await findLedger(db, ledgerId);
    const session: WebClientSession = { ledgerId, webClientId, sessionId: randomUUID(), nodeId };
    const expiresAtMs = clock.now() + SESSION_MS_MAX;
    if (ledger === undefined) return refuse(webSocket, CLOSE.badToken);
    if (webSocket.readyState !== webSocket.OPEN) return undefined;
    const port = webClientPortOf(ledger);
    const connected = createConnectedSession(context, {
      webSocket,
      session,
      ledger,
      tenantId,
      port,
      audio,
      setAudio,
      pace,
      expiresAtMs,
    });
    sessions.add(connected);
    webSocket.on('close', () => ignoreError(forget(session), log, 'an abandoned session is stale within seconds'));
    if (!(await openSession(db, session))) return refuse(webSocket, CLOSE.badToken);
    // The socket may have closed during the insert: the row must not outlive it.
    if (webSocket.readyState !== webSocket.OPEN) await closeSession(db, session);
    // The node that had the web client until now reads that it is replaced.
    wakeWebClient(db, session);
    await connected.start();
    return connected;
  };

  const check = async (connected: ConnectedSession): Promise<void> => {
    const state = await readSessionState(db, connected.session);
    if (state === 'revoked') await connected.revoke();
    else if (state === 'replaced') connected.close(CLOSE.replaced);
    else connected.refresh();
  };
  const checkAll = (list: Iterable<ConnectedSession>) => {
    for (const connected of list) ignoreError(check(connected), log, 'the heartbeat checks again');
  };

  relayWebClientSignals(context);
  onWebClientSignal(bus, (webClient) => checkAll(sessions.ofWebClient(webClient)));
  bus.onGap(() => checkAll(sessions.all()));

  const sockets = attachSockets(server, {
    name: 'softphone',
    matches: (path) => path === SOFTPHONE_PATH,
    messageBytesMax: CLIENT_MESSAGE_BYTES_MAX,
    pings: { everyMs: PING_EVERY * heartbeatMs, answer: 'echo' },
    log,
    // The token may also come in the first message, so the login follows the handshake.
    authorize: (request) => ({ token: queryTokenOf(request) }),
    serve: ({ webSocket }, { token }) => {
      const pace = createReadPace(webSocket, () => sockets.heartbeat.excuse(webSocket));
      readSignallingSocket(webSocket, { token, logIn: (minted) => logIn(webSocket, pace, minted), pace, log });
    },
  });

  /** Coalesced: beats do not overlap, however slow the database is. */
  const beat = coalesce(async () => {
    const current = [...sessions.all()];
    for (const connected of current) if (connected.isExpired()) connected.close(CLOSE.sessionExpired);
    if (current.length === 0) return;
    const renewed = await renewSessions(
      db,
      nodeId,
      current.map(({ session }) => session.sessionId),
    );
    checkAll(current.filter(({ session }) => !renewed.has(session.sessionId)));
  });
  const heartbeat = setInterval(
    () => ignoreError(beat(), log, 'web clients stay connected without the database; the next heartbeat renews them'),
    heartbeatMs,
  ).unref();

  return {
    close: async () => {
      clearInterval(heartbeat);
      await sockets.close();
      await Promise.all([...sessions.all()].map(({ session }) => forget(session)));
    },
  };
}

function refuse(webSocket: WebSocket, reason: CloseReason): undefined {
  closeSocket(webSocket, reason);
}
