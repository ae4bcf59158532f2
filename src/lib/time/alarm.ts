import { after, monotonicMs, type Timer } from './time.ts';

/**
 * A timer that rings once. Until then it can only be moved to an earlier time. With a delay above 24 days it may ring
 * early.
 */
export type Alarm = {
  /** Sets it to ring in `inMs`, unless it is already set to ring earlier. */
  set(inMs: number): void;
  clear(): void;
  /** Clears it, and ignores every later `set`. Called at a stop, because running work may still call `set`. */
  close(): void;
};

export function createAlarm(ring: () => void): Alarm {
  let timer: Timer | undefined;
  let ringsAt = Number.POSITIVE_INFINITY;
  let isClosed = false;
  const clear = () => {
    timer?.cancel();
    timer = undefined;
    ringsAt = Number.POSITIVE_INFINITY;
  };
  return {
    clear,
    close: () => {
      isClosed = true;
      clear();
    },
    set: (inMs) => {
      const at = monotonicMs() + inMs;
      if (isClosed || at >= ringsAt) return;
      clear();
      ringsAt = at;
      timer = after(inMs, () => {
        clear();
        ring();
      });
    },
  };
}
