/**
 * The messages of Twilio's Media Streams, so that programs written for them need no change:
 * https://www.twilio.com/docs/voice/media-streams/websocket-messages
 *
 * Numbers are sent as texts. `sequenceNumber` counts all messages after `connected`; `chunk` counts the messages of a
 * track. Frames that were dropped for a slow client leave a gap in both.
 */
import { parseObject } from '../../lib/json-object.ts';
import type { Dialect } from './dialect.ts';
import type { MediaMessage } from './outgoing.ts';
import { type ClientMessage, type Malformed, readMark, readMedia, tracksOf } from './protocol.ts';
import type { GrantedStream, Track } from './types.ts';

const CONNECTED = JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' });
const MEDIA_FORMAT = { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 };
/** The track's name in messages about digits. */
const DIGIT_TRACKS: Readonly<Record<Track, string>> = { inbound: 'inbound_track', outbound: 'outbound_track' };

export function createTwilioDialect(stream: GrantedStream): Dialect {
  const { streamId: streamSid, accountId: accountSid, parameters } = stream;
  const { callId: callSid } = stream.call;
  let sent = 0;
  const next = () => String(++sent);
  return {
    start: () => {
      const tracks = tracksOf(stream);
      const start = { streamSid, accountSid, callSid, tracks, mediaFormat: MEDIA_FORMAT, customParameters: parameters };
      return [CONNECTED, JSON.stringify({ event: 'start', sequenceNumber: next(), start, streamSid })];
    },
    digit: ({ digit, track }) => {
      const dtmf = { track: DIGIT_TRACKS[track], digit };
      return JSON.stringify({ event: 'dtmf', streamSid, sequenceNumber: next(), dtmf });
    },
    mark: (name) => JSON.stringify({ event: 'mark', sequenceNumber: next(), streamSid, mark: { name } }),
    // Twilio's form has no reason.
    stop: () => JSON.stringify({ event: 'stop', sequenceNumber: next(), stop: { accountSid, callSid }, streamSid }),
    parse: parseTwilioMessage,
    media: (message) => mediaJson(message, streamSid),
    number: (messages) => {
      sent += messages;
      return sent - messages + 1;
    },
  };
}

function mediaJson({ track, seq, number, timestampMs, frame }: MediaMessage, streamSid: string): string {
  const media = `{"track":"${track}","chunk":"${seq}","timestamp":"${timestampMs}","payload":"${frame.toBase64()}"}`;
  return `{"event":"media","sequenceNumber":"${number}","media":${media},"streamSid":"${streamSid}"}`;
}

/** Reads a client's message. `streamSid` is not read: a socket has one stream. */
function parseTwilioMessage(text: string): ClientMessage | Malformed {
  const message = parseObject(text);
  if (message === undefined) return { malformed: 'not a JSON object' };
  const { event } = message;
  if (event === 'clear') return { event };
  if (event === 'media') return readMedia(fieldOf(message['media'], 'payload'));
  if (event === 'mark') return readMark(fieldOf(message['mark'], 'name'));
  return { malformed: 'event is none of media, mark, clear' };
}

function fieldOf(object: unknown, name: string): unknown {
  return typeof object === 'object' && object !== null ? (object as Record<string, unknown>)[name] : undefined;
}
