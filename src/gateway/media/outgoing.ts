/**
 * What goes out to one client. The frames of a tick are one write. While a client does not read, its frames wait here,
 * so that the oldest can be left out; what waits is bounded whatever the client does.
 *
 * What it has read cannot be seen from the socket: kernels on both sides take minutes of audio. So pings go out among
 * the frames, each with the count of ticks before it, and what no pong has come back for is on its way still. A window
 * bounds that, and what is bounded is also how long any other ping waits behind audio.
 */
import { Buffer } from 'node:buffer';
import type { Duplex } from 'node:stream';
import type { Track } from './types.ts';
import { MEDIA_BYTES_MAX, type MediaMessage, PING_BYTES_MAX, textMessage, writeMedia, writePing } from './wire.ts';

/** Ticks from one ping to the next: half a second, so that pings cost little, and pongs come well within the window. */
export const PING_TICKS = 25;
/**
 * Ticks that may be on their way: two seconds. A client as far away as a satellite never fills it; one that reads at
 * half the pace hears what is five seconds old, with what waits here.
 */
export const WINDOW_TICKS = 100;
/** Ticks that wait for a slow client: one second. */
export const WAITING_TICKS_MAX = 50;
/** Bytes in the process's socket buffer beyond which nothing is written, also to who sends pongs and reads nothing. */
export const UNWRITTEN_BYTES_MAX = 32 * 1024;
/** Other messages are never left out; so many only wait where somebody produces them without reading. */
export const WAITING_TEXTS_MAX = 2_000;

export type Outgoing = {
  /** The frames of one tick. Nothing is kept of the array. */
  media(messages: readonly MediaMessage[]): void;
  /** A message in its place among the media; false when far too many wait. */
  text(text: string): boolean;
  /** A pong came from the client. Of pings that it left unanswered it may answer the last (RFC 6455, 5.5.3). */
  acknowledge(pong: Buffer): void;
  /** Asks for a pong, however little was sent. */
  ping(): void;
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
  /** Ticks, of all time. */
  let written = 0;
  let acknowledged = 0;
  let isShut = false;

  const mayWrite = () => written - acknowledged < WINDOW_TICKS && connection.writableLength < UNWRITTEN_BYTES_MAX;

  const writeTick = (messages: readonly MediaMessage[]) => {
    written++;
    connection.write(written % PING_TICKS === 0 ? serialise(messages, written) : serialise(messages));
  };

  const flush = () => {
    if (waiting.length === 0 || isShut || !isOpen() || !mayWrite()) return;
    let sent = 0;
    connection.cork();
    for (const item of waiting) {
      if (!mayWrite()) break;
      if ('bytes' in item) connection.write(item.bytes);
      else writeTick(item.media);
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
        writeTick(messages);
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
    acknowledge: (pong) => {
      const count = countOf(pong, written) ?? Math.min(written, acknowledged + PING_TICKS);
      acknowledged = Math.max(acknowledged, count);
      flush();
    },
    ping: () => {
      if (isShut || !isOpen()) return;
      const bytes = Buffer.allocUnsafe(PING_BYTES_MAX);
      connection.write(bytes.subarray(0, writePing(bytes, 0, String(written))));
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

/** The frames of a tick, and where it is due a ping with the count of ticks. */
function serialise(messages: readonly MediaMessage[], count?: number): Buffer {
  const bytes = Buffer.allocUnsafe(messages.length * MEDIA_BYTES_MAX + PING_BYTES_MAX);
  let end = 0;
  for (const message of messages) end = writeMedia(bytes, end, message);
  if (count !== undefined) end = writePing(bytes, end, String(count));
  return bytes.subarray(0, end);
}

/**
 * The count that a pong brings back. Undefined where it has other bytes than any ping of ours: clients that answer so
 * are wrong, but not to be made deaf; each of their pongs then stands for one ping.
 */
function countOf(pong: Buffer, written: number): number | undefined {
  const text = pong.toString('latin1');
  const count = Number(text);
  return /^\d+$/.test(text) && count <= written ? count : undefined;
}

/** The messages of one tick, in the order of `tracks`. */
export function mediaOf(
  tracks: readonly Track[],
  frames: Readonly<Record<Track, Uint8Array>>,
  place: { seq: number; timestampMs: number },
): MediaMessage[] {
  return tracks.map((track) => ({ track, ...place, frame: frames[track] }));
}
