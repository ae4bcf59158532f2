/**
 * Stores what is heard live on a recorded call and is no stored sound: the playback of a stream, and the voice of the
 * person at a web client.
 */
import { FRAME_MS } from '../../../../audio/frames.ts';
import { SILENT_FRAME } from '../../../../audio/mixing.ts';
import type { AudioSink, AudioSource, Frame } from '../../../ports/call-audio.ts';
import type { LiveAudio } from './rendering.ts';

/** Frames in one row of the store: half a second. */
const FRAMES_PER_ROW = 25;

/** The last row may be stored this long after the end of a recording. */
export const KEPT_WITHIN_MS = FRAMES_PER_ROW * FRAME_MS + 500;

export type LiveRecorder = AudioSink & {
  /** Stores the frames that do not fill a row yet. */
  flush(): void;
};

export type LiveRecorderOptions = {
  /** The sources of stored sounds; the list may change. */
  readonly stored: readonly AudioSource[];
  /** Returns the ledger time of a tick. */
  readonly timeOf: (tick: number) => Date;
  readonly keep: (heard: LiveAudio) => void;
};

export function createLiveRecorder({ stored, timeOf, keep }: LiveRecorderOptions): LiveRecorder {
  let frames: Frame[] = [];
  let firstTick = 0;

  const flush = () => {
    if (frames.length === 0) return;
    keep({ starts_at: timeOf(firstTick), audio: Buffer.concat(frames) });
    frames = [];
  };

  return {
    own: stored,
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
