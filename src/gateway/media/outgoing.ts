/**
 * Sends audio and messages to one client. The frames of a tick are one write. While a client does not read, its frames
 * wait here, so that the oldest can be dropped; the queue is bounded whatever the client does.
 *
 * The socket does not show what the client has read: kernels on both sides buffer minutes of audio. Pings are therefore
 * sent among the frames, each with the count of ticks before it, and ticks without a pong are still in flight. A window
 * bounds the ticks in flight, and so also how long any other ping waits behind audio.
 *
 * Media messages are written as bytes by hand, because a stream has a hundred a second: WebSocket header (RFC 6455,
 * 5.2; servers do not mask), JSON and base64 in one pass.
 */
import { Buffer } from 'node:buffer';
import type { Duplex } from 'node:stream';
import { textFrame } from '../../http/sockets/text-frame.ts';
import type { Frame, Track } from './types.ts';

/** Ticks from one ping to the next: half a second. Pings cost little, and pongs arrive well within the window. */
export const PING_TICKS = 25;
/**
 * Ticks that may be in flight: two seconds. A client behind a satellite link never fills it. A client that reads at
 * half the pace hears audio that is five seconds old, including what waits here.
 */
export const WINDOW_TICKS = 100;
/** Ticks that may wait for a slow client: one second. */
export const WAITING_TICKS_MAX = 50;
/** Bytes in the process's socket buffer beyond which nothing is written, even if the client sends pongs. */
export const UNWRITTEN_BYTES_MAX = 32 * 1024;
/** Other messages are never dropped. This many wait only if the client causes them without reading. */
export const WAITING_TEXTS_MAX = 2_000;

/** FIN and the opcode. */
const TEXT_MESSAGE = 0x81;
const PING = 0x89;
const SHORT_HEADER_BYTES = 2;
const LENGTH_OF_16_BITS = 126;
const MEDIA_HEADER_BYTES = 4;
/** Longer than any media message: numbers of 16 digits each; the rest is fixed. */
export const MEDIA_BYTES_MAX = 400;
/** A ping with a number of 16 digits. */
const PING_BYTES_MAX = SHORT_HEADER_BYTES + 16;

const ALPHABET = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const PADDING = 0x3d;
const QUOTE = 0x22;
const BRACE = 0x7d;

export type MediaMessage = { track: Track; seq: number; timestampMs: number; frame: Frame };

export type Outgoing = {
  /** Sends the frames of one tick. Does not keep the array. */
  media(messages: readonly MediaMessage[]): void;
  /** Sends a message in its place among the media. Returns false if too many wait. */
  text(text: string): boolean;
  /** Handles a pong. A client may answer only the last of several pings (RFC 6455, 5.5.3). */
  acknowledge(pong: Buffer): void;
  /** Sends a ping now. */
  ping(): void;
  /** Drops all waiting media, sends the text, and shuts. */
  last(text: string): void;
  /** Drops everything that waits, and ignores everything after. */
  shut(): void;
  readonly droppedFrames: number;
};

type Waiting = { readonly media: readonly MediaMessage[] } | { readonly bytes: Buffer };

/**
 * @param connection the connection under the WebSocket. Writing to it directly is sound because compression is off.
 * @param isOpen whether frames may be written; none may follow a close frame
 */
export function createOutgoing(connection: Duplex, isOpen: () => boolean): Outgoing {
  return new WindowedOutgoing(connection, isOpen);
}

class WindowedOutgoing implements Outgoing {
  readonly #connection: Duplex;
  readonly #isOpen: () => boolean;
  #waiting: Waiting[] = [];
  #waitingTicks = 0;
  #waitingTexts = 0;
  #droppedFrames = 0;
  /** Ticks since the start. */
  #written = 0;
  #acknowledged = 0;
  #isShut = false;

  constructor(connection: Duplex, isOpen: () => boolean) {
    this.#connection = connection;
    this.#isOpen = isOpen;
    connection.on('drain', () => this.#flush());
  }

  get droppedFrames(): number {
    return this.#droppedFrames;
  }

  media(messages: readonly MediaMessage[]): void {
    if (this.#isShut || !this.#isOpen()) return;
    this.#flush();
    if (this.#waiting.length === 0 && this.#mayWrite()) {
      this.#writeTick(messages);
      return;
    }
    this.#waiting.push({ media: [...messages] });
    if (++this.#waitingTicks > WAITING_TICKS_MAX) this.#dropOldest();
  }

  text(text: string): boolean {
    if (this.#isShut || !this.#isOpen()) return true;
    const bytes = textFrame(text);
    this.#flush();
    if (this.#waiting.length === 0 && this.#mayWrite()) this.#connection.write(bytes);
    else {
      this.#waiting.push({ bytes });
      this.#waitingTexts++;
    }
    return this.#waitingTexts <= WAITING_TEXTS_MAX;
  }

  acknowledge(pong: Buffer): void {
    const count = countOf(pong, this.#written) ?? Math.min(this.#written, this.#acknowledged + PING_TICKS);
    this.#acknowledged = Math.max(this.#acknowledged, count);
    this.#flush();
  }

  ping(): void {
    if (this.#isShut || !this.#isOpen()) return;
    const bytes = Buffer.allocUnsafe(PING_BYTES_MAX);
    this.#connection.write(bytes.subarray(0, writePing(bytes, 0, String(this.#written))));
  }

  last(text: string): void {
    if (this.#isShut) return;
    const texts = this.#waiting.flatMap((item) => ('bytes' in item ? [item.bytes] : []));
    if (this.#isOpen()) this.#connection.write(Buffer.concat([...texts, textFrame(text)]));
    this.shut();
  }

  shut(): void {
    this.#isShut = true;
    this.#waiting = [];
  }

  #mayWrite(): boolean {
    const inFlight = this.#written - this.#acknowledged;
    return inFlight < WINDOW_TICKS && this.#connection.writableLength < UNWRITTEN_BYTES_MAX;
  }

  #writeTick(messages: readonly MediaMessage[]): void {
    const count = ++this.#written;
    this.#connection.write(count % PING_TICKS === 0 ? serialize(messages, count) : serialize(messages));
  }

  #flush(): void {
    if (this.#waiting.length === 0 || this.#isShut || !this.#isOpen() || !this.#mayWrite()) return;
    let sent = 0;
    this.#connection.cork();
    for (const item of this.#waiting) {
      if (!this.#mayWrite()) break;
      if ('bytes' in item) this.#connection.write(item.bytes);
      else this.#writeTick(item.media);
      sent++;
    }
    this.#connection.uncork();
    const rest = this.#waiting.slice(sent);
    this.#waitingTexts = rest.filter((item) => 'bytes' in item).length;
    this.#waitingTicks = rest.length - this.#waitingTexts;
    this.#waiting = rest;
  }

  #dropOldest(): void {
    const at = this.#waiting.findIndex((item) => 'media' in item);
    const [dropped] = this.#waiting.splice(at, 1);
    this.#waitingTicks--;
    if (dropped !== undefined && 'media' in dropped) this.#droppedFrames += dropped.media.length;
  }
}

/** Returns the bytes of a tick's frames, with a ping behind them if one is due. */
function serialize(messages: readonly MediaMessage[], count?: number): Buffer {
  const bytes = Buffer.allocUnsafe(messages.length * MEDIA_BYTES_MAX + PING_BYTES_MAX);
  let end = 0;
  for (const message of messages) end = writeMedia(bytes, end, message);
  if (count !== undefined) end = writePing(bytes, end, String(count));
  return bytes.subarray(0, end);
}

/**
 * Returns the count in a pong. Undefined if it does not echo one of our pings: such clients are wrong, but must not
 * lose their audio, so each of their pongs counts as the answer to one ping.
 */
function countOf(pong: Buffer, written: number): number | undefined {
  const text = pong.toString('latin1');
  const count = Number(text);
  return /^\d+$/.test(text) && count <= written ? count : undefined;
}

/** Returns the media messages of one tick, in the order of `tracks`. */
export function mediaOf(
  tracks: readonly Track[],
  frames: Readonly<Record<Track, Uint8Array>>,
  position: { seq: number; timestampMs: number },
): MediaMessage[] {
  return tracks.map((track) => ({ track, ...position, frame: frames[track] }));
}

/** Writes one media message as it goes over the wire, at offset `at`. @returns the end offset */
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

/** Writes a ping with a short ASCII text, which its pong echoes. @returns the end offset */
function writePing(target: Buffer, at: number, text: string): number {
  target[at] = PING;
  target[at + 1] = text.length;
  return at + SHORT_HEADER_BYTES + target.write(text, at + SHORT_HEADER_BYTES, 'latin1');
}

/** Writes base64 (RFC 4648, section 4). @returns the end offset */
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
