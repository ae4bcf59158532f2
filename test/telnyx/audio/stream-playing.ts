/** The audio that an application plays into a call over its stream: queued, cleared, with marks between. */
import { framesOf } from '../../../src/audio/mulaw-frames.ts';
import { appendSound, frameNow, type Line, type Sound, stopSound } from './lines.ts';

export type StreamPlaying = {
  /** Plays audio after the queued audio. */
  play(codes: Uint8Array): void;
  /** Calls `pass` when the audio that is queued now has been played or cleared; at once if none is queued. */
  mark(pass: () => void): void;
  /** Drops the queued audio, and passes all marks. */
  clear(): void;
  /** Passes the marks that are due. */
  tick(frame: number): void;
};

/** @param targets returns the lines that hear the audio, at the moment it comes */
export function createStreamPlaying(targets: () => readonly Line[]): StreamPlaying {
  const sounds = new Map<Line, Sound>();
  let marks: { readonly at: number; readonly pass: () => void }[] = [];
  const endOfQueue = () => Math.max(0, ...[...sounds.values()].map(({ until }) => until));
  return {
    play: (codes) => {
      const frames = framesOf(codes);
      for (const line of targets()) sounds.set(line, appendSound(line.played, sounds.get(line), frames));
    },
    mark: (pass) => {
      const at = endOfQueue();
      if (at <= frameNow()) pass();
      else marks.push({ at, pass });
    },
    clear: () => {
      for (const sound of sounds.values()) stopSound(sound);
      sounds.clear();
      const passed = marks;
      marks = [];
      for (const { pass } of passed) pass();
    },
    tick: (frame) => {
      const due = marks.filter(({ at }) => at <= frame + 1);
      if (due.length === 0) return;
      marks = marks.filter(({ at }) => at > frame + 1);
      for (const { pass } of due) pass();
    },
  };
}
