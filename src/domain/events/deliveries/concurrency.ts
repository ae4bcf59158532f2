/**
 * How many deliveries to have under way per endpoint, found out by trying: a window of quick successes doubles it, a
 * failure halves it. So a dead receiver soon holds one slot, and one that answers slowly only a few, while a quick one
 * is limited by its own speed.
 *
 * For a quick endpoint twice as many lanes are in hand: while some send, the others are read or recorded, so that the
 * receiver does not wait for the database.
 */
const START = 4;
const MAX = 64;
/** Slow replies are no reason to send less, but each holds a slot for long. */
const MAX_SLOW = 16;
const SLOW_MS = 1_000;
/** Up to this a reply takes about as long as the database does. */
const QUICK_MS = 100;
/** What was read of a lane is used within this time or not at all. */
const WAIT_MS = 250;
const ENDPOINTS_MAX = 10_000;

type Waiter = { admit(slot: Slot | undefined): void; timer: NodeJS.Timeout };

type Window = { limit: number; successes: number; quick: boolean; used: number; waiters: Waiter[] };

/** Leave to send to an endpoint, until `leave` is called. */
export type Slot = { leave(): void };

export type Concurrency = ReturnType<typeof createConcurrency>;

export function createConcurrency() {
  const windows = new Map<string, Window>();

  const windowOf = (endpointId: string): Window => {
    const known = windows.get(endpointId);
    if (known !== undefined) return known;
    const window: Window = { limit: START, successes: 0, quick: false, used: 0, waiters: [] };
    windows.set(endpointId, window);
    // The one that was met first goes; it starts anew if it is met again.
    if (windows.size > ENDPOINTS_MAX) windows.delete(windows.keys().next().value as string);
    return window;
  };

  return {
    /** Most deliveries under way. */
    limitOf: (endpointId: string): number => windows.get(endpointId)?.limit ?? START,

    /** Most lanes in hand. */
    lanesOf(endpointId: string): number {
      const window = windows.get(endpointId);
      if (window === undefined) return START;
      return window.quick && window.limit > MAX_SLOW ? window.limit * 2 : window.limit;
    },

    /** Waits for a slot; undefined if none comes free soon, or if the endpoint has just failed. */
    enter(endpointId: string): Promise<Slot | undefined> {
      const window = windowOf(endpointId);
      if (window.used < window.limit) return Promise.resolve(occupy(window));
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          window.waiters = window.waiters.filter((each) => each !== waiter);
          resolve(undefined);
        }, WAIT_MS);
        const waiter = { admit: resolve, timer };
        window.waiters.push(waiter);
      });
    },

    succeeded(endpointId: string, durationMs: number): void {
      const window = windowOf(endpointId);
      window.quick = durationMs < QUICK_MS;
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
      for (const { admit, timer } of window.waiters.splice(0)) {
        clearTimeout(timer);
        admit(undefined);
      }
    },
  };
}

function occupy(window: Window): Slot {
  window.used++;
  return {
    leave: () => {
      window.used--;
      while (window.used < window.limit) {
        const next = window.waiters.shift();
        if (next === undefined) return;
        clearTimeout(next.timer);
        next.admit(occupy(window));
      }
    },
  };
}
