/** Reads a web client's signalling socket: first the login, from the query or from `register`, and then requests. */
import type { WebSocket } from 'ws';
import type { Context } from '../../context.ts';
import { CLOSE, closeSocket } from '../../http/sockets/close-codes.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { after } from '../../lib/time/time.ts';
import type { ConnectedSession } from './connected-session.ts';
import { echoOf, errorMessage, tooManyMessages, WebClientError } from './errors.ts';
import { type ClientMessage, send, sendIfRead } from './protocol.ts';
import { createAllowance, type ReadPace } from './rate.ts';
import { type Invalid, type Malformed, readMessage } from './read-message.ts';
import { isEmergencyCall, WAITING_MAX } from './request-queue.ts';

/** The time limit for `register`. */
const REGISTER_WITHIN_MS = 5_000;
const BINARY: Malformed = { malformed: 'messages are JSON text' };

export type SignallingOptions = {
  /** The token in the query. */
  readonly token: string | null;
  /** Resolves with undefined if the login was refused and the socket closed. */
  readonly logIn: (token: string) => Promise<ConnectedSession | undefined>;
  readonly pace: ReadPace;
  readonly log: Context['log'];
};

export function readSignallingSocket(webSocket: WebSocket, { token, logIn, pace, log }: SignallingOptions): void {
  const allowance = createAllowance();
  /** Messages that arrived during the login. */
  const early: ClientMessage[] = [];
  let state: 'waiting' | 'logging_in' | ConnectedSession = 'waiting';
  const begin = async (withToken: string) => {
    state = 'logging_in';
    deadline.cancel();
    try {
      const connected = await logIn(withToken);
      if (connected === undefined) return;
      state = connected;
      for (const message of early.splice(0)) connected.handle(message);
    } catch (error) {
      log.error({ err: error }, 'the login of a web client failed; closed its socket with 1011');
      closeSocket(webSocket, CLOSE.internalError);
    } finally {
      pace.setFull('login', false);
    }
  };
  const refuse = (message: ClientMessage | Invalid, error: unknown) =>
    sendIfRead(webSocket, errorMessage('invalid' in message ? message.echo : echoOf(message), error));
  const keep = (message: ClientMessage) => {
    const isFull = early.length >= WAITING_MAX;
    if (isFull) pace.setFull('login', true);
    if (isFull && !isEmergencyCall(message)) refuse(message, tooManyMessages());
    else early.push(message);
  };
  const handle = (message: ClientMessage) => {
    if (typeof state === 'object') return state.handle(message);
    if (state === 'logging_in') return keep(message);
    if (message.type === 'register') return void begin(message.token);
    send(webSocket, errorMessage(echoOf(message), new WebClientError('not_registered', 'Register first.')));
  };
  const deadline = after(REGISTER_WITHIN_MS, () => closeSocket(webSocket, CLOSE.badToken)).unref();
  webSocket.on('close', () => deadline.cancel());
  webSocket.on('message', (bytes, isBinary) => {
    pace.count();
    const message = isBinary ? BINARY : readMessage(String(bytes));
    if ('malformed' in message) {
      return closeSocket(webSocket, [CLOSE.notThisProtocol[0], message.malformed]);
    }
    if (!allowance.allows(message)) return refuse(message, tooManyMessages());
    if (!('invalid' in message)) return handle(message);
    const { code, message: text } = message.invalid;
    refuse(message, new ApiError(code, { message: text }));
  });
  if (token !== null) void begin(token);
}
