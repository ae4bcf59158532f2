/** The far side of a chaos run: a carrier in a separate process, with the people behind it. */
import type { Database } from '../../src/db/database.ts';
import type { Site } from '../support/product-process.ts';
import type { Arrival } from './voice-crash-client.ts';

/** The commands that the carrier received, by our own ids. Times are milliseconds of the epoch. */
export type Seen = {
  /** The texts that the carrier has accepted. One that it accepted twice is listed twice. */
  readonly texts: readonly { readonly ref: string; readonly to: string; readonly body: string }[];
  readonly legs: readonly FarLeg[];
  readonly recordings: readonly {
    readonly callRef: string;
    readonly recordingRef: string;
    /** Null: it has not ended. */
    readonly durationMs: number | null;
  }[];
  /**
   * The commands that were carried out more than once: `messaging.send`, `voice.dial` or another operation, and our id.
   */
  readonly repeated: readonly string[];
};

export type FarLeg = {
  readonly callRef: string;
  readonly legRef: string;
  readonly party: 'agent' | 'customer';
  readonly state: string;
  readonly answeredAtMs: number | null;
  readonly endedAtMs: number | null;
};

/** A moment of a request: the carrier never gets it, or it does what is asked and never replies. */
export type RequestMoment = { readonly request: 'text' | 'command'; readonly isCarriedOut: boolean };

export type FarSide = {
  /** The number of a person who never answers a call. */
  readonly neverAnswers: string;
  /** Adds the connection before the product starts, and tells the carrier where to report. */
  connect(site: Site, publicUrl: string): Promise<void>;
  /** Lets one request and one report in ten misbehave from now on. */
  misbehave(seed: number): Promise<void>;
  /** Returns how many requests and reports have misbehaved. */
  struck(): Promise<number>;
  /**
   * Strikes the next request of a kind. Resolves with true when the fault has hit a request (if the carrier carries the
   * request out, after that). Resolves with false if no request came within `withinMs`.
   */
  ambush(moment: RequestMoment, withinMs: number): Promise<boolean>;
  /** A person texts a number of ours. */
  textIn(text: { readonly from: string; readonly to: string; readonly body: string }): Promise<void>;
  /** A person calls a number of ours. Resolves with the id that the call has at the product. */
  callIn(call: Arrival): Promise<string>;
  /** Lets the customer of a call hang up, at a carrier whose people would talk for long. */
  hangUp?(id: string): Promise<void>;
  /** Resolves once the product has taken every report. */
  drained(): Promise<void>;
  /**
   * Ends the texts that only the operator or time can end: texts that the carrier may or may not have.
   * @returns how many ended so, in words
   */
  decideTexts(db: Database, withinMs: number): Promise<string>;
  seen(): Promise<Seen>;
  /** Kills the process. */
  close(): Promise<void>;
};
