import { DialplaneError } from './errors.ts';

/** The part of a WebSocket that the SDK uses. Browsers, Node 22 and the package `ws` have it. */
export interface SocketLike {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: SocketEnd) => void): void;
}

export type SocketConstructor = new (address: string) => SocketLike;

/** How a socket was closed. */
export type SocketEnd = { readonly code: number; readonly reason: string };

/** Opens a socket with the token in its query: browsers can send no headers. */
export function openSocket(url: string, token: string, given: SocketConstructor | undefined): SocketLike {
  const Socket = given ?? (globalThis as { WebSocket?: SocketConstructor }).WebSocket;
  if (Socket === undefined) {
    const message = 'This runtime has no WebSocket: pass one in the options, such as that of the package ws.';
    throw new DialplaneError('invalid_argument', message);
  }
  const address = new URL(url);
  address.searchParams.set('token', token);
  const socket = new Socket(address.href);
  // Every error is followed by close, which says more.
  socket.addEventListener('error', () => undefined);
  return socket;
}
