/** A timer that is set. Both functions may be called repeatedly. */
export type Timer = {
  cancel(): void;
  /** The process may end while the timer is set. */
  unref(): Timer;
};

/** One source of time. All times and delays are in milliseconds. */
export type Time = {
  /** The wall time, since the epoch. It may jump when the machine's clock is set. */
  now(): number;
  /** A time that never goes back, from an arbitrary start; with fractions. */
  monotonicMs(): number;
  /** Calls `run` once, after `ms`. */
  after(ms: number, run: () => void): Timer;
  /** Calls `run` repeatedly, each `ms`. */
  every(ms: number, run: () => void): Timer;
};

/** Node fires a timer with a longer delay immediately. */
const TIMER_MS_MAX = 2 ** 31 - 1;

const cut = (ms: number) => Math.min(Math.max(ms, 0), TIMER_MS_MAX);

/** The clock and the timers of the machine. */
export const systemTime: Time = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (ms, run) => {
    const timeout = setTimeout(run, cut(ms));
    return wrap(timeout, () => clearTimeout(timeout));
  },
  every: (ms, run) => {
    const interval = setInterval(run, cut(ms));
    return wrap(interval, () => clearInterval(interval));
  },
};

function wrap(handle: NodeJS.Timeout, cancel: () => void): Timer {
  const timer: Timer = {
    cancel,
    unref: () => {
      handle.unref();
      return timer;
    },
  };
  return timer;
}
