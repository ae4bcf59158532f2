import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { RealtimeGrant } from '../domain/events/index.ts';
import { CLOSE, closeSocket, type EventSocketReason } from '../http/sockets/close-codes.ts';

/** Bytes that a client may leave unread. A client with more is closed as a slow reader. */
export const UNREAD_BYTES_MAX = 1024 * 1024;

/** A copy, because the library looks the constant up at every use. */
const { OPEN } = WebSocket;

/** One open socket of a client. */
export type EventSocket = {
  readonly grant: RealtimeGrant;
  /** Writes whole frames; closes the socket if too much is unread. */
  write(frames: Buffer): void;
  close(reason: EventSocketReason): void;
};

/**
 * Frames are written to the connection itself, past the library, which would make a header for every socket. That is
 * safe because compression is off: the library then writes each of its frames immediately and whole.
 * @param onEnd called once, when the socket takes no more events
 */
export function createEventSocket(
  webSocket: WebSocket,
  connection: Duplex,
  grant: RealtimeGrant,
  onEnd: (socket: EventSocket) => void,
): EventSocket {
  let open = true;
  const end = () => {
    if (!open) return;
    open = false;
    onEnd(socket);
  };
  const close = (reason: EventSocketReason) => {
    end();
    closeSocket(webSocket, reason);
  };
  const socket: EventSocket = {
    grant,
    close,
    write: (frames) => {
      // No frame may follow a close frame. The library's answer to the client's close frame counts too.
      if (!open || webSocket.readyState !== OPEN) return;
      if (connection.writableLength > UNREAD_BYTES_MAX) return close(CLOSE.slowReader);
      connection.write(frames);
    },
  };
  webSocket.on('close', end);
  return socket;
}
