/**
 * Handsets: sockets that have the audio of a person on a simulated call, in place of the sound that the simulation
 * makes for this person.
 */
import type { CallRef, Line } from './call-audio.ts';
import type { Party } from './voice.ts';

/** The handset of one person on a call. */
export type Handset = CallRef & { readonly legId: string; readonly party: Party };

export type HandsetLine = {
  /** `waits`: the person is not on the call yet. */
  readonly state: 'waits' | 'on_call' | 'over';
  /** The lines with the person's voice. Empty while no party hears the person. */
  readonly into: readonly Line[];
  /** True while the person does not hear the customer. */
  readonly isApart: boolean;
};

export type Handsets = {
  /** True for a text in the form of a handset's token. */
  isToken(token: string): boolean;
  /** Uses up a token, once across all processes; undefined if it is invalid, expired or used, or the person is gone. */
  claim(token: string): Promise<Handset | undefined>;
  /** Returns the function that reads the line of a handset. This process must have the audio of the call. */
  lineOf(handset: Handset): () => HandsetLine;
};
