/** Reads a socket of a web client: first who it is, by the query or by `register`, then what it wants. */
import type { WebSocket } from 'ws';
import type { Context } from '../../context.ts';
import { ApiError } from '../../lib/errors.ts';
import { createAllowance } from './allowance.ts';
import type { Pace } from './pace.ts';
import { CLOSE, type ClientMessage } from './protocol.ts';
import { type Malformed, readMessage, type Unfit } from './read-message.ts';
import { askedBy, refusalOf, tooMany } from './refusal.ts';
import { callsForHelp, WAITING_MAX } from './requests.ts';
import { say, sayIfRead } from './say.ts';
import type { WebClient } from './web-client.ts';
import { WebClientError } from './web-client-error.ts';

/** How long a client may take to register. */
const REGISTER_WITHIN_MS = 5_000;
const BINARY: Malformed = { malformed: 'messages are JSON text' };

export type ListenOptions = {
  /** Of the query. */
  readonly token: string | null;
  /** Undefined where it was refused, and the socket closed. */
  readonly logIn: (token: string) => Promise<WebClient | undefined>;
  readonly pace: Pace;
  readonly log: Context['log'];
};

export function listen(webSocket: WebSocket, { token, logIn, pace, log }: ListenOptions): void {
  const allowance = createAllowance();
  /** What was sent while the login was still under way. */
  const early: ClientMessage[] = [];
  let state: 'waiting' | 'logging_in' | WebClient = 'waiting';
  const begin = async (withToken: string) => {
    state = 'logging_in';
    clearTimeout(deadline);
    try {
      const webClient = await logIn(withToken);
      if (webClient === undefined) return;
      state = webClient;
      for (const message of early.splice(0)) webClient.take(message);
    } catch (error) {
      log.error({ err: error }, 'a web client could not log in');
      webSocket.close(...CLOSE.fault);
    } finally {
      pace.hold('login', false);
    }
  };
  const refuse = (message: ClientMessage | Unfit, error: unknown) =>
    sayIfRead(webSocket, refusalOf('unfit' in message ? message.asked : askedBy(message), error));
  const keep = (message: ClientMessage) => {
    const isFull = early.length >= WAITING_MAX;
    if (isFull) pace.hold('login', true);
    if (isFull && !callsForHelp(message)) refuse(message, tooMany());
    else early.push(message);
  };
  const take = (message: ClientMessage) => {
    if (typeof state === 'object') return state.take(message);
    if (state === 'logging_in') return keep(message);
    if (message.type === 'register') return void begin(message.token);
    say(webSocket, refusalOf(askedBy(message), new WebClientError('not_registered', 'Register first.')));
  };
  const deadline = setTimeout(() => webSocket.close(...CLOSE.badToken), REGISTER_WITHIN_MS).unref();
  webSocket.on('close', () => clearTimeout(deadline));
  webSocket.on('message', (bytes, isBinary) => {
    pace.count();
    const message = isBinary ? BINARY : readMessage(String(bytes));
    if ('malformed' in message) return webSocket.close(CLOSE.malformed[0], message.malformed);
    if (!allowance.allows(message)) return refuse(message, tooMany());
    if (!('unfit' in message)) return take(message);
    const { code, message: why } = message.unfit;
    refuse(message, new ApiError(code, { message: why }));
  });
  if (token !== null) void begin(token);
}
