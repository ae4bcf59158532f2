/**
 * The carrier's copy of the customer's audio. Some carriers include in it the sounds that this node sent to the
 * customer. A listener would hear each such sound twice, a moment apart. So the copy is dropped from the start of such
 * a sound until its repetition has ended, and the node's own sound is used: it is complete and on time. At all other
 * times the copy is used, because only it has the carrier's announcements and the agents at telephones.
 */
import type { AudioSource, Frame } from './types.ts';

/** The longest delay of the copy, in ticks: the way to the carrier and back, and the buffers of both sides. */
const LATE_TICKS_MAX = 30;

/**
 * The quietest code that counts as a sound, at 1.2 % of the full scale. A lower limit would count the noise of a
 * microphone.
 */
const SOUND_CODE = 0x20;
const MAGNITUDE = 0x7f;

type SourceFrame = { readonly source: AudioSource; readonly frame: Frame };

export type CarrierEcho = {
  /** Returns the frames of a tick, without copies that may repeat a sound of this node. Called once for each tick. */
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
