/** A timer that can only be moved to an earlier time until it rings. */
export type Alarm = {
  /** Sets it to ring in `inMs`, unless it is already set to ring earlier. */
  set(inMs: number): void;
  clear(): void;
};

// Node fires a timer with a longer delay at once, so longer delays are cut. A caller that is woken early sets it again.
const TIMER_MS_MAX = 2 ** 31 - 1;

export function createAlarm(ring: () => void): Alarm {
  let timer: NodeJS.Timeout | undefined;
  let ringsAt = Number.POSITIVE_INFINITY;
  const clear = () => {
    clearTimeout(timer);
    timer = undefined;
    ringsAt = Number.POSITIVE_INFINITY;
  };
  return {
    clear,
    set: (inMs) => {
      const at = performance.now() + inMs;
      if (at >= ringsAt) return;
      clear();
      ringsAt = at;
      timer = setTimeout(
        () => {
          clear();
          ring();
        },
        Math.min(Math.max(inMs, 0), TIMER_MS_MAX),
      );
    },
  };
}
