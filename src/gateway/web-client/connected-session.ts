/** A logged-in web client: carries out the requests of its socket, and sends the changes of its calls. */
import type { WebSocket } from 'ws';
import type { WebClientLegIds } from '../../carriers/ports/web-client.ts';
import type { Context } from '../../context.ts';
import {
  closeSession,
  type LoginGrant,
  type OwnTransfer,
  readOwnQueues,
  setOwnAvailability,
  transferOwnCall,
  type WebClientExchange,
  type WebClientLeg,
  type WebClientName,
  type WebClientSession,
} from '../../domain/voice/index.ts';
import { CLOSE, type CloseReason, closeSocket } from '../../http/sockets/close-codes.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { isEmergencyNumber } from '../../lib/phone/emergency.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { Speech } from '../../speech/port.ts';
import type { AudioAuthorizer } from './audio-authorizer.ts';
import { createCallView } from './call-view.ts';
import { dial } from './dial.ts';
import { echoOf, errorMessage, tooManyMessages } from './errors.ts';
import { type ClientMessage, type ServerMessage, send, sendIfRead } from './protocol.ts';
import type { ReadPace } from './rate.ts';
import { createRequestQueue, type Request } from './request-queue.ts';
import type { SetAudio } from './signals.ts';

export type SessionContext = Pick<Context, 'db' | 'carriers' | 'log' | 'clock'> & {
  /** Speaks the announcement of a transfer; absent if the carriers speak it. */
  readonly speech?: Pick<Speech, 'voice'> | undefined;
};

export type ConnectedSessionOptions = {
  readonly webSocket: WebSocket;
  readonly session: WebClientSession;
  readonly ledger: Ledger;
  readonly tenantId: string;
  /** The browser session that made the login, if any. */
  readonly browser?: LoginGrant['browser'];
  /** Undefined if the ledger's carrier cannot ring web clients. */
  readonly exchange: WebClientExchange;
  /** Undefined if no gateway serves the audio of web clients. */
  readonly audio: AudioAuthorizer | undefined;
  readonly setAudio: SetAudio;
  readonly pace: ReadPace;
  readonly expiresAtMs: number;
};

export type ConnectedSession = {
  /** The session's name in the database. */
  readonly session: WebClientSession;
  /** The browser session of the login. The login ends with it. Null if a key minted the token. */
  readonly browserSessionId: string | null;
  /** False until the login has stored the session. Until then it cannot be replaced or revoked. */
  isOpened: boolean;
  /** Sends `registered`, and then the calls that the web client is on. */
  start(): Promise<void>;
  /**
   * Re-reads the web client's legs and sends the changes; does nothing before `registered`.
   * @param live its legs that have not ended, if the caller has read them. If their changes are sent already, the
   * session reads nothing
   */
  refresh(live?: readonly WebClientLeg[]): void;
  /** Carries out requests one after another, but an emergency call immediately. */
  handle(message: ClientMessage): void;
  /** True once the session has expired. */
  hasExpired(): boolean;
  /** True once the session has expired and the web client is on no call. */
  isExpired(): boolean;
  close(reason: CloseReason): void;
  /** Called after the web client was revoked. Closes the socket, drops waiting requests, and ends its legs. */
  revoke(): Promise<void>;
};

export function createConnectedSession(context: SessionContext, options: ConnectedSessionOptions): ConnectedSession {
  const { webSocket, session, ledger, tenantId, browser, exchange, audio, pace, expiresAtMs } = options;
  const { log, clock } = context;
  const { webClientId } = session;
  let isStarted = false;
  let isRevoked = false;

  const sendToClient = (message: ServerMessage) => send(webSocket, message);
  const isOpen = () => webSocket.readyState === webSocket.OPEN;
  // If a key minted the login, it may read contacts.
  const contactsOf = browser === undefined || browser.reads === true ? tenantId : undefined;
  const called = { webClient: session, ledger, contactsOf };
  const view = createCallView(context, { ...called, exchange, audio, send: sendToClient, isOpen });

  const carryOut = async (request: Request): Promise<void> => {
    if (isRevoked) throw new ApiError('web_client_not_found');
    if (request.type === 'place') {
      if (browser?.dials === false && !isEmergencyNumber(request.to)) throw mayNotDial();
      const onUnshown = (error: unknown) => refuse(request, error);
      return dial(context, { webClient: session, ledger, tenantId, exchange, view, onUnshown }, request);
    }
    if (request.type === 'transfer' && browser?.dials === false) throw mayNotDial();
    if (request.type === 'media') return view.resendMedia(request.call_id);
    if (request.type === 'availability') return sendToClient(await changeAvailability(context, session, request));
    const leg = await view.legOf(request.call_id);
    return actOnLeg(context, options, leg, request);
  };

  const refuse = (request: Request, error: unknown) => sendToClient(refusalOf(log, session, request, error));

  const requests = createRequestQueue({
    run: (request) => carryOut(request).catch((error: unknown) => refuse(request, error)),
    onFull: (isFull) => pace.setFull('emergency', isFull),
  });

  return {
    ...{ session, browserSessionId: browser?.id ?? null, isOpened: false },
    start: async () => {
      const expires_at = new Date(expiresAtMs).toISOString();
      sendToClient({ type: 'registered', web_client_id: webClientId, expires_at, call_ids: await view.callIds() });
      isStarted = true;
      void view.refresh();
      await showQueues(context, session, sendToClient);
    },
    refresh: (live) => {
      if (isStarted && (live === undefined || view.isBehind(live))) void view.refresh();
    },
    handle: (message) => {
      // A second login on one socket has no effect.
      if (message.type === 'register' || requests.add(message)) return;
      sendIfRead(webSocket, errorMessage(echoOf(message), tooManyMessages()));
    },
    hasExpired: () => clock.now() >= expiresAtMs,
    isExpired: () => clock.now() >= expiresAtMs && view.isIdle,
    close: (reason) => closeSocket(webSocket, reason),
    revoke: async () => {
      isRevoked = true;
      closeSocket(webSocket, CLOSE.revoked);
      await exchange.endLegs(ledger, webClientId);
    },
  };
}

type LegRequest = Exclude<Request, { type: 'place' | 'media' | 'availability' }>;

/** Carries out a request about the web client's leg on a call. */
async function actOnLeg(
  context: SessionContext,
  { session: { webClientId }, ledger, tenantId, exchange, audio, setAudio }: ConnectedSessionOptions,
  leg: WebClientLegIds,
  request: LegRequest,
): Promise<void> {
  switch (request.type) {
    case 'answer':
      return requireActive(await exchange.answer(ledger, leg));
    case 'decline':
    case 'hang_up':
      return requireActive(await exchange.hangUp(ledger, leg));
    case 'dtmf':
      return requireActive(await exchange.sendDigits(ledger, leg, request.digits));
    case 'transfer':
    case 'complete_transfer':
    case 'cancel_transfer':
      return transferOwnCall(context, { ledger, tenantId, webClientId }, leg, transferOf(request));
    case 'mute':
    case 'hold':
      if (audio !== undefined) setAudio(leg.legId, { [request.type]: request.on });
  }
}

type TransferRequest = Extract<Request, { type: 'transfer' | 'complete_transfer' | 'cancel_transfer' }>;

function transferOf(request: TransferRequest): OwnTransfer {
  if (request.type !== 'transfer') return { do: request.type === 'complete_transfer' ? 'complete' : 'cancel' };
  const { to, mode, announce_text } = request;
  return {
    do: 'start',
    wanted: { to, ...(mode !== undefined && { mode }), ...(announce_text !== undefined && { announce_text }) },
  };
}

/** Returns the answer to a failed request. Logs the failure unless the client caused it. */
function refusalOf(
  log: Context['log'],
  { webClientId }: WebClientSession,
  request: Request,
  error: unknown,
): ServerMessage {
  const message = errorMessage(echoOf(request), error);
  if (message.code === 'internal_error') {
    log.error({ err: error, web_client: webClientId }, 'a request of a web client failed; answered internal_error');
  }
  return message;
}

/** Sets the availability of the web client. Returns the answer. */
async function changeAvailability(
  { db }: SessionContext,
  session: WebClientSession,
  { availability, queue_id: queueId }: Extract<Request, { type: 'availability' }>,
): Promise<ServerMessage> {
  return { type: 'queues', queues: await setOwnAvailability(db, session, { availability, queueId }) };
}

/** Sends the queues of the web client, if it is an agent of at least one. */
async function showQueues(
  { db }: SessionContext,
  session: WebClientSession,
  sendToClient: (message: ServerMessage) => void,
): Promise<void> {
  const queues = await readOwnQueues(db, session);
  if (queues.length > 0) sendToClient({ type: 'queues', queues });
}

function mayNotDial(): ApiError {
  return new ApiError('key_not_permitted', {
    message: 'This browser session needs "calls:place" to place and transfer calls.',
  });
}

function requireActive(isDone: boolean): void {
  if (!isDone) throw new ApiError('call_not_active');
}

export type SessionList = ReturnType<typeof createSessionList>;

/**
 * Creates the list of sessions that are connected to this process. A web client may have two for a moment, until the
 * older one is closed.
 */
export function createSessionList() {
  const byWebClient = new Map<string, Set<ConnectedSession>>();
  const bySessionId = new Map<string, ConnectedSession>();
  const keyOf = ({ ledgerId, webClientId }: WebClientName) => `${ledgerId}:${webClientId}`;

  return {
    get size(): number {
      return bySessionId.size;
    },
    all: (): Iterable<ConnectedSession> => bySessionId.values(),
    ofWebClient: (name: WebClientName): readonly ConnectedSession[] => [...(byWebClient.get(keyOf(name)) ?? [])],
    add: (connected: ConnectedSession): void => {
      const key = keyOf(connected.session);
      byWebClient.set(key, (byWebClient.get(key) ?? new Set()).add(connected));
      bySessionId.set(connected.session.sessionId, connected);
    },
    /** Removes a session that is in the list, and ends it in the database. */
    forget: async (db: Context['db'], session: WebClientSession): Promise<void> => {
      const connected = bySessionId.get(session.sessionId);
      if (connected === undefined) return;
      bySessionId.delete(session.sessionId);
      const same = byWebClient.get(keyOf(session));
      same?.delete(connected);
      if (same?.size === 0) byWebClient.delete(keyOf(session));
      await closeSession(db, session);
    },
  };
}
