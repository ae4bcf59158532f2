/** Ports to what listens and what sums up: the words said on calls as text, and a call in a few sentences. */
import type { Ledger } from '../lib/scope.ts';

/** What is to be written down: the recording of a message, or one utterance, by its name at the carrier. */
export type SpeechSource = {
  readonly kind: 'recording' | 'utterance';
  readonly ref: string;
  /** The call, by its own id. */
  readonly callRef: string;
};

export type SpeechRequest = {
  readonly source: SpeechSource;
  /** WAV, 8 kHz, 16 bits, one channel; undefined where there is none. */
  audio(): Promise<Uint8Array | undefined>;
  /** Nobody waits for the text any more. */
  readonly signal: AbortSignal;
};

export type SpeechToText = {
  /**
   * The words, or null where none were said.
   * @throws ModelError, and what `audio` throws
   */
  transcribe(ledger: Ledger, request: SpeechRequest): Promise<string | null>;
};

export const SPEAKERS = ['agent', 'customer'] as const;

/** One utterance of a transcript. */
export type SpokenSegment = { readonly speaker: (typeof SPEAKERS)[number]; readonly text: string };

export type SummaryRequest = {
  /** In the order in which they were said. */
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

/** What listens and sums up for a ledger; undefined where nothing does. */
export type Speech = {
  toText(ledger: Ledger): SpeechToText | undefined;
  summarizer(ledger: Ledger): Summarizer | undefined;
};

/**
 * - unavailable: it may work when it is tried again, after `retryAfterMs` where that is known.
 * - refused: the same request would be refused again.
 * - spent: the call has used up what one call may cost.
 */
export const MODEL_FAILURES = ['unavailable', 'refused', 'spent'] as const;
export type ModelFailure = (typeof MODEL_FAILURES)[number];

/** No text came of it. `message` is for the log: it holds no key, and nothing that was said. */
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
