import type { MonotonicClock } from '../../src/gateway/media/ticker.ts';

/** A monotonic clock that stands still unless it is moved. */
export type ManualClock = MonotonicClock & {
  /** Goes on to the next timer, and a little late, and runs it. */
  wakeNext(lateMs?: number): void;
  /** Time goes by; timers that fall due meanwhile run in order. */
  pass(ms: number): void;
  /** When the next timer is due; infinite without any. */
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
