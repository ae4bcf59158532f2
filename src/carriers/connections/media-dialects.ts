/** Protocols of carriers' media sockets that several adapters may share. */
import { Buffer } from 'node:buffer';
import { mulawOfAlaw } from '../../audio/alaw.ts';
import { decodeBase64 } from '../../lib/crypto/base64.ts';
import { parseObject } from '../../lib/json-object.ts';
import { ownValue } from '../../lib/own-value.ts';
import { MARK_CHARS_MAX, type SocketDialect, type SocketEvent, type SocketTrack } from '../ports/audio.ts';
import type { Track } from '../ports/call-audio.ts';

/** The longest piece of live audio that is accepted, in bytes. It is one second; a frame has 160 bytes. */
const AUDIO_BYTES_MAX = 8_000;
const DIGIT = /^[0-9A-D*#]$/;

const CHUNK_NUMBER = /^\d{1,15}$/;

/** How many pieces are kept until `start` states their format: half a second of both tracks. */
const EARLY_MAX = 50;

type Decode = (audio: Uint8Array) => Uint8Array;
/** The decoders of Telnyx's codecs to mu-law. Both codecs have 8,000 Hz and one channel. */
const DECODERS: Readonly<Record<string, Decode>> = { PCMU: (audio) => audio, PCMA: mulawOfAlaw };

type Chunk = { readonly track: Track; readonly number: number; readonly audio: Uint8Array };

/**
 * Telnyx's media streaming. Messages are JSON, in no guaranteed order. Numbers are strings, and audio is the base64 of
 * 20 ms. Each track numbers its own chunks, from 1. The message `start` states the format (`media_format`), and audio
 * waits for it. Digits are detected on the streamed leg, which is the customer's.
 * @public
 */
export function telnyxDialect(): SocketDialect {
  const buffers = {
    inbound: createReorderBuffer<Uint8Array>(),
    outbound: createReorderBuffer<Uint8Array>(),
  } satisfies Record<Track, unknown>;
  let decode: Decode | undefined;
  const early: Chunk[] = [];

  const takeChunk = ({ track, number, audio }: Chunk, decoder: Decode): SocketEvent[] =>
    buffers[track].push(number, audio).map((piece) => ({ type: 'media', track, audio: decoder(piece) }));
  const readMedia = (media: Record<string, unknown>): SocketEvent[] | undefined => {
    const { track, chunk, payload } = media;
    if (track !== 'inbound' && track !== 'outbound') return undefined;
    const audio = typeof payload === 'string' ? decodeBase64(payload) : undefined;
    if (audio === undefined || audio.length > AUDIO_BYTES_MAX || !CHUNK_NUMBER.test(String(chunk))) return undefined;
    const read = { track, number: Number(chunk), audio } as const;
    if (decode !== undefined) return takeChunk(read, decode);
    early.push(read);
    if (early.length > EARLY_MAX) early.shift();
    return [];
  };
  const readStart = (start: Record<string, unknown>): SocketEvent[] => {
    const format = asObject(start['media_format']);
    const decoder = decoderOf(format);
    if (decoder === undefined)
      return [{ type: 'unreadable', format: JSON.stringify(format).slice(0, FORMAT_CHARS_MAX) }];
    decode = decoder;
    return early.splice(0).flatMap((chunk) => takeChunk(chunk, decoder));
  };

  return {
    read: (message, isBinary) => {
      const frame = isBinary ? undefined : parseObject(message.toString());
      if (frame === undefined) return undefined;
      const { event } = frame;
      const inner = asObject(frame[String(event)]);
      if (event === 'start') return readStart(inner);
      if (event === 'media') return readMedia(inner);
      if (event === 'dtmf') return readDigit(inner['digit'], 'inbound');
      if (event === 'mark') return readMark(inner['name']);
      return event === 'stop' ? [{ type: 'stop' }] : [];
    },
    repeatsOurs: true,
    media: (frame) => `{"event":"media","media":{"payload":"${Buffer.from(frame).toString('base64')}"}}`,
    clear: () => '{"event":"clear"}',
    mark: (name) => JSON.stringify({ event: 'mark', mark: { name } }),
  };
}

const FORMAT_CHARS_MAX = 100;

/**
 * Returns the reader of one of Telnyx's formats. If a field is missing, the format that we requested applies: mu-law.
 */
function decoderOf({ encoding = 'PCMU', sample_rate = 8_000, channels = 1 }: Record<string, unknown>) {
  const isPhone = Number(sample_rate) === 8_000 && Number(channels) === 1;
  return isPhone ? ownValue(DECODERS, String(encoding)) : undefined;
}

const ENGINE_FORMAT = 'ulaw';

/**
 * A SIP engine's media socket in the form of Asterisk's WebSocket channel (`encapsulation=none`, `format=ulaw`,
 * `control_message_format=json`). Audio is binary, control is JSON. The socket is one channel, so all its audio is one
 * track. The engine queues and paces the audio that it receives. We send frames in real time, so that queue is nearly
 * empty. So a mark counts as played when the sender reaches it.
 * @param carries the content of the engine's audio: the customer's voice, or the audio for the customer
 * @public
 */
export function engineDialect(carries: SocketTrack): SocketDialect {
  const track: Track = carries === 'outbound' ? 'outbound' : 'inbound';
  const readControl = (text: string): SocketEvent[] | undefined => {
    const control = parseObject(text);
    if (control === undefined || typeof control['event'] !== 'string') return undefined;
    if (control['event'] === 'MEDIA_START') {
      const { format } = control;
      if (format === ENGINE_FORMAT) return [];
      return [{ type: 'unreadable', format: String(format).slice(0, FORMAT_CHARS_MAX) }];
    }
    if (control['event'] !== 'DTMF_END') return [];
    return readDigit(control['digit'], track);
  };

  return {
    read: (message, isBinary) => {
      if (!isBinary) return readControl(message.toString());
      return message.length <= AUDIO_BYTES_MAX ? [{ type: 'media', track, audio: message }] : undefined;
    },
    endsByClosing: true,
    media: (frame) => frame,
    clear: () => '{"command":"FLUSH_MEDIA"}',
    mark: () => undefined,
  };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Reads a digit. Other signals, such as a hook flash (`!`), are ignored. */
function readDigit(digit: unknown, track: Track): SocketEvent[] {
  return typeof digit === 'string' && DIGIT.test(digit) ? [{ type: 'digit', digit, track }] : [];
}

function readMark(name: unknown): SocketEvent[] | undefined {
  return typeof name === 'string' && name.length <= MARK_CHARS_MAX ? [{ type: 'mark', name }] : undefined;
}

/** How many later pieces may arrive before a missing piece counts as lost. */
const AHEAD_MAX = 5;

/** Creates a buffer that puts numbered pieces in order. The first piece sets the first number. */
function createReorderBuffer<T>() {
  const ahead = new Map<number, T>();
  let next: number | undefined;

  const takeReady = (ready: T[]) => {
    for (let at = next as number; ahead.has(at); at++) {
      ready.push(ahead.get(at) as T);
      ahead.delete(at);
      next = at + 1;
    }
  };

  return {
    /** Adds a piece. Returns the pieces that are next, in order. Drops a late or repeated piece. */
    push: (number: number, piece: T): T[] => {
      next ??= number;
      if (number < next) return [];
      ahead.set(number, piece);
      const ready: T[] = [];
      takeReady(ready);
      if (ahead.size <= AHEAD_MAX) return ready;
      next = Math.min(...ahead.keys());
      takeReady(ready);
      return ready;
    },
  };
}
