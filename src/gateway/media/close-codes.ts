import type { WebSocket } from 'ws';
import type { ClaimRefusal } from './types.ts';

/** How the gateway says why it closes. Codes from 4000 are the application's own (RFC 6455, 7.4.2). */
export const CLOSE = {
  /** The stream is over; a `stop` message with the reason came before. */
  stopped: [1000, 'stream stopped'],
  /** A binary message, where all are text. */
  binary: [1003, 'messages are JSON text'],
  /** Too many marks wait, or a client does something else without bounds. */
  excess: [1008, 'too many marks are waiting'],
  /** Something of ours failed. */
  fault: [1011, 'internal error'],
  /** The node goes away. */
  restart: [1012, 'service restart'],
  /** The node that has the audio cannot be reached just now; the token is still good. */
  unreachable: [1013, 'the gateway of this stream cannot be reached'],
  /** The node has all the sockets that it takes; the token is still good. */
  full: [1013, 'too many sockets'],
  /** A message that is not one of the protocol; the reason says what is wrong with it. */
  malformed: [4400, 'malformed message'],
  /** The token is absent, wrong or used before. */
  badToken: [4401, 'invalid or used token'],
  /** No such stream, or it is over and nobody ever came. */
  noStream: [4404, 'no such stream'],
} as const satisfies Readonly<Record<string, CloseReason>>;

/** Code and text of a close frame; the text has at most 123 bytes. */
export type CloseReason = readonly [code: number, text: string];

export const REFUSED: Readonly<Record<ClaimRefusal, CloseReason>> = {
  1013: CLOSE.unreachable,
  4401: CLOSE.badToken,
  4404: CLOSE.noStream,
};

/** Closes a socket that may be paused: the other side's part of the closing handshake has to be read. */
export function refuse(webSocket: WebSocket, [code, text]: CloseReason): void {
  webSocket.resume();
  webSocket.close(code, text);
}
