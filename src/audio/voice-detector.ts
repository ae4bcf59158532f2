/**
 * Cuts the audio of one party into utterances. An utterance begins with its first word. It ends with a pause that is
 * longer than the pauses within a sentence. Frames are 20 ms of mu-law. The detector keeps some audio around each
 * utterance, so that a transcription gets the soft sounds at its ends.
 */
import { FRAME_MS } from './frames.ts';
import { createActivityMeter } from './speech-activity.ts';

export type Utterance = {
  /** When speech started and ended, on the clock of the frames. */
  readonly startMs: number;
  readonly endMs: number;
  /** The audio from `preRollMs` before the start to `postRollMs` after the end, if that much exists. */
  readonly frames: readonly Uint8Array[];
};

export type VoiceDetectorOptions = {
  /** Audio before the first word that belongs to the utterance. */
  readonly preRollMs: number;
  readonly postRollMs: number;
  /** A pause of this length ends the utterance. */
  readonly hangoverMs: number;
  /** The least speech in an utterance. Shorter speech is a click or a cough. */
  readonly speechMsMin: number;
  /** A longer utterance is split, at the quietest moment of its last seconds. */
  readonly utteranceMsMax: number;
};

const USUAL: VoiceDetectorOptions = {
  preRollMs: 400,
  postRollMs: 200,
  hangoverMs: 700,
  speechMsMin: 160,
  utteranceMsMax: 20_000,
};

/** Speech starts at START_DB above the noise. It continues until its level is below CONTINUE_DB. */
const START_DB = 8;
const CONTINUE_DB = 5;
/** Speech starts when this many of the last frames are active. */
const START_FRAMES = 4;
const START_WINDOW_FRAMES = 6;
/** Before the start, softer speech belongs to the utterance too, if its gaps have at most this many frames. */
const LEAD_GAP_FRAMES = 4;
/** The softest speech: about -53 dBFS. */
const SPEECH_LEVEL_DB_MIN = 37;
/** The level of speech changes with every syllable. If it changes less than this in 100 ms, the sound is noise. */
const CHANGE_DB_MIN = 1.5;
const CHANGE_FRAMES = 5;
/** A long utterance is split within this time before its end. */
const SPLIT_MS = 3_000;

type Heard = {
  readonly frame: Uint8Array;
  readonly atMs: number;
  readonly levelDb: number;
  /** True for a frame that is loud enough to start an utterance and to be part of it. */
  readonly isActive: boolean;
  readonly isStart: boolean;
};

/** Detects the utterances of one line. Not for audio of several parties at a time. */
export class VoiceDetector {
  readonly #options: VoiceDetectorOptions;
  readonly #measure = createActivityMeter();
  /** Before speech: the latest frames. During an utterance: all its frames. */
  #heard: Heard[] = [];
  /** Index in `#heard` of the first frame with speech; undefined before speech. */
  #first: number | undefined;
  /** Index of the latest frame with speech. */
  #last = 0;

  constructor(options: Partial<VoiceDetectorOptions> = {}) {
    this.#options = { ...USUAL, ...options };
  }

  /** True from the start of speech, noticed within 120 ms, to the end of its utterance. */
  get isSpeaking(): boolean {
    return this.#first !== undefined;
  }

  /** The frames of the current utterance, from `preRollMs` before its start. */
  get openFrames(): readonly Uint8Array[] {
    if (this.#first === undefined) return [];
    const from = Math.max(0, this.#first - this.#options.preRollMs / FRAME_MS);
    return this.#heard.slice(from).map(({ frame }) => frame);
  }

  /**
   * Takes the next frame, which starts at `atMs`. Frames may be missing before it.
   * @returns the utterance that ends with it, if one does
   */
  write(frame: Uint8Array, atMs: number): Utterance | undefined {
    const { hangoverMs, utteranceMsMax } = this.#options;
    const isOver = this.#first !== undefined && atMs - this.#endMs() >= hangoverMs;
    const ended = isOver ? this.#finish() : undefined;
    const { aboveNoiseDb, levelDb } = this.#measure(frame);
    const isActive = aboveNoiseDb >= CONTINUE_DB && levelDb >= SPEECH_LEVEL_DB_MIN;
    this.#heard.push({ frame, atMs, levelDb, isActive, isStart: isActive && aboveNoiseDb >= START_DB });
    if (this.#first === undefined) {
      this.#await();
      return ended;
    }
    if (isActive) this.#last = this.#heard.length - 1;
    return atMs - (this.#heard[this.#first] as Heard).atMs >= utteranceMsMax ? this.#split() : undefined;
  }

  /** Returns the utterance that is open when the audio ends. */
  end(): Utterance | undefined {
    return this.#first === undefined ? undefined : this.#finish();
  }

  /** Waits for speech, and forgets audio that is too old for an utterance. */
  #await(): void {
    const window = this.#heard.slice(-START_WINDOW_FRAMES);
    if (window.filter(({ isStart }) => isStart).length >= START_FRAMES) {
      this.#first = this.#findFirst();
      this.#last = this.#heard.length - 1;
    } else if (this.#heard.length >= START_WINDOW_FRAMES + this.#options.preRollMs / FRAME_MS) this.#heard.shift();
  }

  /** Returns the first frame of the speech that the latest frame has revealed. */
  #findFirst(): number {
    let first = this.#heard.length - 1;
    for (let i = first - 1; i >= 0 && first - i <= LEAD_GAP_FRAMES; i--) if (this.#heard[i]?.isActive) first = i;
    return first;
  }

  #endMs(): number {
    return (this.#heard[this.#last] as Heard).atMs + FRAME_MS;
  }

  #finish(): Utterance | undefined {
    const rest = this.#last + 1 + this.#options.postRollMs / FRAME_MS;
    const utterance = this.#cut(rest, this.#endMs());
    // The frames of the pause may be the pre-roll of the next utterance.
    this.#heard = this.#heard.slice(this.#last + 1).map((frame) => ({ ...frame, isActive: false, isStart: false }));
    this.#first = undefined;
    return utterance;
  }

  /** Ends the utterance at the quietest of its latest frames. The frames after that begin the next one. */
  #split(): Utterance | undefined {
    const from = Math.max((this.#first ?? 0) + 1, this.#heard.length - SPLIT_MS / FRAME_MS);
    const quietest = this.#heard.reduce(
      (at, { levelDb }, i) => (i >= from && levelDb < (this.#heard[at] as Heard).levelDb ? i : at),
      from,
    );
    const utterance = this.#cut(quietest, (this.#heard[quietest] as Heard).atMs);
    this.#heard = this.#heard.slice(quietest);
    this.#first = 0;
    this.#last = Math.max(0, this.#last - quietest);
    return utterance;
  }

  /** Returns the utterance up to a frame; undefined if it is not speech. */
  #cut(before: number, endMs: number): Utterance | undefined {
    const first = this.#first ?? 0;
    const { speechMsMin, preRollMs } = this.#options;
    const spoken = this.#heard.slice(first, Math.min(before, this.#last + 1));
    const speechMs = spoken.filter(({ isActive }) => isActive).length * FRAME_MS;
    if (speechMs < speechMsMin || changeOf(spoken) < CHANGE_DB_MIN) return undefined;
    const frames = this.#heard.slice(Math.max(0, first - preRollMs / FRAME_MS), before).map(({ frame }) => frame);
    return { startMs: (this.#heard[first] as Heard).atMs, endMs, frames };
  }
}

/** Returns how much the level changes in the time of half a syllable, in decibels on average. */
function changeOf(heard: readonly Heard[]): number {
  const later = heard.slice(CHANGE_FRAMES);
  const sum = later.reduce((total, { levelDb }, i) => total + Math.abs(levelDb - (heard[i] as Heard).levelDb), 0);
  return later.length === 0 ? 0 : sum / later.length;
}
