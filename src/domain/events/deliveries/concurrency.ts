/**
 * How many deliveries to have under way per endpoint, found out by trying: a window of quick successes doubles it, a
 * failure halves it. So a dead receiver soon holds few slots, and one that answers slowly only some, while a quick one
 * is limited by its own speed.
 *
 * A delivery that waits for its reply for longer than this endpoint usually takes leaves its slot to another and goes
 * on in a place for hanging ones; if it fails, its lane comes again among the lanes that failed, which have bounds of
 * their own and take no slot here. So resources that the receiver never answers hold up none of its others.
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

/** Deliveries that hang, and lanes in hand that failed before: so many of either for one endpoint, and for all. */
const STUCK_MAX = 32;
const STUCK_ALL_MAX = 128;
/** So many failures without a success between them, and the endpoint counts as dead: it has fewer of either. */
const DEAD_AFTER = 32;
const STUCK_DEAD_MAX = 4;

/** A delivery hangs after so many times what the endpoint usually takes, within bounds. */
const USUAL_TIMES = 4;
const HANGS_MS_MIN = 250;
/** For an endpoint that has not answered yet. */
const HANGS_MS_UNKNOWN = 500;
const LOOK_MS = 125;

type Waiter = { admit(slot: Slot | undefined): void; timer: NodeJS.Timeout };

type Window = {
  limit: number;
  successes: number;
  failuresInRow: number;
  quick: boolean;
  /** Moving average of the replies; 0 before the first. */
  usualMs: number;
  used: number;
  hanging: number;
  waiters: Waiter[];
};

/** Leave to send to an endpoint, until `leave` is called. `begin` tells that a delivery begins. */
export type Slot = { begin(): void; leave(): void };

type Place = { readonly window: Window; sinceMs: number; hangs: boolean };

export type Concurrency = ReturnType<typeof createConcurrency>;

/** A lane that failed before: it is bounded by `failedLanes`. */
const UNCOUNTED: Slot = { begin: () => undefined, leave: () => undefined };

/** @param onRoom called when deliveries have begun to hang, so that there is room for others */
export function createConcurrency({ onRoom = () => undefined }: { onRoom?: () => void } = {}) {
  const windows = new Map<string, Window>();
  const hang = createHanging(onRoom);

  const windowOf = (endpointId: string): Window => {
    const known = windows.get(endpointId);
    if (known !== undefined) return known;
    const window = newWindow();
    windows.set(endpointId, window);
    // The one that was met first goes; it starts anew if it is met again.
    if (windows.size > ENDPOINTS_MAX) windows.delete(windows.keys().next().value as string);
    return window;
  };

  return {
    /** Most deliveries under way that do not hang. */
    limitOf: (endpointId: string): number => windows.get(endpointId)?.limit ?? START,

    /** Most lanes in hand that did not fail before. */
    lanesOf(endpointId: string): number {
      const window = windows.get(endpointId);
      if (window === undefined) return START;
      const { quick, limit, hanging } = window;
      return (quick && limit > MAX_SLOW ? limit * 2 : limit) + hanging;
    },

    /** Bounds for lanes that failed before. */
    failedLanes: {
      concurrencyMax: STUCK_ALL_MAX,
      groupConcurrency: (endpointId: string) => stuckMaxOf(windows.get(endpointId)),
    },

    /** Waits for a slot; undefined if none comes free soon, or if the endpoint has just failed. */
    enter(endpointId: string, { failedBefore = false } = {}): Promise<Slot | undefined> {
      if (failedBefore) return Promise.resolve(UNCOUNTED);
      const window = windowOf(endpointId);
      if (window.used < window.limit) return Promise.resolve(hang.occupy(window));
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
      window.usualMs = window.usualMs === 0 ? durationMs : window.usualMs + (durationMs - window.usualMs) / 8;
      window.failuresInRow = 0;
      window.successes++;
      if (window.successes < window.limit) return;
      window.successes = 0;
      // What hangs is under way too.
      const max = (durationMs < SLOW_MS ? MAX : MAX_SLOW) - window.hanging;
      if (window.limit < max) window.limit = Math.min(window.limit * 2, max);
    },

    /** A lane that failed before says nothing new of the others; only of many failures it is one more. */
    failed(endpointId: string, { failedBefore = false } = {}): void {
      const window = windowOf(endpointId);
      window.failuresInRow++;
      if (failedBefore) return;
      window.successes = 0;
      const least = isDead(window) ? 1 : Math.min(START, window.limit);
      window.limit = Math.max(least, Math.floor(window.limit / 2));
      for (const { admit, timer } of window.waiters.splice(0)) {
        clearTimeout(timer);
        admit(undefined);
      }
    },
  };
}

function newWindow(): Window {
  return { limit: START, successes: 0, failuresInRow: 0, quick: false, usualMs: 0, used: 0, hanging: 0, waiters: [] };
}

function isDead({ failuresInRow }: Window): boolean {
  return failuresInRow >= DEAD_AFTER;
}

function stuckMaxOf(window: Window | undefined): number {
  return window !== undefined && isDead(window) ? STUCK_DEAD_MAX : STUCK_MAX;
}

function hangsAfterMs({ usualMs }: Window): number {
  return usualMs === 0 ? HANGS_MS_UNKNOWN : Math.max(HANGS_MS_MIN, usualMs * USUAL_TIMES);
}

/** Gives out slots, and looks now and then which of them hang: a timer for each delivery would cost more. */
function createHanging(onRoom: () => void) {
  const places = new Set<Place>();
  let hanging = 0;
  let isWatched = false;

  const lookLater = () => {
    if (isWatched) return;
    isWatched = true;
    setTimeout(look, LOOK_MS).unref();
  };

  const occupy = (window: Window): Slot => {
    const place: Place = { window, sinceMs: performance.now(), hangs: false };
    window.used++;
    places.add(place);
    lookLater();
    return {
      begin: () => {
        place.sinceMs = performance.now();
      },
      leave: () => {
        places.delete(place);
        if (place.hangs) {
          window.hanging--;
          hanging--;
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
      clearTimeout(next.timer);
      next.admit(occupy(window));
    }
  };

  /** No endpoint takes more of the places for hanging ones than it leaves to others. */
  const mayHang = (window: Window) => window.hanging < Math.min(stuckMaxOf(window), STUCK_ALL_MAX - hanging);

  const look = () => {
    isWatched = false;
    const nowMs = performance.now();
    let found = false;
    for (const place of [...places]) {
      const { window } = place;
      if (place.hangs || nowMs - place.sinceMs < hangsAfterMs(window) || !mayHang(window)) continue;
      place.hangs = true;
      window.used--;
      window.hanging++;
      hanging++;
      found = true;
      admitWaiters(window);
    }
    if (places.size > 0) lookLater();
    if (found) onRoom();
  };

  return { occupy };
}
