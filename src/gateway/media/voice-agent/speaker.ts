/**
 * What the agent says: sentences are spoken one after the other into the call, and the next ones are made while one is
 * heard. At each tick the playback gets only what it needs for the next moment, so the position of what was heard is
 * known, and a flush leaves nothing behind.
 */
import { FRAME_MS } from '../../../audio/frames.ts';
import { decodeMulaw, MULAW_BYTES_PER_MS } from '../../../audio/mulaw.ts';
import type { Playback } from '../types.ts';

/** Audio that waits in the playback: more than a slow event loop leaves out. */
const LEAD_MS = 200;
/** Sentences whose audio is made or being made at the same time. */
const PREPARED_MAX = 3;
/** Samples below this are silence at the ends of a spoken sentence. */
const AUDIBLE = 500;

type Item = {
  readonly text: string;
  readonly isInterruptible: boolean;
  readonly make: () => Promise<Uint8Array>;
  audio?: Uint8Array;
  isMaking?: boolean;
  /** Bytes that the playback has. */
  offset: number;
};

/** A sentence in the audio that was played. */
type Spoken = Pick<Item, 'text'> & {
  readonly startMs: number;
  /** The part of it with a voice. */
  readonly voice: { readonly fromMs: number; readonly untilMs: number };
  readonly endMs: number;
};

/** What the customer heard of a speech until it was interrupted. */
export type HeardSpeech = { readonly text: string; readonly durationMs: number };

export type SpeakerOptions = {
  readonly playback: Playback;
  /** A text or a file could not be made audible; it is left out. */
  readonly onFailure: (error: unknown) => void;
};

export class Speaker {
  readonly #playback: Playback;
  readonly #onFailure: (error: unknown) => void;
  #queue: Item[] = [];
  #spoken: Spoken[] = [];
  #enqueuedMs = 0;
  #isClosed = false;

  constructor({ playback, onFailure }: SpeakerOptions) {
    this.#playback = playback;
    this.#onFailure = onFailure;
  }

  /** True while something is heard, or is about to be. */
  get isBusy(): boolean {
    return this.#queue.length > 0 || this.#playback.queuedMs > 0;
  }

  /** Characters that are not heard yet. */
  get waiting(): number {
    return this.#queue.reduce((sum, { text }) => sum + text.length, 0);
  }

  get items(): number {
    return this.#queue.length;
  }

  /** Adds what is heard after everything before. `text` is what it says; empty for a sound. */
  add(text: string, isInterruptible: boolean, make: () => Promise<Uint8Array>): void {
    if (this.#isClosed) return;
    if (!this.isBusy) this.#spoken = [];
    this.#queue.push({ text, isInterruptible, make, offset: 0 });
    this.#prepare();
  }

  /** Hands on what the next moment needs. Called at each tick. */
  tick(): void {
    while (this.#playback.queuedMs < LEAD_MS) {
      const [first] = this.#queue;
      if (first?.audio === undefined) return;
      this.#play(first, first.audio);
      if (first.offset < first.audio.length) continue;
      this.#queue.shift();
      this.#prepare();
    }
  }

  /** Stops at once. Returns what was heard; undefined if nothing is to be heard, or it may not be interrupted. */
  interrupt(): HeardSpeech | undefined {
    if (!this.isBusy || this.#queue[0]?.isInterruptible === false) return undefined;
    const heardMs = this.#enqueuedMs - this.#playback.queuedMs;
    this.#playback.clear();
    const heard = heardUntil(this.#spoken, heardMs);
    this.#queue = [];
    this.#spoken = [];
    this.#enqueuedMs = heardMs;
    return heard;
  }

  close(): void {
    this.#isClosed = true;
    this.#queue = [];
    this.#playback.close();
  }

  #play(item: Item, audio: Uint8Array): void {
    if (item.offset === 0) this.#spoken.push(spokenAt(this.#enqueuedMs, item.text, audio));
    const part = audio.subarray(item.offset, item.offset + LEAD_MS * MULAW_BYTES_PER_MS);
    this.#playback.enqueue(part);
    item.offset += part.length;
    this.#enqueuedMs += part.length / MULAW_BYTES_PER_MS;
  }

  #prepare(): void {
    for (const item of this.#queue.slice(0, PREPARED_MAX)) {
      if (item.isMaking === true) continue;
      item.isMaking = true;
      item.make().then(
        (audio) => {
          item.audio = wholeFrames(audio);
        },
        (error: unknown) => this.#leaveOut(item, error),
      );
    }
  }

  #leaveOut(item: Item, error: unknown): void {
    const isWaiting = this.#queue.includes(item);
    this.#queue = this.#queue.filter((one) => one !== item);
    if (!isWaiting) return;
    this.#prepare();
    this.#onFailure(error);
  }
}

const FRAME_BYTES = FRAME_MS * MULAW_BYTES_PER_MS;
const SILENCE = 0xff;

/** Fills the last frame up with silence, so that sentences follow each other without a gap. */
function wholeFrames(audio: Uint8Array): Uint8Array {
  const rest = audio.length % FRAME_BYTES;
  if (rest === 0) return audio;
  const whole = new Uint8Array(audio.length + FRAME_BYTES - rest).fill(SILENCE);
  whole.set(audio);
  return whole;
}

function spokenAt(startMs: number, text: string, audio: Uint8Array): Spoken {
  const isVoice = (sample: number) => Math.abs(sample) >= AUDIBLE;
  const pcm = decodeMulaw(audio);
  const [first, last] = [pcm.findIndex(isVoice), pcm.findLastIndex(isVoice)];
  const endMs = startMs + audio.length / MULAW_BYTES_PER_MS;
  const voice =
    first < 0
      ? { fromMs: startMs, untilMs: endMs }
      : { fromMs: startMs + first / MULAW_BYTES_PER_MS, untilMs: startMs + last / MULAW_BYTES_PER_MS };
  return { text, startMs, voice, endMs };
}

/** Returns what was heard at a position, to the word: a word counts once half of it was heard. */
function heardUntil(spoken: readonly Spoken[], heardMs: number): HeardSpeech {
  const texts = spoken.flatMap(({ text, voice, endMs }) => {
    if (heardMs >= endMs) return [text];
    return wordsUntil(text, (heardMs - voice.fromMs) / Math.max(1, voice.untilMs - voice.fromMs));
  });
  const startMs = spoken[0]?.startMs ?? heardMs;
  const durationMs = Math.max(0, Math.round(heardMs - startMs));
  return { text: texts.filter((text) => text !== '').join(' '), durationMs };
}

/** Returns the words of the first part of a text. The voice takes about as long for each character. */
function wordsUntil(text: string, part: number): string[] {
  const until = Math.max(0, Math.min(1, part)) * text.length;
  const words = [...text.matchAll(/\S+/gu)].filter(({ index, 0: word }) => index + word.length / 2 <= until);
  const last = words.at(-1);
  return last === undefined ? [] : [text.slice(0, last.index + last[0].length)];
}
