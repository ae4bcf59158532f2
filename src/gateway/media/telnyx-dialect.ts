/**
 * Telnyx's media streaming: JSON, numbers as strings, audio as base64 of 20 ms, in no guaranteed order. Each track
 * counts its own chunks, from 1. Keys are listened for on the leg that is streamed, which is the customer's.
 */
import { Buffer } from 'node:buffer';
import { type PushDialect, type PushEvent, readDigit } from './push-dialect.ts';
import { createReorder } from './reorder.ts';
import type { Track } from './types.ts';
import { decodeBase64, MARK_CHARS_MAX, parseObject } from './wire.ts';

/** Longest piece of live audio that is taken, in bytes: one second. A chunk has 160. */
const CHUNK_BYTES_MAX = 8_000;
const CHUNK_NUMBER = /^\d{1,15}$/;
const IGNORED: ReadonlySet<unknown> = new Set(['connected', 'start', 'error']);

export function telnyxDialect(): PushDialect {
  const order = {
    inbound: createReorder<Uint8Array>(),
    outbound: createReorder<Uint8Array>(),
  } satisfies Record<Track, unknown>;

  const readMedia = (media: Record<string, unknown>): PushEvent[] | undefined => {
    const { track, chunk, payload } = media;
    if (track !== 'inbound' && track !== 'outbound') return undefined;
    const audio = typeof payload === 'string' ? decodeBase64(payload) : undefined;
    if (audio === undefined || audio.length > CHUNK_BYTES_MAX || !CHUNK_NUMBER.test(String(chunk))) return undefined;
    return order[track].accept(Number(chunk), audio).map((piece) => ({ type: 'media', track, audio: piece }));
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

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function readMark(name: unknown): PushEvent[] | undefined {
  return typeof name === 'string' && name.length <= MARK_CHARS_MAX ? [{ type: 'mark', name }] : undefined;
}
