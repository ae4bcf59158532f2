/**
 * The messages of a media stream (docs/media-streams.md). Media is written as bytes by hand, as there are a hundred
 * messages a second and stream: WebSocket header (RFC 6455, 5.2; servers do not mask), JSON and base64 in one pass.
 */
import { Buffer } from 'node:buffer';
import { MULAW_BYTES_PER_MS } from '../../audio/mulaw.ts';
import { PLAYBACK_MS_MAX } from './playback-queue.ts';
import type { DigitNotice, Frame, GrantedStream, StopReason, Track } from './types.ts';

/** Longest audio in one message of a client: all that may wait to be played. */
export const PAYLOAD_MS_MAX = PLAYBACK_MS_MAX;
const PAYLOAD_BYTES_MAX = PAYLOAD_MS_MAX * MULAW_BYTES_PER_MS;
/** The longest payload as base64 (640,000 characters), and room for what is around it. */
export const MESSAGE_BYTES_MAX = 640 * 1024;
export const MARK_CHARS_MAX = 256;

/** FIN and the opcode. */
const TEXT_MESSAGE = 0x81;
const PING = 0x89;
const SHORT_HEADER_BYTES = 2;
const LENGTH_OF_16_BITS = 126;
const LENGTH_OF_64_BITS = 127;
const MEDIA_HEADER_BYTES = 4;
/** More than any media message has: numbers of 16 digits each, and the rest is fixed. */
export const MEDIA_BYTES_MAX = 400;
/** A ping with a number of 16 digits. */
export const PING_BYTES_MAX = SHORT_HEADER_BYTES + 16;

const ALPHABET = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const PADDING = 0x3d;
const QUOTE = 0x22;
const BRACE = 0x7d;

export type MediaMessage = { track: Track; seq: number; timestampMs: number; frame: Frame };

/** Writes one media message as it goes over the wire, from `at` on; gives where it ends. */
export function writeMedia(target: Buffer, at: number, { track, seq, timestampMs, frame }: MediaMessage): number {
  const head = `{"event":"media","track":"${track}","seq":${seq},"timestamp_ms":${timestampMs},"payload":"`;
  let end = at + MEDIA_HEADER_BYTES;
  end += target.write(head, end, 'latin1');
  end = writeBase64(target, end, frame);
  target[end++] = QUOTE;
  target[end++] = BRACE;
  target[at] = TEXT_MESSAGE;
  target[at + 1] = LENGTH_OF_16_BITS;
  target.writeUInt16BE(end - at - MEDIA_HEADER_BYTES, at + 2);
  return end;
}

/** Writes a ping with a short text of ASCII, which comes back in its pong; gives where it ends. */
export function writePing(target: Buffer, at: number, text: string): number {
  target[at] = PING;
  target[at + 1] = text.length;
  return at + SHORT_HEADER_BYTES + target.write(text, at + SHORT_HEADER_BYTES, 'latin1');
}

/** RFC 4648, section 4. */
function writeBase64(target: Uint8Array, at: number, bytes: Uint8Array): number {
  const whole = bytes.length - (bytes.length % 3);
  let end = at;
  for (let i = 0; i < whole; i += 3) {
    const three = ((bytes[i] as number) << 16) | ((bytes[i + 1] as number) << 8) | (bytes[i + 2] as number);
    target[end++] = ALPHABET[three >> 18] as number;
    target[end++] = ALPHABET[(three >> 12) & 63] as number;
    target[end++] = ALPHABET[(three >> 6) & 63] as number;
    target[end++] = ALPHABET[three & 63] as number;
  }
  if (whole === bytes.length) return end;
  const [first = 0, second] = bytes.subarray(whole);
  const rest = (first << 16) | ((second ?? 0) << 8);
  target[end++] = ALPHABET[rest >> 18] as number;
  target[end++] = ALPHABET[(rest >> 12) & 63] as number;
  target[end++] = second === undefined ? PADDING : (ALPHABET[(rest >> 6) & 63] as number);
  target[end++] = PADDING;
  return end;
}

/** Any text as one whole message on the wire. */
export function textMessage(text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  const headerBytes = bytes < LENGTH_OF_16_BITS ? 2 : bytes < 65_536 ? 4 : 10;
  const message = Buffer.allocUnsafe(headerBytes + bytes);
  message[0] = TEXT_MESSAGE;
  message[1] = headerBytes === 2 ? bytes : headerBytes === 4 ? LENGTH_OF_16_BITS : LENGTH_OF_64_BITS;
  if (headerBytes === 4) message.writeUInt16BE(bytes, 2);
  if (headerBytes === 10) message.writeBigUInt64BE(BigInt(bytes), 2);
  message.write(text, headerBytes);
  return message;
}

/** The tracks that a stream's client is sent. */
export function tracksOf({ track }: Pick<GrantedStream, 'track'>): readonly Track[] {
  return track === 'both' ? ['inbound', 'outbound'] : [track];
}

export function startText(stream: GrantedStream): string {
  return JSON.stringify({
    event: 'start',
    stream_id: stream.streamId,
    call_id: stream.call.callId,
    tracks: tracksOf(stream),
    media_format: { encoding: 'audio/x-mulaw', sample_rate: 8_000 },
  });
}

export const markText = (name: string) => JSON.stringify({ event: 'mark', name });
export const digitText = ({ digit, track }: DigitNotice) => JSON.stringify({ event: 'dtmf', digit, track });
export const stopText = (reason: StopReason) => JSON.stringify({ event: 'stop', reason });

export type ClientMessage =
  | { readonly event: 'media'; readonly audio: Uint8Array }
  | { readonly event: 'mark'; readonly name: string }
  | { readonly event: 'clear' };

/** What is wrong with a message, in words for the close frame. */
export type Malformed = { readonly malformed: string };

/** Reads a client's message. Fields beyond the protocol's are let pass; all else has to be right. */
export function parseClientMessage(text: string): ClientMessage | Malformed {
  const message = parseObject(text);
  if (message === undefined) return { malformed: 'not a JSON object' };
  if (message['event'] === 'clear') return { event: 'clear' };
  if (message['event'] === 'media') return parseMedia(message['payload']);
  if (message['event'] !== 'mark') return { malformed: 'event is none of media, mark, clear' };
  const { name } = message;
  const isName = typeof name === 'string' && name.length > 0 && name.length <= MARK_CHARS_MAX;
  return isName ? { event: 'mark', name } : { malformed: `name is not a text of 1 to ${MARK_CHARS_MAX} characters` };
}

/** A JSON text's object, or undefined where it is none. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function parseMedia(payload: unknown): ClientMessage | Malformed {
  if (typeof payload !== 'string') return { malformed: 'payload is not a text' };
  const audio = decodeBase64(payload);
  if (audio === undefined) return { malformed: 'payload is not base64' };
  if (audio.length > PAYLOAD_BYTES_MAX) return { malformed: `payload is longer than ${PAYLOAD_MS_MAX / 1_000} s` };
  return { event: 'media', audio };
}

/** Strict: padded, nothing between, no bits left over (RFC 4648, 3.2, 3.3 and 3.5). Undefined where it is not so. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  try {
    const bytes = Uint8Array.fromBase64(text, { lastChunkHandling: 'strict' });
    // White space is skipped, which makes the result too short.
    return bytes.length === (text.length / 4) * 3 - padding ? bytes : undefined;
  } catch {
    return undefined;
  }
}
