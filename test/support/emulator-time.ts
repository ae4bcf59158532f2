/**
 * The time of the emulated carriers: of `test/telnyx/`, `test/wire/`, their conformance suites and the scenarios over
 * the wire. They read no other clock and set no other timer, so their whole time is replaced here.
 */

/** A call that is planned. `cancel` may be called repeatedly. */
export type EmulatorTimer = {
  cancel(): void;
  /** The process may end before the call. */
  unref(): EmulatorTimer;
};

/** All times and delays are in milliseconds. */
export type EmulatorTime = {
  /** The wall time, since the epoch. */
  now(): number;
  /** A time that never goes back, from an arbitrary start; with fractions. */
  monotonicMs(): number;
  /**
   * Resolves after `ms`.
   * @throws the reason of `signal`, once it aborts
   */
  sleep(ms: number, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  /** Calls `run` repeatedly, each `ms`. */
  every(ms: number, run: () => void): { cancel(): void };
  /** Calls `run` once, after `ms`. */
  after(ms: number, run: () => void): EmulatorTimer;
};

export const time: EmulatorTime = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, { signal } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        timer.cancel();
        reject(signal?.reason);
      };
      const timer = time.after(ms, () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      });
      signal?.addEventListener('abort', abort, { once: true });
    }),
  every: (ms, run) => {
    const interval = setInterval(run, ms);
    return { cancel: () => clearInterval(interval) };
  },
  after: (ms, run) => {
    const timeout = setTimeout(run, ms);
    const timer: EmulatorTimer = {
      cancel: () => clearTimeout(timeout),
      unref: () => {
        timeout.unref();
        return timer;
      },
    };
    return timer;
  },
};

/** Returns a signal that aborts after `ms` with a TimeoutError. It does not keep the process running. */
export function timeoutSignal(ms: number): AbortSignal {
  const controller = new AbortController();
  time.after(ms, () => controller.abort(new DOMException('The time is over.', 'TimeoutError'))).unref();
  return controller.signal;
}
