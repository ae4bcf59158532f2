/**
 * A carrier's copy of what the customer hears, if the carrier also puts into it what this node has sent for the
 * customer: each such sound would be heard twice, a moment apart. Of the two, the sound of this node counts: it is
 * complete, on time and byte for byte, whether or not the carrier repeats all of it. So the copy is left out from the
 * first such sound until its repetition is over. At all other times the copy counts, as it alone has what the carrier
 * itself lets the customer hear: its announcements, and agents at telephones.
 */
import type { AudioSource, Frame } from './types.ts';

/** Ticks by which the copy is late at most: the way to the carrier and back, and the buffers of both sides. */
const LATE_TICKS_MAX = 30;

/** The quietest code that counts as a sound, at 1.2 % of the full scale: a microphone is never quite silent. */
const SOUND_CODE = 0x20;
const MAGNITUDE = 0x7f;

type SourceFrame = { readonly source: AudioSource; readonly frame: Frame };

export type CarrierEcho = {
  /** Returns the frames of a tick without copies that may repeat a sound of this node. Called once for each tick. */
  without<Each extends SourceFrame>(frames: readonly Each[], tick: number): readonly Each[];
};

export function createCarrierEcho(): CarrierEcho {
  let soundedAt = Number.NEGATIVE_INFINITY;
  return {
    without: (frames, tick) => {
      if (frames.some(isOurSound)) soundedAt = tick;
      if (tick - soundedAt > LATE_TICKS_MAX) return frames;
      return frames.filter(({ source }) => source.hasOurs !== true);
    },
  };
}

/** True for a sound that this node sends for the customer. */
function isOurSound({ source, frame }: SourceFrame): boolean {
  if (source.isCopy === true || !source.into.includes('outbound')) return false;
  // Mu-law has the magnitude in seven inverted bits.
  return frame.some((code) => (~code & MAGNITUDE) >= SOUND_CODE);
}
