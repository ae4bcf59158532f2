/**
 * The customer's speech: reports its start, which interrupts the agent, and whole utterances with their words.
 * Utterances are recognised concurrently and passed on in their order.
 */
import { FRAME_MS } from '../../../audio/frames.ts';
import { type Utterance, VoiceDetector } from '../../../audio/voice-detector.ts';
import { timeoutSignal } from '../../../lib/time/time.ts';
import type { Frame } from '../types.ts';
import type { HeardWords, Listener, LiveWords, Recognizing } from './types.ts';

/** Words that are not recognised within this time are lost, because the customer waits. */
const RECOGNIZED_WITHIN_MS = 10_000;
/** If live recognition takes longer than this, the utterance is recognised again as a whole. */
const FINISHED_WITHIN_MS = 2_000;
/** The most characters that partial results repeat if a customer speaks without a pause. */
const SAID_CHARS_MAX = 10_000;
/** The most utterances in recognition. If the recogniser does not keep up, later utterances are dropped. */
const PENDING_MAX = 8;

/** `isLast`: false if the customer continues without a pause, or if the words are partial. */
export type HeardAs = { readonly isLast: boolean; readonly language: string };

export type EarOptions = {
  /** The language of the first words. */
  readonly language: string;
  /** Called when the customer begins to speak. */
  readonly onSpeech: () => void;
  readonly onWords: (words: string, what: HeardAs) => void;
  readonly recognize: (heard: HeardWords, how: Recognizing) => Promise<string | null>;
  /** Begins to recognise an utterance live, if the installation has a live recogniser. */
  readonly listen: Listener;
  /** True if words are passed on before the utterance is complete. */
  readonly partials: boolean;
  /** A pause of this length ends an utterance. */
  readonly silenceMs: number;
  /** Called if an utterance could not be recognised, or was dropped. */
  readonly onFailure: (error: unknown) => void;
};

export class Ear {
  /** The language of the next words. */
  language: string;
  readonly #options: EarOptions;
  readonly #detector: VoiceDetector;
  readonly #closing = new AbortController();
  #isSpeaking = false;
  /** The recogniser of the present utterance. */
  #live: LiveWords | undefined;
  #pending = 0;
  /** The number of utterances whose recognition has ended, with or without words. */
  #settled = 0;
  /** True if the last words that were passed on are not the end of the speech. */
  #isOpen = false;
  /** With partial results: the words of a customer who continues without a pause. */
  #said = '';
  #before: Promise<void> = Promise.resolve();
  /** The end of the last utterance, or the first tick, on the clock of the ticks. */
  #afterMs: number | undefined;

  constructor(options: EarOptions) {
    this.#options = options;
    this.language = options.language;
    this.#detector = new VoiceDetector({ hangoverMs: options.silenceMs });
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
    const hasEnded = this.#isSpeaking && !isSpeaking;
    if (isSpeaking && !this.#isSpeaking) this.#options.onSpeech();
    // The earlier part has received all audio up to now, including the audio that the detector also puts into the next
    // part.
    const isSplit = isSpeaking && utterance !== undefined;
    const isNew = isSplit || (isSpeaking && !this.#isSpeaking);
    const continues = isSpeaking && !isNew;
    if (continues) this.#live?.write(frame);
    const ended = continues ? undefined : this.#live;
    this.#isSpeaking = isSpeaking;
    if (utterance !== undefined) this.#take(utterance, ended, { nowMs: atMs, isLast: !isSpeaking });
    else if (hasEnded) {
      ended?.cancel();
      this.#before = this.#before.then(() => this.#handOn(null, { isLast: true, language: this.language }));
    }
    if (!continues) this.#live = isNew ? this.#listen(isSplit ? [frame] : this.#detector.openFrames) : undefined;
  }

  close(): void {
    this.#closing.abort();
  }

  /** Begins to recognise an utterance. Some of its audio has already arrived. */
  #listen(frames: readonly Frame[]): LiveWords | undefined {
    const { language } = this;
    const onPartial = this.#options.partials
      ? this.#partialsOf(this.#settled + this.#pending + 1, language)
      : () => undefined;
    const live = this.#options.listen({ language, onPartial, signal: this.#closing.signal });
    for (const frame of frames) live?.write(frame);
    return live;
  }

  #take(
    { frames, endMs }: Utterance,
    live: LiveWords | undefined,
    { nowMs, isLast }: { readonly nowMs: number; readonly isLast: boolean },
  ): void {
    const afterMs = nowMs - (this.#afterMs as number);
    this.#afterMs = endMs;
    if (this.#pending >= PENDING_MAX) {
      live?.cancel();
      this.#options.onFailure(new Error(`${PENDING_MAX} utterances wait to be recognised`));
      return;
    }
    this.#pending++;
    const { signal } = this.#closing;
    const { language } = this;
    const n = this.#settled + this.#pending;
    const heard = { audio: Buffer.concat(frames), afterMs, isFirst: n === 1, endedMs: nowMs - endMs, language };
    const how = { isLast, language };
    const before = this.#before;
    this.#before = (live === undefined ? this.#recognize(heard, n) : this.#finish(live, heard, n))
      .then(
        async (text) => {
          await before;
          this.#handOn(text, how);
        },
        async (error: unknown) => {
          await before;
          if (!signal.aborted) this.#options.onFailure(error);
        },
      )
      .finally(() => {
        this.#pending--;
        this.#settled++;
      });
  }

  /** Recognises the whole audio of the nth utterance. */
  #recognize(heard: HeardWords, n: number): Promise<string | null> {
    return this.#options.recognize(heard, {
      signal: AbortSignal.any([this.#closing.signal, timeoutSignal(RECOGNIZED_WITHIN_MS)]),
      ...(this.#options.partials && { onPartial: this.#partialsOf(n, heard.language) }),
    });
  }

  /** Returns the words of live recognition. If that failed, the whole utterance is recognised again. */
  async #finish(live: LiveWords, heard: HeardWords, n: number): Promise<string | null> {
    const late = timeoutSignal(FINISHED_WITHIN_MS);
    const cancel = () => live.cancel();
    late.addEventListener('abort', cancel, { once: true });
    try {
      return await live.finish();
    } catch {
      return await this.#recognize(heard, n);
    } finally {
      late.removeEventListener('abort', cancel);
    }
  }

  /**
   * Returns the function that passes on the first words of the nth utterance, once all earlier utterances are
   * recognised.
   */
  #partialsOf(n: number, language: string): (words: string) => void {
    return (words) => {
      if (words === '' || this.#settled !== n - 1 || this.#closing.signal.aborted) return;
      this.#isOpen = true;
      this.#options.onWords(join(this.#said, words), { isLast: false, language });
    };
  }

  /**
   * Passes on words; with partial results, all words since the customer began to speak. Every speech gets a last
   * message, even if no more words follow.
   */
  #handOn(words: string | null, how: HeardAs): void {
    if (this.#closing.signal.aborted || (words === null && !(how.isLast && this.#isOpen))) return;
    this.#isOpen = !how.isLast;
    const all = join(this.#said, words ?? '');
    this.#said = how.isLast || !this.#options.partials ? '' : all.slice(-SAID_CHARS_MAX);
    this.#options.onWords(all, how);
  }
}

const join = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ');
