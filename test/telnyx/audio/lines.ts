/**
 * The audio of legs: the sounds that each party says and hears, in frames of 20 ms of mu-law at 8 kHz. All lines count
 * frames on the monotonic clock. The audio of a line at a frame is computed when it is asked for, so a line that is
 * neither recorded nor streamed costs nothing.
 */

import { FRAME_MS } from '../../../src/audio/frames.ts';
import { mixFrames } from '../../../src/audio/mulaw-frames.ts';
import { time } from '../../support/emulator-time.ts';

export type Frames = readonly Uint8Array[];

/** Audio on a line, from its first frame to the one before `until`. */
export type Sound = {
  readonly frames: Uint8Array[];
  readonly from: number;
  until: number;
  /** True: it starts again at its end. */
  readonly loops: boolean;
};

/** A time during which the parties of two lines hear each other. */
type Link = { readonly other: Line; readonly from: number; until: number };

export type Line = {
  /** The sounds of the party. */
  readonly said: Sound[];
  /** Audio that is played to the party, over the voice of the other party. */
  readonly played: Sound[];
  readonly links: Link[];
  /** The first frame of the leg. */
  readonly from: number;
  /** The frame after the last one; Infinity while the leg is up. */
  until: number;
};

/** Returns the frame that runs now. Frames before it never change. */
export function frameNow(): number {
  return Math.floor(time.monotonicMs() / FRAME_MS);
}

/** Returns the wall-clock time when a frame starts, in milliseconds of the epoch. */
export function timeOfFrame(frame: number): number {
  return Math.round(time.now() + frame * FRAME_MS - time.monotonicMs());
}

export function openLine(): Line {
  return { said: [], played: [], links: [], from: frameNow() + 1, until: Number.POSITIVE_INFINITY };
}

/** Ends a line, with its links. */
export function closeLine(line: Line): void {
  const at = frameNow() + 1;
  line.until = Math.min(line.until, at);
  for (const { other } of line.links) unlink(line, other);
}

type Placing = { readonly loops?: boolean; readonly from?: number };

/**
 * Puts audio on a line, from the next frame on, or from a later one.
 * @param sounds a line's `said` or `played`
 */
export function addSound(sounds: Sound[], frames: Frames, { loops = false, from = 0 }: Placing = {}): Sound {
  const start = Math.max(from, frameNow() + 1);
  const until = loops ? Number.POSITIVE_INFINITY : start + frames.length;
  const sound: Sound = { frames: [...frames], from: start, until, loops };
  sounds.push(sound);
  return sound;
}

/** Adds audio to the end of a sound. If the sound has ended, adds the audio as a new sound. Returns the sound. */
export function appendSound(sounds: Sound[], sound: Sound | undefined, frames: Frames): Sound {
  if (sound === undefined || sound.until <= frameNow()) return addSound(sounds, frames);
  sound.frames.length = sound.until - sound.from;
  sound.frames.push(...frames);
  sound.until += frames.length;
  return sound;
}

/** Ends a sound with the frame that runs now. */
export function stopSound(sound: Sound): void {
  sound.until = Math.max(sound.from, Math.min(sound.until, frameNow() + 1));
}

/** Lets the parties of two lines hear each other. */
export function link(one: Line, other: Line): void {
  const from = frameNow() + 1;
  one.links.push({ other, from, until: Number.POSITIVE_INFINITY });
  other.links.push({ other: one, from, until: Number.POSITIVE_INFINITY });
}

export function unlink(one: Line, other: Line): void {
  const at = frameNow() + 1;
  for (const each of [...one.links.filter((link) => link.other === other), ...linksTo(other, one)]) {
    each.until = Math.max(each.from, Math.min(each.until, at));
  }
}

function linksTo({ links }: Line, line: Line): Link[] {
  return links.filter(({ other }) => other === line);
}

/** Returns the audio that the party of a line says at a frame. */
export function saidAt(line: Line, frame: number): Uint8Array {
  return mixFrames(isUp(line, frame) ? soundsAt(line.said, frame) : []);
}

/** Returns the audio that the party of a line hears at a frame. */
export function heardAt(line: Line, frame: number): Uint8Array {
  if (!isUp(line, frame)) return mixFrames([]);
  const others = line.links.filter((link) => isWithin(link, frame)).map(({ other }) => saidAt(other, frame));
  return mixFrames([...others, ...soundsAt(line.played, frame)]);
}

function isUp(line: Line, frame: number): boolean {
  return isWithin(line, frame);
}

function isWithin({ from, until }: { readonly from: number; readonly until: number }, frame: number): boolean {
  return frame >= from && frame < until;
}

function soundsAt(sounds: readonly Sound[], frame: number): Uint8Array[] {
  return sounds
    .filter((sound) => isWithin(sound, frame))
    .map(({ frames, from, loops }) => frames[loops ? (frame - from) % frames.length : frame - from] as Uint8Array);
}
