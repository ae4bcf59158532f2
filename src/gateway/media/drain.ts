/** How what is live comes to its end: nothing new is begun, and what there is has so long. */
import { monotonicClock } from './ticker.ts';

const CHECK_MS = 100;

export type Drain = {
  readonly hasBegun: boolean;
  /** Resolves when nothing is left or `drainMs` have passed. A second call with less patience shortens the first. */
  wait(drainMs: number): Promise<void>;
};

/** @param isBusy whether something is left; @param nowMs monotonic */
export function createDrain(isBusy: () => boolean, nowMs: () => number = monotonicClock.nowMs): Drain {
  let hasBegun = false;
  let endAtMs = Number.POSITIVE_INFINITY;
  return {
    get hasBegun() {
      return hasBegun;
    },
    wait: async (drainMs) => {
      hasBegun = true;
      endAtMs = Math.min(endAtMs, nowMs() + drainMs);
      while (isBusy() && nowMs() < endAtMs) await pause(Math.min(CHECK_MS, endAtMs - nowMs()));
    },
  };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
