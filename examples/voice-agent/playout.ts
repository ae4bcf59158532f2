/** The model's speech, on its way to the caller. A model makes a minute of speech within seconds. */

/** 100 ms of mu-law. The position of the caller in the speech is known to within one piece. */
const PIECE_BYTES = 800;
const PIECE_MS = 100;
/** Pieces that the gateway may have: two seconds. The rest waits here. */
const AHEAD_MAX = 20;
/** Ten minutes of speech. */
const WAITING_MAX = 6_000;

type Piece = { item: string; endMs: number; bytes: Uint8Array };
/** How much of an item of the conversation the caller has heard. */
export type Cut = { item: string; heardMs: number };
export type StreamMessage = { event: 'media'; payload: string } | { event: 'mark'; name: string } | { event: 'clear' };

/** Plays speech in pieces. A mark after each comes back when the caller has heard it. */
export class Playout {
  readonly #send: (message: StreamMessage) => void;
  #waiting: Piece[] = [];
  /** Pieces that the gateway has, by their marks. */
  #sent = new Map<string, Piece>();
  /** Milliseconds of each unfinished item: received, and heard. */
  #received = new Map<string, number>();
  #heard = new Map<string, number>();
  /** Items that the caller has interrupted. Later audio of these items is dropped. */
  #dropped = new Set<string>();
  #marks = 0;
  #watchers: ((wasHeard: boolean) => void)[] = [];

  constructor(send: (message: StreamMessage) => void) {
    this.#send = send;
  }

  get isSilent(): boolean {
    return this.#waiting.length === 0 && this.#sent.size === 0;
  }

  /** Adds mu-law of an item behind the waiting audio. */
  add(item: string, audio: Uint8Array): void {
    if (this.#dropped.has(item)) return;
    if (this.#waiting.length > WAITING_MAX) throw new Error('the model speaks without an end');
    for (let at = 0; at < audio.length; at += PIECE_BYTES) {
      const bytes = audio.subarray(at, at + PIECE_BYTES);
      const endMs = (this.#received.get(item) ?? 0) + (bytes.length * PIECE_MS) / PIECE_BYTES;
      this.#received.set(item, endMs);
      this.#waiting.push({ item, endMs, bytes });
    }
    this.#pump();
  }

  /** Records that a mark came back. Marks of speech that was stopped are no longer known. */
  pass(name: string): void {
    const piece = this.#sent.get(name);
    if (piece === undefined) return;
    this.#sent.delete(name);
    this.#heard.set(piece.item, piece.endMs);
    this.#pump();
    if (this.isSilent) this.#tell(true);
  }

  /** Stops the speech within a frame. Returns the items that the caller has not heard to their end. */
  stop(): Cut[] {
    const unheard = new Set([...this.#sent.values(), ...this.#waiting].map(({ item }) => item));
    const cuts = [...unheard].map((item) => ({ item, heardMs: Math.floor(this.#heard.get(item) ?? 0) }));
    // Drops these items even if all audio so far was heard, because more audio of an item may come.
    this.#dropped = new Set(this.#received.keys());
    this.#waiting = [];
    this.#sent.clear();
    this.#received.clear();
    this.#heard.clear();
    if (cuts.length > 0) this.#send({ event: 'clear' });
    this.#tell(false);
    return cuts;
  }

  /** Resolves when the caller has heard everything, with false if it was stopped before. */
  heard(): Promise<boolean> {
    return this.isSilent ? Promise.resolve(true) : new Promise((resolve) => this.#watchers.push(resolve));
  }

  #tell(wasHeard: boolean): void {
    for (const watcher of this.#watchers.splice(0)) watcher(wasHeard);
  }

  #pump(): void {
    while (this.#sent.size < AHEAD_MAX) {
      const piece = this.#waiting.shift();
      if (piece === undefined) return;
      this.#marks += 1;
      const name = `piece-${this.#marks}`;
      this.#sent.set(name, piece);
      this.#send({ event: 'media', payload: Buffer.from(piece.bytes).toString('base64') });
      this.#send({ event: 'mark', name });
    }
  }
}
