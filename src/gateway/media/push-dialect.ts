/** How carriers speak on a media socket, reduced to what the call's audio needs. */
import type { Frame, Track } from './types.ts';

export type PushEvent =
  | { readonly type: 'media'; readonly track: Track; readonly audio: Uint8Array }
  | { readonly type: 'digit'; readonly digit: string; readonly track: Track }
  /** A mark that was sent has been played. */
  | { readonly type: 'mark'; readonly name: string }
  /** The carrier is done. */
  | { readonly type: 'stop' };

/** One conversation with one carrier; it may remember what came before. */
export type PushDialect = {
  /** What a message means, in order; undefined when it is none of the dialect's. Messages without a meaning give []. */
  read(message: Buffer, isBinary: boolean): PushEvent[] | undefined;
  /** 20 ms to be played to the customer. */
  media(frame: Frame): string | Uint8Array;
  /** Stop playing at once, also what is queued. */
  clear(): string;
  /** A mark behind what was sent; undefined where the dialect has none, and then it counts as played. */
  mark(name: string): string | undefined;
};

const DIGIT = /^[0-9A-D*#]$/;

/** A key as an event; undefined where it is no key. */
export function readDigit(digit: unknown, track: Track): PushEvent[] | undefined {
  return typeof digit === 'string' && DIGIT.test(digit) ? [{ type: 'digit', digit, track }] : undefined;
}
