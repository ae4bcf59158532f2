import type { MonotonicClock } from '../../src/gateway/media/ticker.ts';

/** A monotonic clock that moves only when the test moves it. */
export type ManualClock = MonotonicClock & {
  /** Moves to the next timer, plus `lateMs`, and runs the timer. */
  wakeNext(lateMs?: number): void;
  /** Moves forward by `ms`; timers that fall due run in order. */
  pass(ms: number): void;
  /** The time of the next timer; infinite if there is none. */
  nextMs(): number;
  readonly timers: number;
};

type Timer = { dueMs: number; wake: () => void };

export function manualClock(startMs = 0): ManualClock {
  let nowMs = startMs;
  const timers = new Set<Timer>();
  const next = () =>
    [...timers].reduce<Timer | undefined>((a, b) => (a !== undefined && a.dueMs <= b.dueMs ? a : b), undefined);
  const run = (timer: Timer, atMs: number) => {
    nowMs = Math.max(nowMs, atMs);
    timers.delete(timer);
    timer.wake();
  };
  return {
    nowMs: () => nowMs,
    after: (delayMs, wake) => {
      const timer = { dueMs: nowMs + delayMs, wake };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    wakeNext: (lateMs = 0) => {
      const timer = next();
      if (timer !== undefined) run(timer, timer.dueMs + lateMs);
    },
    pass: (ms) => {
      const untilMs = nowMs + ms;
      for (let timer = next(); timer !== undefined && timer.dueMs <= untilMs; timer = next()) run(timer, timer.dueMs);
      nowMs = untilMs;
    },
    nextMs: () => next()?.dueMs ?? Number.POSITIVE_INFINITY,
    get timers() {
      return timers.size;
    },
  };
}
