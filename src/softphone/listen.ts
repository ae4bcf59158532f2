/** Reads a socket of a seat: first who it is, by the query or by `register`, then what it wants. */
import type { WebSocket } from 'ws';
import type { Context } from '../context.ts';
import { createAllowance } from './allowance.ts';
import { CLOSE, type ClientMessage } from './protocol.ts';
import { type Malformed, readMessage } from './read-message.ts';
import { callsForHelp, WAITING_MAX } from './requests.ts';
import { say } from './say.ts';
import type { Seat } from './seat.ts';

/** How long a client may take to register. */
const REGISTER_WITHIN_MS = 5_000;
const BINARY: Malformed = { malformed: 'messages are JSON text' };

export type ListenOptions = {
  /** Of the query. */
  readonly token: string | null;
  /** Undefined where it was refused, and the socket closed. */
  readonly logIn: (token: string) => Promise<Seat | undefined>;
  readonly log: Context['log'];
};

export function listen(webSocket: WebSocket, { token, logIn, log }: ListenOptions): void {
  const allowance = createAllowance();
  /** What was sent while the login was still under way. */
  const early: ClientMessage[] = [];
  let state: 'waiting' | 'logging_in' | Seat = 'waiting';
  const begin = async (withToken: string) => {
    state = 'logging_in';
    clearTimeout(deadline);
    try {
      const seat = await logIn(withToken);
      if (seat === undefined) return;
      state = seat;
      for (const message of early) seat.take(message);
    } catch (error) {
      log.error({ err: error }, 'a seat could not log in');
      webSocket.close(...CLOSE.fault);
    }
  };
  const keep = (message: ClientMessage) => {
    if (early.length < WAITING_MAX || !early.some(callsForHelp)) early.push(message);
  };
  const deadline = setTimeout(() => webSocket.close(...CLOSE.badToken), REGISTER_WITHIN_MS).unref();
  webSocket.on('close', () => clearTimeout(deadline));
  webSocket.on('message', (bytes, isBinary) => {
    const message = isBinary ? BINARY : readMessage(String(bytes));
    if ('malformed' in message) return webSocket.close(CLOSE.malformed[0], message.malformed);
    if (!allowance.allows(message)) return webSocket.close(...CLOSE.tooMany);
    if (typeof state === 'object') return state.take(message);
    if (state === 'logging_in') return keep(message);
    if (message.type === 'register') return void begin(message.token);
    say(webSocket, { type: 'error', code: 'not_registered', message: 'Register first.', request: message.type });
  });
  if (token !== null) void begin(token);
}
