/** The forms of a stream's messages: our own (protocol.ts) and Twilio's (twilio-dialect.ts). */
import type { Dialect } from './dialect.ts';
import { digitText, markText, parseClientMessage, startText, stopText } from './protocol.ts';
import { createTwilioDialect } from './twilio-dialect.ts';
import type { GrantedStream } from './types.ts';

const native = (stream: GrantedStream): Dialect => ({
  start: () => [startText(stream)],
  digit: digitText,
  mark: markText,
  stop: stopText,
  parse: parseClientMessage,
  number: () => 0,
});

export function dialectOf(stream: GrantedStream): Dialect {
  return stream.dialect === 'twilio' ? createTwilioDialect(stream) : native(stream);
}
