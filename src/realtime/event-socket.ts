import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { RealtimeGrant } from '../domain/events/index.ts';
import { CLOSE } from './close-codes.ts';

/** What a client may leave unread; beyond it, it is dropped. */
export const UNREAD_BYTES_MAX = 1024 * 1024;

/** One open socket of a client. */
export type EventSocket = {
  readonly grant: RealtimeGrant;
  /** Writes whole frames, or drops the client if it has too much unread. */
  write(frames: Buffer): void;
  close(reason: readonly [code: number, text: string]): void;
  /** Pings; a client that has not answered the ping before is cut off. */
  checkAlive(): void;
};

/**
 * Frames are written to the connection itself, past the library, which would make a header for every socket. That is
 * sound as compression is off: the library then writes each of its own frames at once and whole.
 * @param onEnd called once, as soon as the socket takes no more events
 */
export function createEventSocket(
  webSocket: WebSocket,
  connection: Duplex,
  grant: RealtimeGrant,
  onEnd: (socket: EventSocket) => void,
): EventSocket {
  let open = true;
  let answered = true;
  const end = () => {
    if (!open) return;
    open = false;
    onEnd(socket);
  };
  const close = ([code, text]: readonly [code: number, text: string]) => {
    end();
    webSocket.close(code, text);
  };
  const socket: EventSocket = {
    grant,
    close,
    write: (frames) => {
      // Nothing may follow a close frame, the client's own handshake included.
      if (!open || webSocket.readyState !== webSocket.OPEN) return;
      if (connection.writableLength > UNREAD_BYTES_MAX) return close(CLOSE.slowReader);
      connection.write(frames);
    },
    checkAlive: () => {
      if (!answered) return webSocket.terminate();
      answered = false;
      webSocket.ping();
    },
  };
  webSocket.on('pong', () => {
    answered = true;
  });
  webSocket.on('close', end);
  return socket;
}
