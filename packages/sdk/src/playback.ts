/** The end of audio: it was heard completely, dropped by `clear()`, or cut off by the end of the stream. */
export type PlaybackEnd = 'played' | 'cleared' | 'ended';

/** One second of audio. Longer audio is sent in pieces, so that pongs do not wait behind it on a slow line. */
const PIECE_BYTES = 8_000;
/** The server keeps 60 seconds and drops the rest. */
const WAITING_BYTES_MAX = 50 * 8_000;

type Clip = { resolve: (end: PlaybackEnd) => void; isCleared: boolean };
type Piece = { clip: Clip; bytes: Uint8Array; isLast: boolean };
type ClientMessage = { event: 'media'; payload: string } | { event: 'mark'; name: string } | { event: 'clear' };

/**
 * Audio on its way to the customer. A mark after each piece comes back when the piece was played, so the buffer of the
 * server is never exceeded, and the end of each clip is known.
 */
export class Playback {
  readonly #send: (message: ClientMessage) => void;
  readonly #queue: Piece[] = [];
  /** Pieces that were sent to the server, by their marks. */
  readonly #sent = new Map<string, Piece>();
  #sentBytes = 0;
  #marks = 0;

  constructor(send: (message: ClientMessage) => void) {
    this.#send = send;
  }

  add(audio: Uint8Array): Promise<PlaybackEnd> {
    return new Promise((resolve) => {
      const clip: Clip = { resolve, isCleared: false };
      // Audio without a sample is one empty piece: its mark comes back after the audio that was added before.
      for (let start = 0; start === 0 || start < audio.length; start += PIECE_BYTES) {
        const isLast = start + PIECE_BYTES >= audio.length;
        this.#queue.push({ clip, bytes: audio.subarray(start, start + PIECE_BYTES), isLast });
      }
      this.#pump();
    });
  }

  clear(): void {
    for (const { clip, isLast } of this.#queue.splice(0)) if (isLast) clip.resolve('cleared');
    for (const { clip } of this.#sent.values()) clip.isCleared = true;
    this.#send({ event: 'clear' });
  }

  /** Notes that a mark came back. */
  pass(name: string): void {
    const piece = this.#sent.get(name);
    if (piece === undefined) return;
    this.#sent.delete(name);
    this.#sentBytes -= piece.bytes.length;
    if (piece.isLast) piece.clip.resolve(piece.clip.isCleared ? 'cleared' : 'played');
    this.#pump();
  }

  /** Ends the audio that was not played. */
  end(): void {
    for (const { clip } of [...this.#sent.values(), ...this.#queue.splice(0)]) clip.resolve('ended');
    this.#sent.clear();
    this.#sentBytes = 0;
  }

  #pump(): void {
    for (;;) {
      const [piece] = this.#queue;
      if (piece === undefined || this.#sentBytes + piece.bytes.length > WAITING_BYTES_MAX) return;
      this.#queue.shift();
      this.#marks += 1;
      const name = `piece-${this.#marks}`;
      this.#sent.set(name, piece);
      this.#sentBytes += piece.bytes.length;
      if (piece.bytes.length > 0) this.#send({ event: 'media', payload: btoa(String.fromCharCode(...piece.bytes)) });
      this.#send({ event: 'mark', name });
    }
  }
}
