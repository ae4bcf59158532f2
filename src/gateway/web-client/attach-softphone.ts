/**
 * The socket of web clients: GET /v1/softphone. A browser logs in with a token that was minted for one web client; from then
 * on it is told of that client's calls, and what it sends is done to them (protocol.ts). Each client has one session at
 * a time, on one node: a newer login takes its place. Which node has it stands in the database, and a signal over the
 * bus says only "look again", so that nothing is lost with a signal.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
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
import { closeSocketServer, createSocketServer, takeUpgrades } from '../../http/sockets/socket-server.ts';
import { coalesce } from '../../lib/coalesce.ts';
import { ignoreError } from '../../lib/ignore-error.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { AudioDoor } from './audio-authorizer.ts';
import { listen } from './listen.ts';
import { createLiveness } from './liveness.ts';
import { createPace, type Pace } from './pace.ts';
import { CLIENT_MESSAGE_BYTES_MAX, CLOSE, SOFTPHONE_PATH } from './protocol.ts';
import { onWebClientSignal, passOnWebClientSignals } from './signals.ts';
import { createWebClient, type WebClient } from './web-client.ts';
import { createWebClients } from './web-clients.ts';

type SoftphoneContext = Pick<Context, 'db' | 'bus' | 'carriers' | 'cipher' | 'clock' | 'log'>;

export type SoftphoneOptions = {
  /** The web-client port of the ledger's carrier; undefined if the carrier cannot ring web clients. */
  readonly webClientPortOf: (ledger: Ledger) => WebClientPort | undefined;
  /** Absent where no gateway serves the audio of web clients. */
  readonly audio?: AudioDoor;
  readonly webClientsMax?: number;
  /** How often sessions are renewed and looked at; within it revocation reaches a web client even if signals are lost. */
  readonly heartbeatMs?: number;
};

export type Softphone = {
  /** Tells every web client to connect elsewhere (1012), and resolves when all are gone, within 2 s. */
  close(): Promise<void>;
};

const WEB_CLIENTS_MAX = 5_000;
const HEARTBEAT_MS = 3_000;
const PING_EVERY = 4;
const SESSION_MS_MAX = 12 * 3_600_000;

/**
 * Serves web clients on the server and passes signals about them on to the other processes. A process without a server (a
 * worker) gives null and only does the latter.
 */
export function attachSoftphone(
  server: Server | null,
  context: SoftphoneContext,
  options: SoftphoneOptions,
): Softphone {
  const { db, bus, log, clock } = context;
  const { webClientPortOf, audio, webClientsMax = WEB_CLIENTS_MAX, heartbeatMs = HEARTBEAT_MS } = options;
  const nodeId = randomUUID();
  const webClients = createWebClients();
  const liveness = createLiveness();
  const webSockets = createSocketServer(CLIENT_MESSAGE_BYTES_MAX);
  let open = true;

  const forget = async (session: WebClientSession) => {
    if (webClients.remove(session)) await closeSession(db, session);
  };

  const logIn = async (webSocket: WebSocket, pace: Pace, token: string): Promise<WebClient | undefined> => {
    const grant = await openLoginToken(context, token);
    if (typeof grant === 'string') return refuse(webSocket, CLOSE.badToken);
    if (!open) return refuse(webSocket, CLOSE.restart);
    if (webClients.size >= webClientsMax) return refuse(webSocket, CLOSE.tooManySockets);
    const { ledgerId, webClientId, tenantId } = grant;
    const ledger = await findLedger(db, ledgerId);
    const session: WebClientSession = { ledgerId, webClientId, sessionId: randomUUID(), nodeId };
    const expiresAtMs = clock.now() + SESSION_MS_MAX;
    if (ledger === undefined) return refuse(webSocket, CLOSE.badToken);
    if (webSocket.readyState !== webSocket.OPEN) return undefined;
    const port = webClientPortOf(ledger);
    const webClient = createWebClient(context, {
      webSocket,
      session,
      ledger,
      tenantId,
      port,
      audio,
      pace,
      expiresAtMs,
    });
    webClients.add(webClient);
    webSocket.on('close', () => ignoreError(forget(session), log, 'an abandoned session is stale within seconds'));
    if (!(await openSession(db, session))) return refuse(webSocket, CLOSE.badToken);
    // It was closed meanwhile: the row must not outlive it.
    if (webSocket.readyState !== webSocket.OPEN) await closeSession(db, session);
    // Whoever had the web client until now finds that it is replaced.
    wakeWebClient(db, session);
    await webClient.welcome();
    return webClient;
  };

  const check = async (webClient: WebClient): Promise<void> => {
    const state = await readSessionState(db, webClient.session);
    if (state === 'revoked') await webClient.revoke();
    else if (state === 'replaced') webClient.close(CLOSE.replaced);
    else webClient.look();
  };
  const checkAll = (these: Iterable<WebClient>) => {
    for (const webClient of these) ignoreError(check(webClient), log, 'the heartbeat looks again');
  };

  passOnWebClientSignals(context);
  onWebClientSignal(bus, (webClient) => checkAll(webClients.named(webClient)));
  bus.onGap(() => checkAll(webClients.all()));

  if (server !== null) {
    takeUpgrades(
      server,
      (path) => path === SOFTPHONE_PATH,
      (request, connection, head) => {
        webSockets.handleUpgrade(request, connection, head, (webSocket) => receive(webSocket, request));
      },
    );
  }

  const receive = (webSocket: WebSocket, request: IncomingMessage) => {
    webSocket.on('error', (error) => log.debug({ err: error }, 'softphone socket failed'));
    liveness.watch(webSocket);
    const pace = createPace(webSocket, () => liveness.excuse(webSocket));
    listen(webSocket, { token: tokenOf(request), logIn: (token) => logIn(webSocket, pace, token), pace, log });
  };

  let beats = 0;
  /** One at a time, however long the database takes. */
  const beat = coalesce(async () => {
    const current = [...webClients.all()];
    if (beats++ % PING_EVERY === 0) liveness.pingAll(webSockets.clients);
    for (const webClient of current) if (webClient.isExpired()) webClient.close(CLOSE.sessionExpired);
    if (current.length === 0) return;
    const renewed = await renewSessions(
      db,
      nodeId,
      current.map(({ session }) => session.sessionId),
    );
    checkAll(current.filter(({ session }) => !renewed.has(session.sessionId)));
  });
  const heartbeat = setInterval(
    () => ignoreError(beat(), log, 'web clients stay connected while the database is away; the next beat renews them'),
    heartbeatMs,
  ).unref();

  return {
    close: async () => {
      open = false;
      clearInterval(heartbeat);
      await closeSocketServer(webSockets, CLOSE.restart);
      await Promise.all([...webClients.all()].map(({ session }) => forget(session)));
    },
  };
}

function refuse(webSocket: WebSocket, reason: readonly [number, string]): undefined {
  webSocket.close(...reason);
}

function tokenOf(request: IncomingMessage): string | null {
  return new URLSearchParams(request.url?.split('?', 2)[1]).get('token');
}
