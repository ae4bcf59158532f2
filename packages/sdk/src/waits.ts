/** Waits, and the times between attempts. */

const FIRST_WAIT_MS = 500;
const WAIT_MAX_MS = 8_000;

/** Returns the wait before repeat `attempt` (from 1): doubled each time, and up to half of it left out at random. */
export function backoffMs(attempt: number, firstMs = FIRST_WAIT_MS, maxMs = WAIT_MAX_MS): number {
  const full = Math.min(maxMs, firstMs * 2 ** (attempt - 1));
  return full * (1 - Math.random() / 2);
}

/** Waits. If the signal is aborted, rejects immediately with its reason. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
