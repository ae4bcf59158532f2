/**
 * What the customer says: the start of speech, at which the agent is interrupted, and whole utterances with their
 * words. Utterances are recognised concurrently and handed on in their order.
 */
import { FRAME_MS } from '../../../audio/frames.ts';
import { type Utterance, VoiceDetector } from '../../../audio/voice-detector.ts';
import { timeoutSignal } from '../../../lib/time/time.ts';
import type { Frame } from '../types.ts';
import type { HeardWords } from './types.ts';

/** After this time words that are not recognised are lost: the customer waits. */
const RECOGNIZED_WITHIN_MS = 10_000;
/** Utterances that are being recognised. Further ones are dropped: the recogniser does not keep up. */
const PENDING_MAX = 8;

/** `isLast`: false if the customer goes on without a pause. */
export type HeardAs = { readonly isLast: boolean; readonly language: string };

export type EarOptions = {
  /** The language in which words are expected at first. */
  readonly language: string;
  /** The customer has begun to speak. */
  readonly onSpeech: () => void;
  readonly onWords: (words: string, what: HeardAs) => void;
  readonly recognize: (heard: HeardWords, signal: AbortSignal) => Promise<string | null>;
  /** An utterance could not be recognised, or was dropped. */
  readonly onFailure: (error: unknown) => void;
};

export class Ear {
  /** The language in which the next words are expected. */
  language: string;
  readonly #options: EarOptions;
  readonly #detector = new VoiceDetector();
  readonly #closing = new AbortController();
  #isSpeaking = false;
  #pending = 0;
  #before: Promise<void> = Promise.resolve();
  /** The end of the last utterance, or the first tick, on the clock of the ticks. */
  #afterMs: number | undefined;

  constructor(options: EarOptions) {
    this.#options = options;
    this.language = options.language;
  }

  /** True while the customer speaks, or the words are being recognised. */
  get isBusy(): boolean {
    return this.#isSpeaking || this.#pending > 0;
  }

  /** Takes the frame of each tick. */
  write(tick: number, frame: Frame): void {
    const atMs = tick * FRAME_MS;
    this.#afterMs ??= atMs;
    const utterance = this.#detector.write(frame, atMs);
    const { isSpeaking } = this.#detector;
    if (isSpeaking && !this.#isSpeaking) this.#options.onSpeech();
    this.#isSpeaking = isSpeaking;
    if (utterance !== undefined) this.#take(utterance, atMs, !isSpeaking);
  }

  close(): void {
    this.#closing.abort();
  }

  #take({ frames, endMs }: Utterance, nowMs: number, isLast: boolean): void {
    const afterMs = nowMs - (this.#afterMs as number);
    this.#afterMs = endMs;
    if (this.#pending >= PENDING_MAX) {
      this.#options.onFailure(new Error(`${PENDING_MAX} utterances wait to be recognised`));
      return;
    }
    this.#pending++;
    const { signal } = this.#closing;
    const { language } = this;
    const heard = { audio: Buffer.concat(frames), afterMs, endedMs: nowMs - endMs, language };
    const words = this.#options.recognize(heard, AbortSignal.any([signal, timeoutSignal(RECOGNIZED_WITHIN_MS)]));
    const before = this.#before;
    this.#before = words
      .then(
        async (text) => {
          await before;
          if (!signal.aborted && text !== null) this.#options.onWords(text, { isLast, language });
        },
        async (error: unknown) => {
          await before;
          if (!signal.aborted) this.#options.onFailure(error);
        },
      )
      .finally(() => {
        this.#pending--;
      });
  }
}
