/** Hands over frames in real time, while there are takers. */

import { FRAME_MS } from '../../../src/audio/frames.ts';
import { time } from '../../support/emulator-time.ts';
import { frameNow } from './lines.ts';

/** Called with each frame after its end, in order and without a gap. */
type Taker = (frame: number) => void;

export type Pacer = {
  /** Calls the taker with every frame from the next one on. Returns a function that stops it. */
  take(taker: Taker): () => void;
  /** Returns the number of takers now. */
  takers(): number;
};

/** Creates a pacer. Its timer runs only while frames are taken. */
export function createPacer(): Pacer {
  const next = new Map<Taker, number>();
  let timer: { cancel(): void } | undefined;
  const hand = () => {
    const now = frameNow();
    for (const [taker, first] of [...next]) {
      for (let frame = first; frame < now && next.has(taker); frame++) {
        next.set(taker, frame + 1);
        taker(frame);
      }
    }
  };
  return {
    take: (taker) => {
      next.set(taker, frameNow() + 1);
      timer ??= time.every(FRAME_MS, hand);
      return () => {
        next.delete(taker);
        if (next.size > 0) return;
        timer?.cancel();
        timer = undefined;
      };
    },
    takers: () => next.size,
  };
}
