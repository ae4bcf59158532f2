/** Follows a tone over frames: how long it lasts, and when it ends. A tone keeps its frequency and its loudness. */
import { FRAME_MS } from '../frames.ts';
import type { Pcm } from '../pcm.ts';
import { type FrameTone, toneOf } from './tone-meter.ts';

/** The grid has steps of 25 Hz. So a tone between two of its frequencies may change by one step from frame to frame. */
const DRIFT_HZ_MAX = 26;
/** The loudest and the softest frame of a tone, as a ratio of their powers: 6 dB. */
const SWELL_MAX = 4;
/** A tone counts from this many frames on. Vowels are shorter, or glide. */
const FRAMES_MIN = 5;
/** The most disturbed frames within a tone. */
const GAP_FRAMES_MAX = 1;

type Tone = { readonly hz: number; readonly lastsMs: number };

export type HeardTone = {
  /** True while a tone sounds. */
  readonly isTone: boolean;
  readonly running: Tone | undefined;
  /** The tone that ended with the frame. */
  readonly ended: Tone | undefined;
};

export type ToneTracker = {
  /** Takes a frame; undefined stands for silence. */
  write(pcm: Pcm | undefined): HeardTone;
};

type Run = { readonly hz: number; readonly power: number; frames: number; gap: number };

export function createToneTracker(): ToneTracker {
  let run: Run | undefined;

  const finish = (): Tone | undefined => {
    const over = run;
    run = undefined;
    return over !== undefined && over.frames >= FRAMES_MIN ? toneIn(over) : undefined;
  };

  return {
    write: (pcm) => {
      const tone = pcm === undefined ? undefined : toneOf(pcm);
      let ended: Tone | undefined;
      if (run !== undefined && tone !== undefined && continues(run, tone)) {
        run.frames += 1 + run.gap;
        run.gap = 0;
      } else if (run !== undefined && ++run.gap <= GAP_FRAMES_MAX) {
        // The next frame decides whether the tone continues.
      } else {
        ended = finish();
        if (tone !== undefined) run = { ...tone, frames: 1, gap: 0 };
      }
      const running = run !== undefined && run.frames >= FRAMES_MIN ? toneIn(run) : undefined;
      return { isTone: running !== undefined && run?.gap === 0, running, ended };
    },
  };
}

const toneIn = ({ hz, frames }: Run): Tone => ({ hz, lastsMs: frames * FRAME_MS });

function continues(run: Run, { hz, power }: FrameTone): boolean {
  const swell = Math.max(power / run.power, run.power / power);
  return Math.abs(hz - run.hz) <= DRIFT_HZ_MAX && swell <= SWELL_MAX;
}
