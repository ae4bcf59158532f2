/** The ports of speech-to-text, of the summarizer of calls, and of text-to-speech. */
import type { Pcm } from '../audio/pcm.ts';
import type { Ledger } from '../lib/scope.ts';

/** The audio to transcribe: the recording of a message, or one utterance, by its reference at the carrier. */
type SpeechSource = {
  readonly kind: 'recording' | 'utterance';
  readonly ref: string;
  /** The id of the call. */
  readonly callRef: string;
  /**
   * For an utterance of the customer that this program has cut from live audio, and that has no reference: when the
   * previous utterance ended, and when this one ended, in ledger time.
   */
  readonly span?: { readonly after: Date; readonly until: Date };
};

type SpeechRequest = {
  readonly source: SpeechSource;
  /** Returns WAV, 8 kHz, 16 bits, one channel; undefined if there is no audio. */
  audio(): Promise<Uint8Array | undefined>;
  /** The expected language, as a tag such as `en-US`; absent if it is not known. */
  readonly language?: string;
  /** Called by a recogniser that streams, with all words since the start. */
  readonly onPartial?: (words: string) => void;
  /** Aborted when the text is no longer needed. */
  readonly signal: AbortSignal;
};

export type SpeechToText = {
  /**
   * Returns the words, or null if none were said.
   * @throws ModelError, and the errors of `audio`
   */
  transcribe(ledger: Ledger, request: SpeechRequest): Promise<string | null>;
};

/** One utterance, whose words are recognised while it is said. */
export type LiveWords = {
  /** Takes the next 20 ms, as mu-law. */
  write(frame: Uint8Array): void;
  /**
   * Returns the words of all audio, or null if there are none. The utterance is over.
   * @throws ModelError
   */
  finish(): Promise<string | null>;
  /** Drops the utterance. */
  cancel(): void;
};

export type LiveSpeechToText = {
  /** Returns whether it recognises a language, given as a tag such as `en-US`. */
  hears(language: string): boolean;
  /**
   * Begins an utterance. `onPartial` is called with the words so far, all from the start. Undefined if the call has
   * used up its budget.
   */
  listen(
    ledger: Pick<Ledger, 'ledgerId'>,
    utterance: {
      readonly callRef: string;
      readonly onPartial: (words: string) => void;
      readonly signal: AbortSignal;
    },
  ): LiveWords | undefined;
};

export const SPEAKERS = ['agent', 'customer'] as const;

/** One utterance of a transcript. */
export type SpokenSegment = { readonly speaker: (typeof SPEAKERS)[number]; readonly text: string };

export type SummaryRequest = {
  /** In the order of speaking. */
  readonly segments: readonly SpokenSegment[];
  readonly call: {
    readonly callRef: string;
    readonly direction: 'inbound' | 'outbound';
    readonly durationSeconds: number;
  };
  readonly signal: AbortSignal;
};

export type Summarizer = {
  /** @throws ModelError */
  summarize(ledger: Ledger, request: SummaryRequest): Promise<string>;
};

/** The language of a text, as a tag such as `en-US`, and the voice. */
export type VoiceChoice = {
  readonly language: string;
  /** The name of a voice for `voiceLanguage`. Another language without a configured voice has this voice too. */
  readonly voice: string | null;
  readonly voiceLanguage: string;
};

/** Text-to-speech. */
export type Synthesizer = {
  /**
   * Returns the text as audio, as a copy. A text that was spoken before comes from a cache.
   * @param choice absent for the language and the voice of the installation
   * @throws ModelError if nothing can speak the text at the moment
   */
  synthesize(text: string, choice?: VoiceChoice): Promise<Pcm>;
};

/** Speech-to-text, the summarizer and the voice of a ledger; undefined if it has none. */
export type Speech = {
  toText(ledger: Ledger): SpeechToText | undefined;
  /** The recogniser of words while they are said. Absent without a server for it, and on test ledgers. */
  liveToText(ledger: Ledger): LiveSpeechToText | undefined;
  summarizer(ledger: Ledger): Summarizer | undefined;
  /** The voice of a live ledger's calls. The simulated carrier of a test ledger has its own. */
  voice(ledger: Ledger): Synthesizer | undefined;
  /** The voice that speaks the texts of agents into the audio of a call, also of a test ledger. */
  agentVoice(ledger: Ledger): Synthesizer;
};

/**
 * - unavailable: a retry may succeed, after `retryAfterMs` if that is known.
 * - refused: the same request would be refused again.
 * - spent: the call has used up its budget.
 */
export type ModelFailure = 'unavailable' | 'refused' | 'spent';

/** The model made no text or no speech. `message` is for the log: it contains no key, and none of the spoken words. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly kind: ModelFailure;
  readonly retryAfterMs: number | null;

  constructor(kind: ModelFailure, message: string, options: { retryAfterMs?: number | null; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
