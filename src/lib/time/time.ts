/**
 * The time of the process. All waiting uses these functions, so that tests can skip it
 * (`test/support/stepping-time.ts`). No other code reads a clock of the machine or sets a timer: `npm run check`
 * refuses it (docs/decisions/0061-time.md).
 */
import { systemTime, type Time, type Timer } from './system-time.ts';

export type { Time, Timer };

type SleepOptions = {
  readonly signal?: AbortSignal;
  /** False lets the process end during the sleep; true by default. */
  readonly ref?: boolean;
};

let current: Time = systemTime;

/** Replaces the source of time for the whole process, and returns the previous one. Only tests call it. @public */
export function installTime(time: Time): Time {
  const previous = current;
  current = time;
  return previous;
}

/** Returns the wall time in milliseconds since the epoch. */
export const now = (): number => current.now();

/** Returns the wall time. */
export const today = (): Date => new Date(current.now());

/** Returns milliseconds that never go back, from an arbitrary start; with fractions. */
export const monotonicMs = (): number => current.monotonicMs();

/** Calls `run` once, after `ms`. A delay above 24 days is cut to that. */
export const after = (ms: number, run: () => void): Timer => current.after(ms, run);

/** Calls `run` repeatedly, each `ms`. */
export const every = (ms: number, run: () => void): Timer => current.every(ms, run);

/**
 * Resolves after `ms`.
 * @throws the reason of `signal`, once it aborts
 */
export function sleep(ms: number, { signal, ref = true }: SleepOptions = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = after(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    if (!ref) timer.unref();
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Returns a signal that aborts after `ms` with a TimeoutError. It does not keep the process running. */
export function timeoutSignal(ms: number): AbortSignal {
  const controller = new AbortController();
  after(ms, () =>
    controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
  ).unref();
  return controller.signal;
}
