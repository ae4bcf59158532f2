/** The messages of a media stream (docs/media-streams.md), except `media` to the client, which outgoing.ts writes. */
import { MULAW_BYTES_PER_MS } from '../../audio/mulaw.ts';
import { MARK_CHARS_MAX } from '../../carriers/ports/audio.ts';
import { decodeBase64 } from '../../lib/crypto/base64.ts';
import { parseObject } from '../../lib/json-object.ts';
import { PLAYBACK_MS_MAX } from './playback-queue.ts';
import type { GrantedStream, PressedDigit, StopReason, Track } from './types.ts';

/** The longest audio in one message of a client: as much as the playback can queue. */
export const PAYLOAD_MS_MAX = PLAYBACK_MS_MAX;
const PAYLOAD_BYTES_MAX = PAYLOAD_MS_MAX * MULAW_BYTES_PER_MS;
/** The longest payload as base64 (640,000 characters), with room for the fields around it. */
export const MESSAGE_BYTES_MAX = 640 * 1024;

/** Returns the tracks that a stream sends to its client. */
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
    ...(Object.keys(stream.parameters).length > 0 && { parameters: stream.parameters }),
  });
}

export const markText = (name: string) => JSON.stringify({ event: 'mark', name });
export const digitText = ({ digit, track }: PressedDigit) => JSON.stringify({ event: 'dtmf', digit, track });
export const errorText = (message: string) => JSON.stringify({ event: 'error', message });
export const stopText = (reason: StopReason) => JSON.stringify({ event: 'stop', reason });

export type ClientMessage =
  | { readonly event: 'media'; readonly audio: Uint8Array }
  | { readonly event: 'mark'; readonly name: string }
  | { readonly event: 'clear' };

/** The problem with a message. It is the reason of the close frame. */
export type Malformed = { readonly malformed: string };

/** Reads a client's message. Unknown fields are ignored; everything else must be valid. */
export function parseClientMessage(text: string): ClientMessage | Malformed {
  const message = parseObject(text);
  if (message === undefined) return { malformed: 'not a JSON object' };
  if (message['event'] === 'clear') return { event: 'clear' };
  if (message['event'] === 'media') return readMedia(message['payload']);
  if (message['event'] !== 'mark') return { malformed: 'event is none of media, mark, clear' };
  return readMark(message['name']);
}

export function readMark(name: unknown): ClientMessage | Malformed {
  const isName = typeof name === 'string' && name.length > 0 && name.length <= MARK_CHARS_MAX;
  return isName ? { event: 'mark', name } : { malformed: `name is not a text of 1 to ${MARK_CHARS_MAX} characters` };
}

export function readMedia(payload: unknown): ClientMessage | Malformed {
  if (typeof payload !== 'string') return { malformed: 'payload is not a text' };
  const audio = decodeBase64(payload);
  if (audio === undefined) return { malformed: 'payload is not base64' };
  if (audio.length > PAYLOAD_BYTES_MAX) return { malformed: `payload is longer than ${PAYLOAD_MS_MAX / 1_000} s` };
  return { event: 'media', audio };
}
