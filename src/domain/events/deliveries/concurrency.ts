/**
 * Limits the concurrent deliveries and lanes of each endpoint by its replies. The limit doubles after a number of quick
 * successes equal to the limit, and halves after a failure. So a dead endpoint soon has few slots, a slow one some, and
 * a quick one is limited by its own speed. The lane scheduler takes the bounds from here.
 *
 * A delivery is stalled when it waits for its reply longer than the endpoint usually takes. A stalled delivery gives
 * its slot to another one and continues outside of the limit. The limit also doubles after a number of stalled
 * deliveries equal to the limit, so that the resources behind them are reached within a second or two: it is not known
 * beforehand which resources the endpoint answers. If a stalled delivery fails, its lane comes back as a failed lane,
 * which has separate bounds and takes no slot here. So resources that the endpoint never answers do not delay its
 * others.
 *
 * For a quick endpoint twice as many lanes are claimed: while some send, the others are read or recorded, so that the
 * endpoint does not wait for the database.
 */

import { after, monotonicMs, type Timer } from '../../../lib/time/time.ts';
import { fairBound } from '../../../queue/lanes/scheduler.ts';

const START = 4;
const MAX = 64;
/** Slow replies are no reason to send less, but each uses a slot for long. */
const MAX_SLOW = 16;
const SLOW_MS = 1_000;
/** Up to this time, a reply takes about as long as the database does. */
const QUICK_MS = 100;
/** Deliveries that were read are sent within this time or not at all. */
const WAIT_MS = 250;
const ENDPOINTS_MAX = 10_000;

/** Most stalled deliveries of one endpoint, and of all. Each costs a connection and a claimed lane. */
const STALLED_MAX = 256;
const STALLED_ALL_MAX = 512;
/** Most claimed lanes that failed before, of one endpoint and of all. */
const FAILED_MAX = 32;
const FAILED_ALL_MAX = 128;
/**
 * After this many failures in a row the endpoint counts as failing. It may then have fewer claimed failed lanes, unless
 * its failures are quick, as when it refuses connections.
 */
const FAILING_AFTER = 32;
const FAILED_FAILING_MAX = 4;
/** A failing endpoint without a success for this long counts as dead: it may have fewer stalled deliveries. */
const DEAD_AFTER_MS = 60_000;
const STALLED_DEAD_MAX = 4;

/** A delivery is stalled after this multiple of the endpoint's usual time, within bounds. */
const USUAL_TIMES = 4;
const STALLED_AFTER_MS_MIN = 250;
const LOOK_MS = 125;

type Waiter = { admit(slot: Slot | undefined): void; timer: Timer };

/** The state of one endpoint. */
type Window = {
  limit: number;
  successes: number;
  /** Deliveries that stalled since the latest success, or since they doubled the limit. */
  stalls: number;
  failuresInRow: number;
  /** The times of the latest success, and of the first failure after it. */
  succeededAtMs: number;
  failingSinceMs: number;
  /** Whether the latest failure took little time. */
  failsQuickly: boolean;
  quick: boolean;
  /** Moving average of the reply times; 0 before the first. */
  usualMs: number;
  /** Running deliveries that are not stalled. */
  used: number;
  stalled: number;
  waiters: Waiter[];
};

/** Permission to send to an endpoint, until `release` is called. `begin` marks the start of a delivery. */
export type Slot = { begin(): void; release(): void };

type Delivery = { readonly window: Window; sinceMs: number; isStalled: boolean };

export type Concurrency = ReturnType<typeof createConcurrency>;

/** The slot of a lane that failed before: `failedLanes` bounds it. */
const UNCOUNTED: Slot = { begin: () => undefined, release: () => undefined };

type ConcurrencyOptions = {
  /** Called when deliveries have stalled. Their endpoints then have free slots. */
  onCapacity?: () => void;
  /** Monotonic milliseconds. */
  now?: () => number;
};

export function createConcurrency({ onCapacity = () => undefined, now = monotonicMs }: ConcurrencyOptions = {}) {
  const windows = new Map<string, Window>();
  const slots = createSlots(onCapacity, now);

  const windowOf = (endpointId: string): Window => {
    const known = windows.get(endpointId);
    if (known !== undefined) return known;
    const window = newWindow();
    windows.set(endpointId, window);
    // Drops the oldest endpoint; if it is used again, it starts with new limits.
    if (windows.size > ENDPOINTS_MAX) windows.delete(windows.keys().next().value as string);
    return window;
  };

  return {
    /** Returns the most running deliveries that are not stalled. */
    limitOf: (endpointId: string): number => windows.get(endpointId)?.limit ?? START,

    /** Returns the most claimed lanes that did not fail before. */
    healthyLanesMax(endpointId: string): number {
      const window = windows.get(endpointId);
      if (window === undefined) return START;
      const { quick, limit, stalled } = window;
      return (quick && limit > MAX_SLOW ? limit * 2 : limit) + stalled;
    },

    /** Bounds for lanes that failed before. */
    failedLanes: {
      concurrencyMax: FAILED_ALL_MAX,
      groupConcurrency: (endpointId: string) => failedMaxOf(windows.get(endpointId)),
    },

    /** Waits for a slot; undefined if none comes free in time, or if the endpoint fails while it waits. */
    acquire(endpointId: string, { failedBefore = false } = {}): Promise<Slot | undefined> {
      if (failedBefore) return Promise.resolve(UNCOUNTED);
      const window = windowOf(endpointId);
      if (window.used < window.limit) return Promise.resolve(slots.occupy(window));
      return new Promise((resolve) => {
        const timer = after(WAIT_MS, () => {
          window.waiters = window.waiters.filter((other) => other !== waiter);
          resolve(undefined);
        });
        const waiter = { admit: resolve, timer };
        window.waiters.push(waiter);
      });
    },

    succeeded(endpointId: string, durationMs: number): void {
      recordSuccess(windowOf(endpointId), { durationMs, nowMs: now() });
    },

    /**
     * Records a failure. A failure of a lane that failed before says nothing about other lanes, and is only counted. A
     * stalled delivery that began before the latest success says nothing about the endpoint's present state, and is not
     * counted.
     */
    failed(endpointId: string, { failedBefore = false, durationMs = 0 } = {}): void {
      const window = windowOf(endpointId);
      const nowMs = now();
      if (durationMs >= stalledAfterMs(window) && nowMs - durationMs < window.succeededAtMs) return;
      if (window.failuresInRow++ === 0) window.failingSinceMs = nowMs;
      window.failsQuickly = durationMs < QUICK_MS;
      if (!failedBefore) halve(window);
    },
  };
}

function newWindow(): Window {
  return {
    limit: START,
    successes: 0,
    stalls: 0,
    failuresInRow: 0,
    succeededAtMs: Number.NEGATIVE_INFINITY,
    failingSinceMs: 0,
    failsQuickly: false,
    quick: false,
    usualMs: 0,
    used: 0,
    stalled: 0,
    waiters: [],
  };
}

function recordSuccess(window: Window, { durationMs, nowMs }: { durationMs: number; nowMs: number }): void {
  window.quick = durationMs < QUICK_MS;
  window.succeededAtMs = nowMs;
  // The limit may have doubled before any reply time of the endpoint was known.
  if (window.usualMs === 0 && durationMs >= SLOW_MS) window.limit = Math.min(window.limit, MAX_SLOW);
  window.usualMs = window.usualMs === 0 ? durationMs : window.usualMs + (durationMs - window.usualMs) / 8;
  window.failuresInRow = 0;
  window.stalls = 0;
  window.successes++;
  if (window.successes < window.limit) return;
  window.successes = 0;
  // Stalled deliveries use slots of the limit too.
  const max = (durationMs < SLOW_MS ? MAX : MAX_SLOW) - window.stalled;
  if (window.limit < max) window.limit = Math.min(window.limit * 2, max);
}

/** Halves the limit after a failure. Deliveries that wait for a slot get none. */
function halve(window: Window): void {
  window.successes = 0;
  const least = isFailing(window) ? 1 : Math.min(START, window.limit);
  window.limit = Math.max(least, Math.floor(window.limit / 2));
  for (const { admit, timer } of window.waiters.splice(0)) {
    timer.cancel();
    admit(undefined);
  }
}

function isFailing({ failuresInRow }: Window): boolean {
  return failuresInRow >= FAILING_AFTER;
}

function failedMaxOf(window: Window | undefined): number {
  return window !== undefined && isFailing(window) && !window.failsQuickly ? FAILED_FAILING_MAX : FAILED_MAX;
}

function stalledMaxOf(window: Window, nowMs: number): number {
  const isDead = isFailing(window) && nowMs - window.failingSinceMs >= DEAD_AFTER_MS;
  return isDead ? STALLED_DEAD_MAX : STALLED_MAX;
}

/** Counts a stalled delivery. A number of stalled deliveries equal to the limit doubles the limit. */
function recordStall(window: Window): void {
  if (++window.stalls < window.limit) return;
  window.stalls = 0;
  const max = window.usualMs < SLOW_MS ? MAX : MAX_SLOW;
  window.limit = Math.max(window.limit, Math.min(window.limit * 2, max));
}

function stalledAfterMs({ usualMs }: Window): number {
  return Math.max(STALLED_AFTER_MS_MIN, usualMs * USUAL_TIMES);
}

/** Manages slots, and checks periodically for stalled deliveries: a timer per delivery would cost more. */
function createSlots(onCapacity: () => void, now: () => number) {
  const deliveries = new Set<Delivery>();
  let stalledSum = 0;
  let isWatched = false;

  const lookLater = () => {
    if (isWatched) return;
    isWatched = true;
    after(LOOK_MS, look).unref();
  };

  const occupy = (window: Window): Slot => {
    const delivery: Delivery = { window, sinceMs: now(), isStalled: false };
    window.used++;
    deliveries.add(delivery);
    lookLater();
    return {
      begin: () => {
        delivery.sinceMs = now();
      },
      release: () => {
        deliveries.delete(delivery);
        if (delivery.isStalled) {
          window.stalled--;
          stalledSum--;
        } else {
          window.used--;
        }
        admitWaiters(window);
      },
    };
  };

  const admitWaiters = (window: Window) => {
    while (window.used < window.limit) {
      const next = window.waiters.shift();
      if (next === undefined) return;
      next.timer.cancel();
      next.admit(occupy(window));
    }
  };

  const mayStall = (window: Window, nowMs: number) =>
    window.stalled < fairBound(stalledMaxOf(window, nowMs), STALLED_ALL_MAX - stalledSum);

  const look = () => {
    isWatched = false;
    const nowMs = now();
    const found = new Set<Window>();
    for (const delivery of [...deliveries]) {
      const { window } = delivery;
      if (delivery.isStalled || nowMs - delivery.sinceMs < stalledAfterMs(window) || !mayStall(window, nowMs)) continue;
      delivery.isStalled = true;
      window.used--;
      window.stalled++;
      stalledSum++;
      recordStall(window);
      found.add(window);
    }
    for (const window of found) admitWaiters(window);
    if (deliveries.size > 0) lookLater();
    if (found.size > 0) onCapacity();
  };

  return { occupy };
}
