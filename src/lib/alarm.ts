/** One timer that only ever moves earlier until it rings. */
export type Alarm = {
  /** Rings in `inMs`, unless it rings sooner already. */
  set(inMs: number): void;
  clear(): void;
};

// A timer that is set for longer rings at once. Rung too early, the alarm is set again by whoever looks.
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
