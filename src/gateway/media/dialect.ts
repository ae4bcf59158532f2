import type { MediaMessage } from './outgoing.ts';
import type { ClientMessage, Malformed } from './protocol.ts';
import type { PressedDigit, StopReason } from './types.ts';

/** Makes and reads the messages of one stream, in order. */
export type Dialect = {
  /** Returns the first messages. */
  start(): readonly string[];
  digit(pressed: PressedDigit): string;
  mark(name: string): string;
  stop(reason: StopReason): string;
  /** Reads a message of the client. */
  parse(text: string): ClientMessage | Malformed;
  /** Returns the JSON of media messages in ASCII; absent for our own protocol's form. */
  readonly media?: (message: MediaMessage) => string;
  /**
   * Returns the number of the first of these messages among all messages of the stream. Absent if the dialect does not
   * number messages.
   */
  number(messages: number): number;
};
