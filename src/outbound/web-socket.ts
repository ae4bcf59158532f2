/** Opens WebSockets to hosts that callers chose, only to addresses that were checked. */
import { isIP, type LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ClientOptions, WebSocket } from 'ws';
import { bareHostname, isAddressAllowed } from './address-guard.ts';
import { createGuardedLookup, type Lookup } from './connector.ts';
import { OutboundError, toOutboundError } from './outbound-error.ts';

export type SocketDialOptions = {
  readonly allowLoopback: boolean;
  /** Name resolution, TCP, TLS and the WebSocket handshake together. */
  readonly timeoutMs: number;
  /** Longest message that is accepted. */
  readonly messageBytesMax: number;
  readonly signal: AbortSignal;
  readonly lookup?: Lookup;
};

/** An open WebSocket, paused, and the connection under it. */
export type DialledSocket = { readonly webSocket: WebSocket; readonly connection: Duplex };

/** Opens a WebSocket. Redirects are not followed. Rejects with OutboundError only. */
export function openWebSocket(url: string, options: SocketDialOptions): Promise<DialledSocket> {
  const { allowLoopback, timeoutMs, messageBytesMax, signal } = options;
  const host = bareHostname(new URL(url).hostname);
  // A literal address never reaches the lookup step; a name is checked there.
  if (isIP(host) !== 0 && !isAddressAllowed(host, { allowLoopback })) {
    return Promise.reject(new OutboundError('blocked_address', { cause: host }));
  }
  if (signal.aborted) return Promise.reject(new OutboundError('aborted'));
  const { promise, resolve, reject } = Promise.withResolvers<DialledSocket>();
  const socketOptions: ClientOptions & { lookup: LookupFunction; autoSelectFamily: boolean } = {
    lookup: createGuardedLookup(options),
    autoSelectFamily: true,
    perMessageDeflate: false,
    followRedirects: false,
    handshakeTimeout: timeoutMs,
    maxPayload: messageBytesMax,
  };
  const webSocket = new WebSocket(url, socketOptions);
  const abort = () => webSocket.terminate();
  signal.addEventListener('abort', abort, { once: true });
  let connection: Duplex | undefined;
  webSocket.on('upgrade', (response) => {
    connection = response.socket;
  });
  // This listener stays until the socket closes. After an error the library closes the socket, and the close is the
  // event that matters.
  webSocket.on('error', (error) => reject(signal.aborted ? new OutboundError('aborted') : failureOf(error)));
  webSocket.once('open', () => {
    signal.removeEventListener('abort', abort);
    webSocket.pause();
    resolve({ webSocket, connection: connection as Duplex });
  });
  return promise;
}

/** The library's errors of the handshake have no code; their text begins with these words. */
const ANSWERED = /^Unexpected server response: (\d{3})$/;
const TIMED_OUT = 'Opening handshake has timed out';

function failureOf(error: Error): OutboundError {
  const [, status] = ANSWERED.exec(error.message) ?? [];
  if (status !== undefined) {
    return new OutboundError('protocol', { message: `The server answered the WebSocket handshake with ${status}.` });
  }
  if (error.message === TIMED_OUT) {
    return new OutboundError('timeout', { message: 'The connection could not be opened in time.' });
  }
  const failure = toOutboundError(error);
  if (failure.kind !== 'protocol') return failure;
  return new OutboundError('protocol', { message: 'The answer was no WebSocket handshake.', cause: error });
}
