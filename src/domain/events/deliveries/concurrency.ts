/**
 * How many deliveries to have under way per endpoint, found out by trying: a window of quick successes doubles it, a
 * failure halves it. So a dead receiver soon holds one slot, and one that answers slowly only a few, while a quick one
 * is limited by its own speed.
 */
const START = 4;
const MAX = 64;
/** Slow replies are no reason to send less, but each holds a slot for long. */
const MAX_SLOW = 16;
const SLOW_MS = 1_000;
const ENDPOINTS_MAX = 10_000;

type Window = { limit: number; successes: number };

export type Concurrency = ReturnType<typeof createConcurrency>;

export function createConcurrency() {
  const windows = new Map<string, Window>();

  const windowOf = (endpointId: string): Window => {
    const known = windows.get(endpointId);
    if (known !== undefined) return known;
    const window = { limit: START, successes: 0 };
    windows.set(endpointId, window);
    // The one that was met first goes; it starts anew if it is met again.
    if (windows.size > ENDPOINTS_MAX) windows.delete(windows.keys().next().value as string);
    return window;
  };

  return {
    limitOf: (endpointId: string): number => windows.get(endpointId)?.limit ?? START,

    succeeded(endpointId: string, durationMs: number): void {
      const window = windowOf(endpointId);
      window.successes++;
      if (window.successes < window.limit) return;
      window.successes = 0;
      const max = durationMs < SLOW_MS ? MAX : MAX_SLOW;
      if (window.limit < max) window.limit = Math.min(window.limit * 2, max);
    },

    failed(endpointId: string): void {
      const window = windowOf(endpointId);
      window.successes = 0;
      window.limit = Math.max(1, Math.floor(window.limit / 2));
    },
  };
}
