/**
 * Handsets: sockets with the audio of a person on a simulated call. This audio replaces the sound that the simulation
 * makes for this person.
 */
import type { CallRef, Line } from './call-audio.ts';
import type { Party } from './voice.ts';

/** The handset of one person on a call. */
export type Handset = CallRef & { readonly legId: string; readonly party: Party };

export type HandsetLine = {
  /** `waits`: the person is not on the call yet. */
  readonly state: 'waits' | 'on_call' | 'over';
  /** The lines that get the person's voice. Empty while no party hears the person. */
  readonly into: readonly Line[];
  /** True while the person does not hear the customer. */
  readonly isApart: boolean;
};

export type Handsets = {
  /** True if a text has the form of a handset's token. */
  isToken(token: string): boolean;
  /**
   * Redeems a token, once across all processes. Undefined if it is invalid, expired or used, or the person has left the
   * call.
   */
  claim(token: string): Promise<Handset | undefined>;
  /** Returns a function that reads the line of a handset. Requires that this process has the audio of the call. */
  lineOf(handset: Handset): () => HandsetLine;
};
