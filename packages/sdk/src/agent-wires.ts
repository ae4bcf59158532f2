/** How a dialogue is connected to its agent: in memory, or by a WebSocket. */
import { DialplaneError } from './errors.ts';
import type { SocketConstructor, SocketEnd, SocketLike } from './sockets.ts';

/** The socket of the caller. */
export type Wire = { send(text: string): void; close(): void };
/** The receiver of the agent's messages. */
export type Receiver = { open(wire: Wire): void; message(data: unknown): void; closed(): void };

/** Connects an agent in memory. A message of one side reaches the other a moment later. */
export function pairWith(accept: (socket: SocketLike) => unknown, receiver: Receiver): void {
  const listeners: { type: string; listen: (event: never) => void }[] = [];
  let isOpen = true;
  const later = (wanted: string, event: object) =>
    queueMicrotask(() => {
      for (const { type, listen } of listeners) if (type === wanted) listen(event as never);
    });
  const end = (code: number, reason: string) => {
    if (!isOpen) return;
    isOpen = false;
    later('close', { code, reason } satisfies SocketEnd);
    queueMicrotask(() => receiver.closed());
  };
  receiver.open({
    send: (text) => isOpen && later('message', { data: text }),
    close: () => end(1000, 'relay ended'),
  });
  accept({
    send: (text) => isOpen && queueMicrotask(() => receiver.message(text)),
    close: (code = 1005, reason = '') => end(code, reason),
    addEventListener: (type: string, listen: (event: never) => void) => void listeners.push({ type, listen }),
  });
}

/** Opens a WebSocket to an agent. */
export function openWire(url: string, receiver: Receiver, given: SocketConstructor | undefined): Promise<void> {
  const Socket = given ?? (globalThis as { WebSocket?: SocketConstructor }).WebSocket;
  if (Socket === undefined) {
    throw new DialplaneError('invalid_argument', 'This runtime has no WebSocket: pass one in the options.');
  }
  const socket = new Socket(url);
  return new Promise((resolve, reject) => {
    socket.addEventListener('error', () => undefined);
    socket.addEventListener('open', () => {
      receiver.open({ send: (text) => socket.send(text), close: () => socket.close(1000) });
      resolve();
    });
    socket.addEventListener('message', ({ data }) => receiver.message(data));
    socket.addEventListener('close', ({ code }) => {
      reject(new DialplaneError('connection_failed', `The agent at ${url} cannot be reached: closed with ${code}.`));
      receiver.closed();
    });
  });
}
