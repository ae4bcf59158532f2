import type { WebSocket } from 'ws';
import type { ServerMessage } from './protocol.ts';

/** What may wait unread for one client: thousands of messages. */
export const UNREAD_BYTES_MAX = 1_048_576;
/** Where so much waits, answers to a flood do not add to it. */
export const UNREAD_BYTES_TO_SPARE = 262_144;

/** Sends a message to a client that is still there; one that has left far too many unread is cut off. */
export function say(webSocket: WebSocket, message: ServerMessage): void {
  if (webSocket.readyState !== webSocket.OPEN) return;
  webSocket.send(JSON.stringify(message));
  if (webSocket.bufferedAmount > UNREAD_BYTES_MAX) webSocket.terminate();
}

/** Sends what a client does without that reads too little: nobody is cut off for answers to what he has sent too much. */
export function sayIfRead(webSocket: WebSocket, message: ServerMessage): void {
  if (webSocket.bufferedAmount < UNREAD_BYTES_TO_SPARE) say(webSocket, message);
}
