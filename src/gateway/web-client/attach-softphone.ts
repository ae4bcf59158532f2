/**
 * The socket of seats: GET /v1/softphone. A browser logs in with a token that was minted for one web client; from then
 * on it is told of that client's calls, and what it sends is done to them (protocol.ts). Each client has one session at
 * a time, on one node: a newer login takes its place. Which node has it stands in the database, and a signal over the
 * bus says only "look again", so that nothing is lost with a signal.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { WebSocket } from 'ws';
import type { Context } from '../../context.ts';
import { findLedger } from '../../db/ledgers.ts';
import {
  closeSession,
  openLoginToken,
  openSession,
  readSessionState,
  renewSessions,
  type SeatSession,
  wakeSeat,
} from '../../domain/voice/index.ts';
import { closeSocketServer, createSocketServer } from '../../http/sockets/socket-server.ts';
import { takeUpgrades } from '../../http/sockets/upgrades.ts';
import { coalesce } from '../../lib/coalesce.ts';
import { ignoreError } from '../../lib/ignore-error.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { AudioDoor } from './audio-authorizer.ts';
import { listen } from './listen.ts';
import { createLiveness } from './liveness.ts';
import { createPace, type Pace } from './pace.ts';
import { CLIENT_MESSAGE_BYTES_MAX, CLOSE, SOFTPHONE_PATH } from './protocol.ts';
import { createSeat, type Seat } from './web-client.ts';
import type { SeatLines } from '../../carriers/ports/web-client.ts';
import { onSeatSignal, passOnSeatSignals } from './signals.ts';
import { createSeats } from './web-clients.ts';

type SoftphoneContext = Pick<Context, 'db' | 'bus' | 'carriers' | 'cipher' | 'clock' | 'log'>;

export type SoftphoneOptions = {
  /** The lines of a ledger's carrier; undefined where it rings no seats. */
  readonly linesOf: (ledger: Ledger) => SeatLines | undefined;
  /** Absent where no gateway serves the audio of seats. */
  readonly audio?: AudioDoor;
  readonly seatsMax?: number;
  /** How often sessions are renewed and looked at; within it revocation reaches a seat even if signals are lost. */
  readonly heartbeatMs?: number;
};

export type Softphone = {
  /** Tells every seat to connect elsewhere (1012), and resolves when all are gone, within 2 s. */
  close(): Promise<void>;
};

const SEATS_MAX = 5_000;
const HEARTBEAT_MS = 3_000;
const PING_EVERY = 4;
const SESSION_MS_MAX = 12 * 3_600_000;

/**
 * Serves seats on the server and passes signals about them on to the other processes. A process without a server (a
 * worker) gives null and only does the latter.
 */
export function attachSoftphone(
  server: Server | null,
  context: SoftphoneContext,
  options: SoftphoneOptions,
): Softphone {
  const { db, bus, log, clock } = context;
  const { linesOf, audio, seatsMax = SEATS_MAX, heartbeatMs = HEARTBEAT_MS } = options;
  const nodeId = randomUUID();
  const seats = createSeats();
  const liveness = createLiveness();
  const webSockets = createSocketServer(CLIENT_MESSAGE_BYTES_MAX);
  let open = true;

  const forget = async (session: SeatSession) => {
    if (seats.remove(session)) await closeSession(db, session);
  };

  const logIn = async (webSocket: WebSocket, pace: Pace, token: string): Promise<Seat | undefined> => {
    const grant = await openLoginToken(context, token);
    if (typeof grant === 'string') return refuse(webSocket, CLOSE.badToken);
    if (!open) return refuse(webSocket, CLOSE.restart);
    if (seats.size >= seatsMax) return refuse(webSocket, CLOSE.tooManySockets);
    const { ledgerId, webClientId, tenantId } = grant;
    const ledger = await findLedger(db, ledgerId);
    const session: SeatSession = { ledgerId, webClientId, sessionId: randomUUID(), nodeId };
    const expiresAtMs = clock.now() + SESSION_MS_MAX;
    if (ledger === undefined) return refuse(webSocket, CLOSE.badToken);
    if (webSocket.readyState !== webSocket.OPEN) return undefined;
    const lines = linesOf(ledger);
    const seat = createSeat(context, { webSocket, session, ledger, tenantId, lines, audio, pace, expiresAtMs });
    seats.add(seat);
    webSocket.on('close', () => ignoreError(forget(session), log, 'an abandoned session is stale within seconds'));
    if (!(await openSession(db, session))) return refuse(webSocket, CLOSE.badToken);
    // It was closed meanwhile: the row must not outlive it.
    if (webSocket.readyState !== webSocket.OPEN) await closeSession(db, session);
    // Whoever had the seat until now finds that it is replaced.
    wakeSeat(db, session);
    await seat.welcome();
    return seat;
  };

  const check = async (seat: Seat): Promise<void> => {
    const state = await readSessionState(db, seat.session);
    if (state === 'revoked') await seat.revoke();
    else if (state === 'replaced') seat.close(CLOSE.replaced);
    else seat.look();
  };
  const checkAll = (these: Iterable<Seat>) => {
    for (const seat of these) ignoreError(check(seat), log, 'the heartbeat looks again');
  };

  passOnSeatSignals(context);
  onSeatSignal(bus, (seat) => checkAll(seats.named(seat)));
  bus.onGap(() => checkAll(seats.all()));

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
    const current = [...seats.all()];
    if (beats++ % PING_EVERY === 0) liveness.pingAll(webSockets.clients);
    for (const seat of current) if (seat.isExpired()) seat.close(CLOSE.sessionExpired);
    if (current.length === 0) return;
    const renewed = await renewSessions(
      db,
      nodeId,
      current.map(({ session }) => session.sessionId),
    );
    checkAll(current.filter(({ session }) => !renewed.has(session.sessionId)));
  });
  const heartbeat = setInterval(
    () => ignoreError(beat(), log, 'seats stay connected while the database is away; the next beat renews them'),
    heartbeatMs,
  ).unref();

  return {
    close: async () => {
      open = false;
      clearInterval(heartbeat);
      await closeSocketServer(webSockets, CLOSE.restart);
      await Promise.all([...seats.all()].map(({ session }) => forget(session)));
    },
  };
}

function refuse(webSocket: WebSocket, reason: readonly [number, string]): undefined {
  webSocket.close(...reason);
}

function tokenOf(request: IncomingMessage): string | null {
  return new URLSearchParams(request.url?.split('?', 2)[1]).get('token');
}
