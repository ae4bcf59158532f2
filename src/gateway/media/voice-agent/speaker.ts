/**
 * The speech of the agent. It plays sentences and files one after the other into the call, and prepares the next ones
 * while one is playing. At each tick the playback gets only the audio of the next few milliseconds. So the position of
 * the heard audio is known, and a flush removes the rest.
 */
import { FRAME_MS } from '../../../audio/frames.ts';
import { MULAW_BYTES_PER_MS } from '../../../audio/mulaw.ts';
import type { Playback } from '../types.ts';
import { cutAt, type HeardSpeech, heardUntil, type Played, playedFile, playedSentence } from './heard-speech.ts';

/** Audio that waits in the playback. It is longer than a usual stall of the event loop. */
const LEAD_MS = 200;
/** The most sentences and files whose audio is ready or in preparation. */
const PREPARED_MAX = 3;
/**
 * The most sentences and files that are remembered while speech does not pause. The report of an interruption leaves
 * out earlier ones.
 */
const PLAYED_MAX = 1_000;

/** A sentence, or a file. */
export type Sound = {
  /** The words; empty for a file. */
  readonly text: string;
  /** The address of a file. */
  readonly source?: string;
  /** How many times the file is played; once by default. */
  readonly times?: number;
  readonly isInterruptible: boolean;
  /** True if the agent's next sentence or file replaces it. */
  readonly isPreemptible: boolean;
  /** Returns mu-law. */
  readonly make: () => Promise<Uint8Array>;
};

type Item = {
  readonly sound: Sound;
  audio?: Uint8Array;
  isMaking?: boolean;
  /** The number of its bytes that are in the playback. */
  offset: number;
};

export type SpeakerOptions = {
  readonly playback: Playback;
  /** Called if a sentence or a file could not be turned into audio. The speaker skips it. */
  readonly onFailure: (error: unknown, sound: Sound) => void;
};

export class Speaker {
  readonly #playback: Playback;
  readonly #onFailure: SpeakerOptions['onFailure'];
  #queue: Item[] = [];
  #played: Played[] = [];
  #enqueuedMs = 0;
  #isClosed = false;

  constructor({ playback, onFailure }: SpeakerOptions) {
    this.#playback = playback;
    this.#onFailure = onFailure;
  }

  /** True while audio is playing or waiting to be played. */
  get isBusy(): boolean {
    return this.#queue.length > 0 || this.#playback.queuedMs > 0;
  }

  /** The queue, with the sound that is playing: its characters, its sounds (sentences and files), and its files. */
  get waiting(): { readonly characters: number; readonly sounds: number; readonly files: number } {
    return {
      characters: this.#queue.reduce((sum, { sound: { text } }) => sum + text.length, 0),
      sounds: this.#queue.length,
      files: this.#queue.filter(({ sound: { source } }) => source !== undefined).length,
    };
  }

  /** Adds a sentence or a file after all earlier ones. */
  add(sound: Sound): void {
    if (this.#isClosed) return;
    if (!this.isBusy) this.#played = [];
    this.#queue.push({ sound, offset: 0 });
    this.#prepare();
  }

  /** Passes on the audio for the next moment. Called at each tick. */
  tick(): void {
    while (this.#playback.queuedMs < LEAD_MS) {
      const [first] = this.#queue;
      if (first?.audio === undefined) return;
      this.#play(first, first.audio);
      if (first.offset < first.audio.length * timesOf(first.sound)) continue;
      this.#queue.shift();
      this.#prepare();
    }
  }

  /**
   * Stops immediately. Returns the part that was heard. Returns undefined if nothing was about to be played, or if it
   * may not be interrupted.
   */
  interrupt(): HeardSpeech | undefined {
    if (!this.isBusy || this.#queue[0]?.sound.isInterruptible === false) return undefined;
    const heard = heardUntil(this.#played, this.#flush());
    this.#queue = [];
    this.#played = [];
    return heard;
  }

  /** Drops the sentences and files that the agent's next message replaces. */
  preempt(): void {
    const [first] = this.#queue;
    this.#queue = this.#queue.filter(({ sound }) => !sound.isPreemptible);
    this.#prepare();
    if (first === undefined || first.offset === 0 || !first.sound.isPreemptible) return;
    // The playback may still contain the end of the sound before it. That end is not dropped.
    const isHeard = this.#enqueuedMs - this.#playback.queuedMs >= (this.#played.at(-1)?.startMs ?? 0);
    this.#played = cutAt(this.#played, isHeard ? this.#flush() : this.#enqueuedMs);
  }

  close(): void {
    this.#isClosed = true;
    this.#queue = [];
    this.#playback.close();
  }

  /** Drops the audio in the playback. Returns how much of all audio the customer heard. */
  #flush(): number {
    this.#enqueuedMs -= this.#playback.queuedMs;
    this.#playback.clear();
    return this.#enqueuedMs;
  }

  #play(item: Item, audio: Uint8Array): void {
    if (item.offset === 0) {
      this.#played.push(playedOf(item.sound, this.#enqueuedMs, audio));
      if (this.#played.length > PLAYED_MAX) this.#played.shift();
    }
    const from = item.offset % Math.max(1, audio.length);
    const part = audio.subarray(from, from + LEAD_MS * MULAW_BYTES_PER_MS);
    this.#playback.enqueue(part);
    item.offset += part.length;
    this.#enqueuedMs += part.length / MULAW_BYTES_PER_MS;
  }

  #prepare(): void {
    for (const item of this.#queue.slice(0, PREPARED_MAX)) {
      if (item.isMaking === true) continue;
      item.isMaking = true;
      item.sound.make().then(
        (audio) => {
          item.audio = wholeFrames(audio);
        },
        (error: unknown) => this.#leaveOut(item, error),
      );
    }
  }

  #leaveOut(item: Item, error: unknown): void {
    const isWaiting = this.#queue.includes(item);
    this.#queue = this.#queue.filter((queued) => queued !== item);
    if (!isWaiting) return;
    this.#prepare();
    this.#onFailure(error, item.sound);
  }
}

const FRAME_BYTES = FRAME_MS * MULAW_BYTES_PER_MS;
const SILENCE = 0xff;

const timesOf = ({ times = 1 }: Sound): number => times;

function playedOf(sound: Sound, startMs: number, audio: Uint8Array): Played {
  const { source } = sound;
  if (source === undefined) return playedSentence(startMs, sound.text, audio);
  return playedFile(startMs, { source, audio, times: timesOf(sound) });
}

/** Fills the last frame with silence, so that sentences follow each other without a gap. */
function wholeFrames(audio: Uint8Array): Uint8Array {
  const rest = audio.length % FRAME_BYTES;
  if (rest === 0) return audio;
  const whole = new Uint8Array(audio.length + FRAME_BYTES - rest).fill(SILENCE);
  whole.set(audio);
  return whole;
}
