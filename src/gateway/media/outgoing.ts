/**
 * Sends audio and messages to one client. The frames of a tick are one write. While a client does not read, its frames
 * wait here, so that the oldest can be dropped. The queue is bounded for every client.
 *
 * The socket does not show how far the client has read: kernels on both sides buffer minutes of audio. So pings are
 * sent among the frames, each with the count of ticks before it. Ticks whose ping has no pong yet are in flight. A
 * window bounds the ticks in flight, and so the time that the next ping waits behind audio.
 *
 * This module frames media messages itself, because a stream has a hundred a second. The WebSocket header (RFC 6455,
 * 5.2), JSON and base64 are one text whose characters are the bytes (latin1). The socket writes that text without a
 * buffer of ours. Servers do not mask. On a connection that this node has opened, each frame is masked (5.3).
 */
import { Buffer } from 'node:buffer';
import type { Duplex } from 'node:stream';
import { maskFrame, textFrame } from '../../http/sockets/text-frame.ts';
import type { Frame, Track } from './types.ts';

/** Ticks from one ping to the next: half a second. Pings cost little, and pongs arrive well within the window. */
export const PING_TICKS = 25;
/**
 * Ticks that may be in flight: two seconds. A client behind a satellite link never fills it. A client that reads at
 * half the rate gets audio that is five seconds old, including the frames that wait here.
 */
export const WINDOW_TICKS = 100;
/** The most ticks that wait for a slow client: one second. */
export const WAITING_TICKS_MAX = 50;
/** If the process's socket buffer has more bytes than this, nothing is written, even if the client sends pongs. */
export const UNWRITTEN_BYTES_MAX = 32 * 1024;
/**
 * Messages other than media are never dropped. The queue reaches this number only if a client causes messages and does
 * not read them.
 */
export const WAITING_TEXTS_MAX = 2_000;

/** FIN and the opcode. */
const TEXT_MESSAGE = 0x81;
const PING = 0x89;
/** Announces a 16-bit length. Every media message has one. */
const LENGTH_OF_16_BITS = 126;
const BITS_OF_A_BYTE = 8;
const BYTE = 0xff;

export type MediaMessage = {
  track: Track;
  seq: number;
  timestampMs: number;
  frame: Frame;
  /** Its number among all messages, if the dialect numbers them. */
  number?: number;
};

/** The form of messages on the wire. */
export type OutgoingForm = {
  /** True on a connection that this node has opened. */
  readonly isMasked?: boolean;
  /** Returns the JSON of a media message, in ASCII, of more than 125 characters. */
  readonly media?: ((message: MediaMessage) => string) | undefined;
};

export type Outgoing = {
  /** Sends the frames of one tick. Does not keep the array. */
  media(messages: readonly MediaMessage[]): void;
  /** Sends a message in order with the media. Returns false if too many messages wait. */
  text(text: string): boolean;
  /** Handles a pong. A client may answer only the last of several pings (RFC 6455, 5.5.3). */
  acknowledge(pong: Buffer): void;
  /** Sends a ping now. */
  ping(): void;
  /** Drops all waiting media, sends the text as the last message, and closes. */
  last(text: string): void;
  /** Drops all waiting data, and ignores all later data. */
  shut(): void;
  readonly droppedFrames: number;
};

type Waiting = { readonly media: readonly MediaMessage[] } | { readonly bytes: Buffer };

/**
 * @param connection the connection under the WebSocket. Direct writes are safe because compression is off.
 * @param isOpen whether frames may be written; none may follow a close frame
 */
export function createOutgoing(connection: Duplex, isOpen: () => boolean, form: OutgoingForm = {}): Outgoing {
  return new WindowedOutgoing(connection, isOpen, form);
}

class WindowedOutgoing implements Outgoing {
  readonly #connection: Duplex;
  readonly #isOpen: () => boolean;
  readonly #isMasked: boolean;
  readonly #mediaJson: (message: MediaMessage) => string;
  #waiting: Waiting[] = [];
  #waitingTicks = 0;
  #waitingTexts = 0;
  #droppedFrames = 0;
  /** Ticks since the start. */
  #written = 0;
  #acknowledged = 0;
  #isShut = false;

  constructor(connection: Duplex, isOpen: () => boolean, { isMasked = false, media = mediaJson }: OutgoingForm) {
    this.#connection = connection;
    this.#isOpen = isOpen;
    this.#isMasked = isMasked;
    this.#mediaJson = media;
    connection.on('drain', () => this.#flush());
  }

  get droppedFrames(): number {
    return this.#droppedFrames;
  }

  media(messages: readonly MediaMessage[]): void {
    if (this.#isShut || !this.#isOpen()) return;
    if (this.#waiting.length > 0) this.#flush();
    if (this.#waiting.length === 0 && this.#mayWrite()) {
      this.#writeTick(messages);
      return;
    }
    this.#waiting.push({ media: [...messages] });
    if (++this.#waitingTicks > WAITING_TICKS_MAX) this.#dropOldest();
  }

  text(text: string): boolean {
    if (this.#isShut || !this.#isOpen()) return true;
    const bytes = this.#textFrame(text);
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
    this.#connection.write(this.#masked(pingText(String(this.#written))), 'latin1');
  }

  last(text: string): void {
    if (this.#isShut) return;
    const texts = this.#waiting.flatMap((item) => ('bytes' in item ? [item.bytes] : []));
    if (this.#isOpen()) this.#connection.write(Buffer.concat([...texts, this.#textFrame(text)]));
    this.shut();
  }

  shut(): void {
    this.#isShut = true;
    this.#waiting = [];
  }

  #textFrame(text: string): Buffer {
    const frame = textFrame(text);
    return this.#isMasked ? maskFrame(frame) : frame;
  }

  /** Masks a frame whose characters are its bytes, if the connection requires masks. */
  #masked(frame: string): string {
    return this.#isMasked ? maskFrame(Buffer.from(frame, 'latin1')).toString('latin1') : frame;
  }

  #mayWrite(): boolean {
    const inFlight = this.#written - this.#acknowledged;
    return inFlight < WINDOW_TICKS && this.#connection.writableLength < UNWRITTEN_BYTES_MAX;
  }

  #writeTick(messages: readonly MediaMessage[]): void {
    const count = ++this.#written;
    let text = '';
    for (const message of messages) text += this.#masked(mediaFrame(this.#mediaJson(message)));
    // A ping follows the tick, if one is due.
    if (count % PING_TICKS === 0) text += this.#masked(pingText(String(count)));
    this.#connection.write(text, 'latin1');
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

/**
 * Returns the count in a pong; undefined if the pong does not echo one of our pings. Such a pong is an error of the
 * client, but the client must not lose its audio. So each such pong counts as the answer to one ping.
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
  { number = 0, ...position }: { seq: number; timestampMs: number; number?: number },
): MediaMessage[] {
  return tracks.map((track, index) => ({ track, ...position, number: number + index, frame: frames[track] }));
}

/** Returns one media message of our own protocol. */
function mediaJson({ track, seq, timestampMs, frame }: MediaMessage): string {
  const payload = frame.toBase64();
  return `{"event":"media","track":"${track}","seq":${seq},"timestamp_ms":${timestampMs},"payload":"${payload}"}`;
}

/** Returns one media message of our own protocol as it goes over the wire; each character is a byte. */
export function mediaText(message: MediaMessage): string {
  return mediaFrame(mediaJson(message));
}

function mediaFrame(json: string): string {
  const { length } = json;
  return String.fromCharCode(TEXT_MESSAGE, LENGTH_OF_16_BITS, length >> BITS_OF_A_BYTE, length & BYTE) + json;
}

/** Returns a ping with a short ASCII text, which its pong echoes; each character is a byte. */
function pingText(text: string): string {
  return String.fromCharCode(PING, text.length) + text;
}
