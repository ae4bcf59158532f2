/** The messages of a media stream, both ways. */
import { randomBytes, randomUUID } from 'node:crypto';
import { sampleOfAlaw } from '../../../src/audio/alaw.ts';
import { decodeMulaw } from '../../../src/audio/mulaw.ts';
import type { Leg } from '../calls/hooks.ts';
import { nowText } from '../state.ts';
import type { World } from '../world.ts';

/** The parameters of a stream's commands. */
export type StreamStart = {
  readonly client_state?: string;
  readonly custom_parameters?: readonly { readonly name?: string; readonly value?: string }[];
  readonly enable_dialogflow?: boolean;
  readonly stream_auth_token?: string;
  readonly stream_bidirectional_codec?: string;
  readonly stream_bidirectional_mode?: 'mp3' | 'rtp';
  readonly stream_bidirectional_sampling_rate?: number;
  readonly stream_bidirectional_target_legs?: 'both' | 'self' | 'opposite';
  readonly stream_codec?: string;
  readonly stream_track?: 'inbound_track' | 'outbound_track' | 'both_tracks';
  readonly stream_url?: string;
};

export const AUTH_TOKEN_HEADER = 'x-telnyx-streaming-auth-token';

/** A message that an application sends. */
export type Received =
  | { readonly is: 'media'; readonly codes: Uint8Array }
  | { readonly is: 'clear' }
  | { readonly is: 'mark'; readonly name: string }
  | { readonly is: 'wrong'; readonly code: number; readonly title: string };

type Codec = World['settings']['streamsCodec'];

/** The A-law code that is the nearest to each mu-law code. */
const ALAW = Uint8Array.from({ length: 256 }, (_, code) => nearestAlaw(decodeMulaw(Uint8Array.of(code))[0] ?? 0));

function nearestAlaw(sample: number): number {
  const far = (code: number) => Math.abs(sampleOfAlaw(code) - sample);
  let nearest = 0;
  for (let code = 1; code < 256; code++) if (far(code) < far(nearest)) nearest = code;
  return nearest;
}

function encode(frame: Uint8Array, codec: Codec): Uint8Array {
  if (codec === 'PCMA') return frame.map((code) => ALAW[code] ?? 0);
  return codec === 'G722' ? randomBytes(frame.length) : frame;
}

/** 20 ms to 30 s. */
const MEDIA_BYTES = { min: 160, max: 240_000 } as const;

/** Reads a message of an application. */
export function readMessage(text: string, mode: 'mp3' | 'rtp'): Received {
  const message = parse(text);
  if (message === undefined) return { is: 'wrong', code: 100002, title: 'malformed_frame' };
  const { event, media, mark } = message;
  if (event === 'clear') return { is: 'clear' };
  if (event === 'mark' && typeof mark?.name === 'string') return { is: 'mark', name: mark.name };
  if (event !== 'media' || typeof media?.payload !== 'string') {
    return { is: 'wrong', code: 100002, title: 'malformed_frame' };
  }
  const codes = Buffer.from(media.payload, 'base64');
  // The emulator plays no MP3: an application that forgot to set the mode gets an error.
  const isPlayable = mode === 'rtp' && codes.length >= MEDIA_BYTES.min && codes.length <= MEDIA_BYTES.max;
  return isPlayable ? { is: 'media', codes } : { is: 'wrong', code: 100003, title: 'invalid_media' };
}

type Message = {
  readonly event?: unknown;
  readonly media?: { readonly payload?: unknown };
  readonly mark?: { readonly name?: unknown };
};

function parse(text: string): Message | undefined {
  try {
    const message = JSON.parse(text);
    return typeof message === 'object' && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}

type Begin = {
  readonly leg: Leg;
  readonly streamId: string;
  readonly asked: StreamStart;
  readonly userId: string;
  readonly codec: Codec;
};

/** Makes the messages of one stream. Each message except the first has the next sequence number. */
export function createMessages({ leg, streamId, asked, userId, codec }: Begin) {
  let sequence = 0;
  const chunks = { inbound: 0, outbound: 0 };
  const make = (event: string, more: object) =>
    JSON.stringify({ event, sequence_number: String(++sequence), stream_id: streamId, ...more });
  const { call_control_id, call_session_id, from, to } = leg;
  return {
    connected: () => {
      const token = asked.stream_auth_token;
      return JSON.stringify({
        event: 'connected',
        version: '1.0.0',
        ...(token !== undefined && { [AUTH_TOKEN_HEADER]: token }),
      });
    },
    start: () => {
      const parameters = (asked.custom_parameters ?? []).map(({ name = '', value = '' }) => [name, value]);
      const start = {
        user_id: userId,
        call_control_id,
        call_session_id,
        from,
        to,
        tags: [],
        client_state: asked.client_state ?? null,
        custom_parameters: Object.fromEntries(parameters),
        media_format: { encoding: codec, sample_rate: codec === 'G722' ? 16_000 : 8_000, channels: 1 },
      };
      return make('start', { start });
    },
    /** @param timestampMs since the start of the stream */
    media: (track: 'inbound' | 'outbound', timestampMs: number, frame: Uint8Array) => {
      const chunk = String(++chunks[track]);
      const payload = Buffer.from(encode(frame, codec)).toString('base64');
      return make('media', { media: { track, chunk, timestamp: String(timestampMs), payload } });
    },
    dtmf: (digit: string) => make('dtmf', { occurred_at: nowText(), dtmf: { digit } }),
    mark: (name: string) => make('mark', { mark: { name } }),
    error: (code: number, title: string) => make('error', { payload: { code, title, detail: title } }),
    stop: () => make('stop', { stop: { user_id: userId, call_control_id } }),
  };
}

export type Messages = ReturnType<typeof createMessages>;

export function newStreamId(): string {
  return randomUUID();
}
