/**
 * One schedule for all audio of the process. Every listener runs once in 20 ms. Listeners are spread over ten phases of
 * 2 ms, so that a thousand streams are not written in one burst. Runs have absolute deadlines on a monotonic clock,
 * counted from one start: a late run is caught up at once, and nothing drifts.
 */
import { FRAME_MS } from '../../audio/frames.ts';
import type { Ticker } from './types.ts';

/** A clock that never goes back, and a timer on it. */
export type MonotonicClock = {
  nowMs(): number;
  /** Runs `wake` after `delayMs` (rounded up). Returns a function that cancels it. */
  after(delayMs: number, wake: () => void): () => void;
};

export const monotonicClock: MonotonicClock = {
  nowMs: () => performance.now(),
  after: (delayMs, wake) => {
    const timer = setTimeout(wake, Math.ceil(delayMs));
    return () => clearTimeout(timer);
  },
};

export type TickerOptions = {
  clock?: MonotonicClock;
  /** A listener threw, and was removed. */
  onError: (error: unknown) => void;
  /** The event loop stalled for so long that this many ticks are skipped for every listener. */
  onSkip?: (ticks: number) => void;
};

const PHASES = 10;
const PHASE_MS = FRAME_MS / PHASES;
/** Ticks that are caught up after a stall. More are skipped: they would be a burst of old audio. */
const CATCH_UP_TICKS_MAX = 50;

/** A timer that fires this early counts as on time: sums of fractions are not exact. */
const ROUNDING_MS = 1e-6;

type Listener = { readonly run: (tick: number) => void };

/** Creates a ticker, which has a timer only while it has listeners. */
export function createTicker({ clock = monotonicClock, onError, onSkip }: TickerOptions): Ticker {
  const phases = Array.from({ length: PHASES }, () => new Set<Listener>());
  const startedMs = clock.nowMs();
  /** The next phase to run, counted from the start: phase `slot % PHASES` of tick `slot / PHASES`. */
  let slot = 0;
  let listeners = 0;
  let stopped = false;
  let cancelTimer: (() => void) | undefined;

  const dueSlot = () => Math.floor((clock.nowMs() - startedMs + ROUNDING_MS) / PHASE_MS);

  const remove = (phase: Set<Listener>, listener: Listener) => {
    if (!phase.delete(listener)) return;
    listeners--;
    if (listeners > 0 || cancelTimer === undefined) return;
    cancelTimer();
    cancelTimer = undefined;
  };

  const runSlot = (due: number) => {
    const phase = phases[due % PHASES] as Set<Listener>;
    const tick = Math.floor(due / PHASES);
    for (const listener of phase) {
      try {
        listener.run(tick);
      } catch (error) {
        remove(phase, listener);
        onError(error);
      }
    }
  };

  const skipTo = (due: number) => {
    const ticks = Math.floor((due - slot) / PHASES) - CATCH_UP_TICKS_MAX;
    if (ticks <= 0) return;
    slot += ticks * PHASES;
    onSkip?.(ticks);
  };

  const arm = () => {
    cancelTimer?.();
    cancelTimer = undefined;
    if (listeners === 0 || stopped) return;
    // Phases without listeners need no timer; within 20 ms follows one that has some.
    let next = slot;
    while (phases[next % PHASES]?.size === 0) next++;
    cancelTimer = clock.after(Math.max(0, startedMs + next * PHASE_MS - clock.nowMs()), wake);
  };

  const wake = () => {
    cancelTimer = undefined;
    const due = dueSlot();
    skipTo(due);
    for (; slot <= due; slot++) runSlot(slot);
    arm();
  };

  return {
    add: (run) => {
      const listener = { run };
      const phase = phases.reduce((least, one) => (one.size < least.size ? one : least));
      phase.add(listener);
      listeners++;
      if (listeners === 1) slot = Math.max(slot, dueSlot() + 1);
      // A phase that was empty may be due before the one that the timer waits for.
      if (phase.size === 1) arm();
      return () => remove(phase, listener);
    },
    get tick() {
      return Math.floor(Math.max(slot, listeners === 0 ? dueSlot() + 1 : 0) / PHASES);
    },
    stop: () => {
      stopped = true;
      cancelTimer?.();
      cancelTimer = undefined;
    },
  };
}
