/** A relay at its gateway, and the ports for recognising, speaking and acting on the call. */
import type { CallRef, GrantedStream, RelayGrant } from '../types.ts';

export type GrantedRelay = GrantedStream & { readonly relay: RelayGrant };

/** An utterance of the customer, in ticks of the call's audio. */
export type HeardWords = {
  /** Mu-law, with some audio before the first word and after the last. */
  readonly audio: Uint8Array;
  /** The time since the previous words ended, or since the relay began to listen. */
  readonly afterMs: number;
  /** True if there were no words before. */
  readonly isFirst: boolean;
  /** The time since its last word ended. */
  readonly endedMs: number;
  /** The expected language. */
  readonly language: string;
};

/** The language of a text, and the voice of the platform for the language of the relay. */
export type Speaking = { readonly language: string; readonly voice: string | null; readonly voiceLanguage: string };

/** A file as mu-law, or a sentence that says why it cannot be played. */
export type FetchedFile = { readonly audio: Uint8Array } | { readonly problem: string };

export type Recognizing = {
  readonly signal: AbortSignal;
  /** Called with all words since the start, if the recogniser has some before the end. */
  readonly onPartial?: (words: string) => void;
};

/** One utterance that is recognised live. */
export type LiveWords = {
  write(frame: Uint8Array): void;
  finish(): Promise<string | null>;
  cancel(): void;
};

export type Listening = {
  /** The expected language. */
  readonly language: string;
  readonly onPartial: (words: string) => void;
  readonly signal: AbortSignal;
};

/**
 * Begins an utterance. Returns undefined if it cannot be recognised live; `recognize` then gets the whole utterance.
 */
export type Listener = (how: Listening) => LiveWords | undefined;

/** The functions that a relay needs from the program. Each may reject. */
export type AgentServices = {
  /** Returns the words; null if there are none. */
  recognize(call: CallRef, heard: HeardWords, how: Recognizing): Promise<string | null>;
  /** Returns the live recogniser; undefined if there is none. */
  findListener(call: CallRef): Promise<Listener | undefined>;
  /** Returns the text as mu-law. */
  speak(call: CallRef, text: string, speaking: Speaking): Promise<Uint8Array>;
  /** Fetches an audio file from an address that the agent chose. */
  fetchFile(call: CallRef, url: string): Promise<FetchedFile>;
  /** Sends digits to the customer. */
  sendDigits(streamId: string, digits: string): Promise<void>;
};
