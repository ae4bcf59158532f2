/**
 * Audio that a client plays: a queue of bytes that is read in frames. It joins pieces of any length, so that frames of
 * 160 bytes have no gap between two pieces.
 */

import { MULAW_BYTES_PER_MS } from '../../audio/mulaw.ts';
import { FRAME_BYTES, SILENT_FRAME } from '../../audio/mulaw-frames.ts';
import type { Frame } from './types.ts';

/** The longest audio that may be queued. */
export const PLAYBACK_MS_MAX = 60_000;
const PLAYBACK_BYTES_MAX = PLAYBACK_MS_MAX * MULAW_BYTES_PER_MS;
/** The most marks in the queue. */
export const MARKS_MAX = 1_000;
/** Small pieces are joined up to this size: a minute of audio in pieces of a few bytes would take far more memory. */
const PIECE_BYTES_MIN = 4_096;

export type PlaybackQueue = {
  /** Queues the part that fits. Returns false if a part did not fit. */
  enqueue(audio: Uint8Array): boolean;
  /** Returns the next frame; undefined if there is nothing to play. */
  read(): Frame | undefined;
  /** Sets a mark behind the queued audio. Returns false if the queue has too many marks. */
  mark(name: string): boolean;
  /** Drops the queued audio; its marks count as reached. */
  clear(): void;
  /** Returns the marks that were reached since the last call, in order. */
  takeReached(): string[];
  readonly queuedBytes: number;
};

type Mark = { readonly name: string; readonly atByte: number };
type Piece = { bytes: Uint8Array; length: number };

export function createPlaybackQueue(): PlaybackQueue {
  const bytes = new ByteQueue();
  let marks: Mark[] = [];
  /** True if audio was queued since the last read. */
  let isFilling = false;

  return {
    enqueue: (audio) => {
      isFilling ||= audio.length > 0;
      const room = PLAYBACK_BYTES_MAX - bytes.queued;
      bytes.append(audio.length > room ? audio.subarray(0, room) : audio);
      return audio.length <= room;
    },
    read: () => {
      const { queued } = bytes;
      const mayGrow = isFilling;
      isFilling = false;
      // While pieces arrive, an incomplete frame waits for more audio. After that, silence fills it.
      if (queued === 0 || (queued < FRAME_BYTES && mayGrow)) return undefined;
      const frame = new Uint8Array(FRAME_BYTES);
      if (queued < FRAME_BYTES) frame.set(SILENT_FRAME);
      bytes.take(queued < FRAME_BYTES ? frame.subarray(0, queued) : frame);
      return frame;
    },
    mark: (name) => {
      if (marks.length >= MARKS_MAX) return false;
      marks.push({ name, atByte: bytes.passed + bytes.queued });
      return true;
    },
    clear: () => bytes.drop(),
    takeReached: () => {
      const waiting = marks.findIndex((mark) => mark.atByte > bytes.passed);
      const reached = waiting < 0 ? marks : marks.slice(0, waiting);
      if (reached.length > 0) marks = waiting < 0 ? [] : marks.slice(waiting);
      return reached.map((mark) => mark.name);
    },
    get queuedBytes() {
      return bytes.queued;
    },
  };
}

/** A queue of bytes in few pieces. */
class ByteQueue {
  readonly #pieces: Piece[] = [];
  /** Bytes of the first piece that were taken. */
  #offset = 0;
  #queued = 0;
  #passed = 0;

  get queued(): number {
    return this.#queued;
  }

  /** Bytes taken or dropped since the start. The positions of marks are counted in them. */
  get passed(): number {
    return this.#passed;
  }

  append(audio: Uint8Array): void {
    let last = this.#pieces.at(-1);
    let from = 0;
    while (from < audio.length) {
      if (last === undefined || last.length === last.bytes.length) {
        last = { bytes: new Uint8Array(Math.max(PIECE_BYTES_MIN, audio.length - from)), length: 0 };
        this.#pieces.push(last);
      }
      const part = audio.subarray(from, from + last.bytes.length - last.length);
      last.bytes.set(part, last.length);
      last.length += part.length;
      from += part.length;
    }
    this.#queued += audio.length;
  }

  /** Fills the target. The queue must have enough audio. */
  take(target: Uint8Array): void {
    let filled = 0;
    while (filled < target.length) {
      const piece = this.#pieces[0] as Piece;
      const part = piece.bytes.subarray(this.#offset, Math.min(piece.length, this.#offset + target.length - filled));
      target.set(part, filled);
      filled += part.length;
      this.#offset += part.length;
      if (this.#offset < piece.length) continue;
      this.#pieces.shift();
      this.#offset = 0;
    }
    this.#queued -= filled;
    this.#passed += filled;
  }

  drop(): void {
    this.#pieces.length = 0;
    this.#offset = 0;
    this.#passed += this.#queued;
    this.#queued = 0;
  }
}
