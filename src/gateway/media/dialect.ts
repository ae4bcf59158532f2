import type { MediaMessage } from './outgoing.ts';
import type { ClientMessage, Malformed } from './protocol.ts';
import type { PressedDigit, StopReason } from './types.ts';

/** Makes and reads the messages of one stream, in the order in which they are sent. */
export type Dialect = {
  /** The first messages. */
  start(): readonly string[];
  digit(pressed: PressedDigit): string;
  mark(name: string): string;
  stop(reason: StopReason): string;
  /** Reads a message of the client. */
  parse(text: string): ClientMessage | Malformed;
  /** Returns the JSON of media messages in ASCII; absent for that of our own protocol. */
  readonly media?: (message: MediaMessage) => string;
  /** Returns the number of the first of these messages among all messages of the stream, where they are numbered. */
  number(messages: number): number;
};
