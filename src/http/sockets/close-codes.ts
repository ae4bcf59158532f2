import type { WebSocket } from 'ws';

/** Code and text of a close frame; the text has at most 123 bytes. */
export type CloseReason = readonly [code: number, text: string];

/** The server's reasons for closing a WebSocket. Codes from 4000 belong to the application (RFC 6455, 7.4.2). */
export const CLOSE = {
  /** The media stream has ended. A `stop` message with the reason was sent before. */
  streamStopped: [1000, 'stream stopped'],
  /** The leg of the web client has ended. */
  callEnded: [1000, 'call ended'],
  /** A binary message, where all messages are text. */
  binary: [1003, 'messages are JSON text'],
  /** A carrier sends audio in a form that cannot be read. The log names the form. */
  unreadable: [1003, 'audio in this format is not read'],
  /** The client of a media stream has set more marks than may wait. */
  tooManyMarks: [1008, 'too many marks are waiting'],
  /** A web client's message does not follow the protocol. The text of the close frame describes the failure. */
  notThisProtocol: [1008, 'not a message of this protocol'],
  /** An error of the server. The client should connect again. */
  internalError: [1011, 'internal error'],
  /** The node stops. The client should connect again (IANA: Service Restart). */
  restart: [1012, 'service restart'],
  /** The node has the most sockets that it accepts, in all or for one ledger (IANA: Try Again Later). */
  tooManySockets: [1013, 'too many sockets'],
  /** The token's key cannot be checked at the moment (IANA: Try Again Later). */
  unchecked: [1013, 'try again later'],
  /** The node that has the audio cannot be reached at the moment; the token is still valid. */
  unreachable: [1013, 'the gateway of this stream cannot be reached'],
  /** The carrier's audio of a web client's call is lost; the gateway requests it again. */
  audioLost: [1013, 'the audio of the call is lost'],
  /** A media stream's message does not follow the protocol. The text of the close frame describes the failure. */
  malformed: [4400, 'malformed message'],
  /** The token is absent, altered, of another kind or expired. Or its key or web client has ended. */
  badToken: [4401, 'invalid or expired token'],
  /** The token of a media stream, or of a carrier's audio, is absent, wrong, expired or already used. */
  usedToken: [4401, 'invalid or used token'],
  /** The web client was revoked while it was logged in. */
  revoked: [4403, 'web client revoked'],
  /** The media stream does not exist, or ended before a client connected. Or no call wants the carrier's audio. */
  noStream: [4404, 'no such stream'],
  /** The realtime token expired while the client was connected. */
  tokenExpired: [4408, 'token expired'],
  /** The web client's session has expired. */
  sessionExpired: [4408, 'session expired'],
  /** The web client has logged in again. A web client has one session at a time. */
  replaced: [4409, 'logged in elsewhere'],
  /** The person's audio has a newer socket. */
  audioTaken: [4409, 'connected elsewhere'],
  /** Another socket of the carrier has this track of the leg. */
  trackTaken: [4409, 'this track is connected already'],
  /** The client reads more slowly than events arrive. */
  slowReader: [4429, 'reading too slowly'],
} as const satisfies Readonly<Record<string, CloseReason>>;

/** The reasons of the event socket, as `/docs/events` lists them. */
export const EVENT_SOCKET_REASONS = [
  CLOSE.badToken,
  CLOSE.tokenExpired,
  CLOSE.slowReader,
  CLOSE.tooManySockets,
  CLOSE.unchecked,
  CLOSE.restart,
] as const;
export type EventSocketReason = (typeof EVENT_SOCKET_REASONS)[number];

/** Closes a socket. Resumes a paused socket first, because the client's part of the closing handshake must be read. */
export function closeSocket(webSocket: WebSocket, [code, text]: CloseReason): void {
  webSocket.resume();
  webSocket.close(code, text);
}
