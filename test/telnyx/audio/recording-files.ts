/** The files of recordings, and the links to them. */

import { randomUUID } from 'node:crypto';
import { decodeMulaw } from '../../../src/audio/mulaw.ts';
import { mixFrames } from '../../../src/audio/mulaw-frames.ts';
import { encodeWav, WAV_CONTENT_TYPE } from '../../../src/audio/wav.ts';
import { time } from '../../support/emulator-time.ts';
import type { World } from '../world.ts';
import { encodeDualWav } from './dual-wav.ts';
import { heardAt, type Line, saidAt } from './lines.ts';
import { pcmOf } from './listening.ts';

export type Track = 'inbound' | 'outbound' | 'both';

/** The audio from the party of a leg (inbound) and to it (outbound); empty for a track that is not recorded. */
export type Taken = { readonly inbound: readonly Uint8Array[]; readonly outbound: readonly Uint8Array[] };

/** Quieter samples are silence: the noise of a line without a sound. */
const QUIET_MAX = 64;

/** Returns the frames of a line from one to before another. */
export function takeFrames(line: Line, { track, from, until }: { track: Track; from: number; until: number }): Taken {
  const range = Array.from({ length: Math.max(0, until - from) }, (_, i) => from + i);
  return {
    inbound: track === 'outbound' ? [] : range.map((frame) => saidAt(line, frame)),
    outbound: track === 'inbound' ? [] : range.map((frame) => heardAt(line, frame)),
  };
}

export function isQuiet(frame: Uint8Array): boolean {
  return decodeMulaw(frame).every((sample) => Math.abs(sample) <= QUIET_MAX);
}

/** Returns the part from the first frame that is not silent to the last one. */
export function trimSilence({ inbound, outbound }: Taken): { readonly taken: Taken; readonly cutAtStart: number } {
  const isLoud = (_: unknown, at: number) => [inbound[at], outbound[at]].some((frame) => frame && !isQuiet(frame));
  const any = Array.from({ length: lengthOf({ inbound, outbound }) });
  const first = Math.max(0, any.findIndex(isLoud));
  const end = any.findLastIndex(isLoud) + 1;
  const taken = { inbound: inbound.slice(first, end), outbound: outbound.slice(first, end) };
  return { taken, cutAtStart: first };
}

/** Returns how many frames were taken. */
export function lengthOf({ inbound, outbound }: Taken): number {
  return Math.max(inbound.length, outbound.length);
}

/** Returns a WAV file: two tracks on a channel each if `isDual`, else mixed. */
export function wavOf({ inbound, outbound }: Taken, isDual: boolean): Buffer {
  if (isDual && inbound.length > 0 && outbound.length > 0) return encodeDualWav(pcmOf(inbound), pcmOf(outbound));
  const frames = Array.from({ length: lengthOf({ inbound, outbound }) }, (_, at) =>
    mixFrames([inbound[at], outbound[at]].flatMap((frame) => frame ?? [])),
  );
  return encodeWav(pcmOf(frames));
}

/** Returns a new link to a file. It can be fetched for `settings.recordingLifeMs`. */
export function linkTo({ state, settings, origin }: World, content: Uint8Array): string {
  const now = time.now();
  for (const [id, { expiresAtMs }] of state.media) if (expiresAtMs < now) state.media.delete(id);
  const id = randomUUID();
  state.media.set(id, { contentType: WAV_CONTENT_TYPE, content, expiresAtMs: now + settings.recordingLifeMs });
  return `${origin()}/_media/${id}`;
}
