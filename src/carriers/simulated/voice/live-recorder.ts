/** Records the live audio of a simulated call for the call's recordings. */
import { FRAME_MS } from '../../../audio/frames.ts';
import { mixFrames, SILENT_FRAME } from '../../../audio/mulaw-frames.ts';
import type { AudioSink, AudioSource, CallAudio, Frame } from '../../ports/call-audio.ts';
import type { LiveAudio } from './sounds.ts';

/** Frames in one row of the store: half a second. */
const FRAMES_PER_ROW = 25;

/** The last row may be stored this long after the end of a recording. */
export const KEPT_WITHIN_MS = FRAMES_PER_ROW * FRAME_MS + 500;

/**
 * Stores the live audio of a recorded call, except stored sounds: the playback of a stream, and the voice of a person
 * at a web client or a handset.
 */
type LiveRecorder = AudioSink & {
  /** Stores the frames of an incomplete row. */
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
    ownSources: stored,
    write: ({ tick, inbound, outbound }) => {
      const heard = mixFrames([inbound, outbound].filter((frame) => frame !== SILENT_FRAME));
      const isHeard = heard !== SILENT_FRAME;
      // A row has no gap, so a silent or missing frame ends it.
      if (!isHeard || tick !== firstTick + frames.length) flush();
      if (!isHeard) return;
      if (frames.length === 0) firstTick = tick;
      frames.push(heard);
      if (frames.length === FRAMES_PER_ROW) flush();
    },
    flush,
    end: flush,
  };
}

/**
 * Returns the function that adds the recorder to the call's audio while the call is recorded, and removes it
 * afterwards.
 */
export function createRecordingSwitch(audio: CallAudio, recorder: LiveRecorder): (recorded: boolean) => void {
  let stopRecorder: (() => void) | undefined;
  return (recorded) => {
    if (recorded) stopRecorder ??= audio.addSink(recorder);
    if (recorded || stopRecorder === undefined) return;
    recorder.flush();
    stopRecorder();
    stopRecorder = undefined;
  };
}
