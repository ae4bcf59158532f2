/** The protocols of carriers' media sockets, reduced to what the call's audio needs. */
import { Buffer } from 'node:buffer';
import { decodeBase64, MARK_CHARS_MAX, parseObject } from './protocol.ts';
import type { Frame, IngestGrant, Track } from './types.ts';

export type CarrierAudioEvent =
  | { readonly type: 'media'; readonly track: Track; readonly audio: Uint8Array }
  | { readonly type: 'digit'; readonly digit: string; readonly track: Track }
  /** The carrier has played a mark that it was sent. */
  | { readonly type: 'mark'; readonly name: string }
  /** The carrier ends the stream. */
  | { readonly type: 'stop' };

/** The protocol of one socket. It may keep state between messages. */
export type CarrierDialect = {
  /** Reads a message; undefined if it is malformed, [] if it has no meaning here. */
  read(message: Buffer, isBinary: boolean): CarrierAudioEvent[] | undefined;
  /** Returns the message that plays 20 ms to the customer. */
  media(frame: Frame): string | Uint8Array;
  /** Returns the message that stops playback at once and drops what is queued. */
  clear(): string;
  /** Returns the message that sets a mark behind what was sent; undefined if the dialect has no marks. */
  mark(name: string): string | undefined;
};

/** Longest piece of live audio that is accepted, in bytes: one second. A frame has 160. */
const AUDIO_BYTES_MAX = 8_000;
const DIGIT = /^[0-9A-D*#]$/;

export function dialectOf({ dialect, track }: Pick<IngestGrant, 'dialect' | 'track'>): CarrierDialect {
  return dialect === 'telnyx' ? telnyxDialect() : engineDialect(track);
}

const CHUNK_NUMBER = /^\d{1,15}$/;
const IGNORED: ReadonlySet<unknown> = new Set(['connected', 'start', 'error']);

/**
 * Telnyx's media streaming: JSON, numbers as strings, audio as base64 of 20 ms, in no guaranteed order. Each track
 * counts its own chunks, from 1. Digits are detected on the leg that is streamed, which is the customer's.
 */
function telnyxDialect(): CarrierDialect {
  const buffers = {
    inbound: createReorderBuffer<Uint8Array>(),
    outbound: createReorderBuffer<Uint8Array>(),
  } satisfies Record<Track, unknown>;

  const readMedia = (media: Record<string, unknown>): CarrierAudioEvent[] | undefined => {
    const { track, chunk, payload } = media;
    if (track !== 'inbound' && track !== 'outbound') return undefined;
    const audio = typeof payload === 'string' ? decodeBase64(payload) : undefined;
    if (audio === undefined || audio.length > AUDIO_BYTES_MAX || !CHUNK_NUMBER.test(String(chunk))) return undefined;
    return buffers[track].push(Number(chunk), audio).map((piece) => ({ type: 'media', track, audio: piece }));
  };

  return {
    read: (message, isBinary) => {
      const frame = isBinary ? undefined : parseObject(message.toString());
      if (frame === undefined) return undefined;
      const { event } = frame;
      if (IGNORED.has(event)) return [];
      if (event === 'stop') return [{ type: 'stop' }];
      const inner = asObject(frame[String(event)]);
      if (event === 'media') return readMedia(inner);
      if (event === 'dtmf') return readDigit(inner['digit'], 'inbound');
      return event === 'mark' ? readMark(inner['name']) : undefined;
    },
    media: (frame) => `{"event":"media","media":{"payload":"${Buffer.from(frame).toString('base64')}"}}`,
    clear: () => '{"event":"clear"}',
    mark: (name) => JSON.stringify({ event: 'mark', mark: { name } }),
  };
}

const ENGINE_FORMAT = 'ulaw';

/**
 * A SIP engine's media socket in the form of Asterisk's WebSocket channel (`encapsulation=none`, `format=ulaw`,
 * `control_message_format=json`): audio is binary, control is JSON. It is one channel, so all its audio is one track.
 * The engine queues and paces what it is sent. Frames are sent in real time, so that queue is nearly empty, and a mark
 * counts as played as soon as it is reached here.
 * @param track what the engine's audio is: the customer's voice, or what the customer hears
 */
function engineDialect(track: Track): CarrierDialect {
  const readControl = (text: string): CarrierAudioEvent[] | undefined => {
    const control = parseObject(text);
    if (control === undefined || typeof control['event'] !== 'string') return undefined;
    if (control['event'] === 'MEDIA_START') return control['format'] === ENGINE_FORMAT ? [] : undefined;
    if (control['event'] !== 'DTMF_END') return [];
    return readDigit(control['digit'], track);
  };

  return {
    read: (message, isBinary) => {
      if (!isBinary) return readControl(message.toString());
      return message.length <= AUDIO_BYTES_MAX ? [{ type: 'media', track, audio: message }] : undefined;
    },
    media: (frame) => frame,
    clear: () => '{"command":"FLUSH_MEDIA"}',
    mark: () => undefined,
  };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function readDigit(digit: unknown, track: Track): CarrierAudioEvent[] | undefined {
  return typeof digit === 'string' && DIGIT.test(digit) ? [{ type: 'digit', digit, track }] : undefined;
}

function readMark(name: unknown): CarrierAudioEvent[] | undefined {
  return typeof name === 'string' && name.length <= MARK_CHARS_MAX ? [{ type: 'mark', name }] : undefined;
}

/** How many pieces may arrive ahead of a missing one before it counts as lost. */
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
    /** Adds a piece and returns those that are next, in order. Drops a piece that is late or a repeat. */
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
