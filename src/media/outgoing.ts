/**
 * What goes out to one client. The frames of a tick are one write. While a client does not read, its frames wait here,
 * not in the socket, so that the oldest can be left out; what waits is bounded whatever the client does.
 */
import { Buffer } from 'node:buffer';
import type { Duplex } from 'node:stream';
import type { Track } from './types.ts';
import { MEDIA_BYTES_MAX, type MediaMessage, textMessage, writeMedia } from './wire.ts';

/** Bytes in the process's socket buffer beyond which a client counts as slow: about a second of two tracks. */
export const UNWRITTEN_BYTES_MAX = 32 * 1024;
/** Ticks that wait for a slow client: two seconds. */
export const WAITING_TICKS_MAX = 100;
/** Other messages are never left out; so many only wait where somebody produces them without reading. */
export const WAITING_TEXTS_MAX = 2_000;

export type Outgoing = {
  /** The frames of one tick. Nothing is kept of the array. */
  media(messages: readonly MediaMessage[]): void;
  /** A message in its place among the media; false when far too many wait. */
  text(text: string): boolean;
  /** Leaves out all media that waits, writes the text, and takes nothing more. */
  last(text: string): void;
  /** Takes nothing more. */
  shut(): void;
  readonly droppedFrames: number;
};

type Waiting = { readonly media: readonly MediaMessage[] } | { readonly bytes: Buffer };

/**
 * @param connection the socket under the WebSocket: writing to it, past the library, is sound as compression is off
 * @param isOpen whether frames may be written; none may follow a close frame
 */
export function createOutgoing(connection: Duplex, isOpen: () => boolean): Outgoing {
  let waiting: Waiting[] = [];
  let waitingTicks = 0;
  let waitingTexts = 0;
  let droppedFrames = 0;
  let isShut = false;

  const mayWrite = () => connection.writableLength < UNWRITTEN_BYTES_MAX;

  const flush = () => {
    if (waiting.length === 0 || isShut || !isOpen()) return;
    let sent = 0;
    connection.cork();
    for (const item of waiting) {
      if (!mayWrite()) break;
      connection.write('bytes' in item ? item.bytes : serialise(item.media));
      sent++;
    }
    connection.uncork();
    const rest = waiting.slice(sent);
    waitingTexts = rest.filter((item) => 'bytes' in item).length;
    waitingTicks = rest.length - waitingTexts;
    waiting = rest;
  };

  const dropOldest = () => {
    const at = waiting.findIndex((item) => 'media' in item);
    const [dropped] = waiting.splice(at, 1);
    waitingTicks--;
    if (dropped !== undefined && 'media' in dropped) droppedFrames += dropped.media.length;
  };

  connection.on('drain', flush);

  return {
    media: (messages) => {
      if (isShut || !isOpen()) return;
      flush();
      if (waiting.length === 0 && mayWrite()) {
        connection.write(serialise(messages));
        return;
      }
      waiting.push({ media: [...messages] });
      if (++waitingTicks > WAITING_TICKS_MAX) dropOldest();
    },
    text: (text) => {
      if (isShut || !isOpen()) return true;
      const bytes = textMessage(text);
      flush();
      if (waiting.length === 0 && mayWrite()) connection.write(bytes);
      else {
        waiting.push({ bytes });
        waitingTexts++;
      }
      return waitingTexts <= WAITING_TEXTS_MAX;
    },
    last: (text) => {
      if (isShut) return;
      const texts = waiting.flatMap((item) => ('bytes' in item ? [item.bytes] : []));
      if (isOpen()) connection.write(Buffer.concat([...texts, textMessage(text)]));
      isShut = true;
      waiting = [];
    },
    shut: () => {
      isShut = true;
      waiting = [];
    },
    get droppedFrames() {
      return droppedFrames;
    },
  };
}

function serialise(messages: readonly MediaMessage[]): Buffer {
  const bytes = Buffer.allocUnsafe(messages.length * MEDIA_BYTES_MAX);
  let end = 0;
  for (const message of messages) end = writeMedia(bytes, end, message);
  return bytes.subarray(0, end);
}

/** The messages of one tick, in the order of `tracks`. */
export function mediaOf(
  tracks: readonly Track[],
  frames: Readonly<Record<Track, Uint8Array>>,
  place: { seq: number; timestampMs: number },
): MediaMessage[] {
  return tracks.map((track) => ({ track, ...place, frame: frames[track] }));
}
