/** A text that is spoken to one web client, mixed with its audio. */
import { mixFrames, SILENT_FRAME } from '../../audio/mulaw-frames.ts';
import type { Frame } from '../media/types.ts';

/** `cut_off`: the socket ended before the text. */
type SpokenOutcome = 'spoken' | 'stopped' | 'cut_off';

export type SpokenText = {
  /** Speaks a text. Resolves when the text is over. Must not be called before the earlier text is over. */
  start(speechRef: string, frames: readonly Frame[]): Promise<SpokenOutcome>;
  /** Returns the audio of a tick: the frame, with the next frame of the text. */
  mix(frame: Frame): Frame;
  /** Stops this text, if it is playing. */
  stop(speechRef: string): void;
  /** Ends the present text, and every text that is started later. */
  end(outcome: SpokenOutcome): void;
};

type Current = {
  readonly speechRef: string;
  readonly frames: Iterator<Frame>;
  readonly resolve: (outcome: SpokenOutcome) => void;
};

export function createSpokenText(): SpokenText {
  let current: Current | undefined;
  let endedBy: SpokenOutcome | undefined;

  const settle = (outcome: SpokenOutcome) => {
    const settled = current;
    current = undefined;
    settled?.resolve(outcome);
  };

  return {
    start: (speechRef, frames) => {
      if (endedBy !== undefined) return Promise.resolve(endedBy);
      return new Promise((resolve) => {
        current = { speechRef, frames: frames.values(), resolve };
      });
    },
    mix: (frame) => {
      const next = current?.frames.next();
      if (next === undefined) return frame;
      if (next.done !== true) return frame === SILENT_FRAME ? next.value : mixFrames([frame, next.value]);
      settle('spoken');
      return frame;
    },
    stop: (speechRef) => {
      if (current?.speechRef === speechRef) settle('stopped');
    },
    end: (outcome) => {
      endedBy = outcome;
      settle(outcome);
    },
  };
}
