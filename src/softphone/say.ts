import type { WebSocket } from 'ws';
import type { ServerMessage } from './protocol.ts';

/** What may wait unread for one client: thousands of messages. */
export const UNREAD_BYTES_MAX = 1_048_576;

/** Sends a message to a client that is still there; one that has left far too many unread is cut off. */
export function say(webSocket: WebSocket, message: ServerMessage): void {
  if (webSocket.readyState !== webSocket.OPEN) return;
  webSocket.send(JSON.stringify(message));
  if (webSocket.bufferedAmount > UNREAD_BYTES_MAX) webSocket.terminate();
}
