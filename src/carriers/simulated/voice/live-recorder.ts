/** Keeps what is heard live on a recorded call and is in no other book: a stream's playback, the voice of a web client. */
import { FRAME_MS } from '../../../audio/frames.ts';
import { SILENT_FRAME } from '../../../audio/mixing.ts';
import type { AudioSink, AudioSource, Frame } from '../../ports/call-audio.ts';
import type { LiveAudio } from './rendering.ts';

/** Frames in one row of the books. */
const FRAMES_PER_ROW = 25;

export type LiveKeeper = AudioSink & {
  /** Hands over what is still in hand. */
  flush(): void;
};

export type KeeperOptions = {
  /** Sources that are in the books already; the list may change. */
  readonly booked: readonly AudioSource[];
  /** Ledger time of a tick. */
  readonly timeOf: (tick: number) => Date;
  readonly keep: (heard: LiveAudio) => void;
};

export function createLiveKeeper({ booked, timeOf, keep }: KeeperOptions): LiveKeeper {
  let frames: Frame[] = [];
  let firstTick = 0;

  const flush = () => {
    if (frames.length === 0) return;
    keep({ starts_at: timeOf(firstTick), audio: Buffer.concat(frames) });
    frames = [];
  };

  return {
    own: booked,
    write: ({ tick, outbound }) => {
      const isHeard = outbound !== SILENT_FRAME;
      // A row has no gap.
      if (!isHeard || tick !== firstTick + frames.length) flush();
      if (!isHeard) return;
      if (frames.length === 0) firstTick = tick;
      frames.push(outbound);
      if (frames.length === FRAMES_PER_ROW) flush();
    },
    flush,
    end: flush,
  };
}

/** The last row may be this long on its way once a recording has ended. */
export const KEPT_WITHIN_MS = FRAMES_PER_ROW * FRAME_MS + 500;
