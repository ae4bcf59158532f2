/**
 * One schedule for all audio of the process. Every listener runs once in 20 ms. Listeners are spread over ten phases of
 * 2 ms, so that a thousand streams are not written in one burst. Runs have absolute deadlines on a monotonic clock,
 * counted from one start. So a late run is followed at once by the next, and no drift adds up.
 */
import { FRAME_MS } from '../../audio/frames.ts';
import { after, monotonicMs } from '../../lib/time/time.ts';
import type { Ticker } from './types.ts';

/** A clock that never runs backwards, and a timer on it. */
export type MonotonicClock = {
  nowMs(): number;
  /** Runs `wake` after `delayMs` (rounded up). Returns a function that cancels it. */
  after(delayMs: number, wake: () => void): () => void;
};

export const monotonicClock: MonotonicClock = {
  nowMs: monotonicMs,
  after: (delayMs, wake) => {
    const timer = after(Math.ceil(delayMs), wake);
    return () => timer.cancel();
  },
};

export type TickerOptions = {
  clock?: MonotonicClock;
  /** A listener threw, and was removed. */
  onError: (error: unknown) => void;
  /** The event loop stalled, and this many ticks are skipped for every listener. */
  onSkip?: (ticks: number) => void;
};

const PHASES = 10;
const PHASE_MS = FRAME_MS / PHASES;
/**
 * After a stall, at most this many ticks run late. The others are skipped, because they would be a burst of old audio.
 */
const CATCH_UP_TICKS_MAX = 50;

/** A timer that is early by less than this is on time: sums of fractions are not exact. */
const ROUNDING_MS = 1e-6;

type Listener = { readonly run: (tick: number) => void };

/** Creates a ticker. It has a timer only while it has listeners. */
export function createTicker(options: TickerOptions): Ticker {
  return new PhasedTicker(options);
}

class PhasedTicker implements Ticker {
  readonly #phases = Array.from({ length: PHASES }, () => new Set<Listener>());
  readonly #clock: MonotonicClock;
  readonly #onError: (error: unknown) => void;
  readonly #onSkip: ((ticks: number) => void) | undefined;
  readonly #startedMs: number;
  readonly #wake = (): void => this.#runDue();
  /** The next phase to run, counted from the start: phase `slot % PHASES` of tick `slot / PHASES`. */
  #slot = 0;
  #listeners = 0;
  #stopped = false;
  #cancelTimer: (() => void) | undefined;

  constructor({ clock = monotonicClock, onError, onSkip }: TickerOptions) {
    this.#clock = clock;
    this.#onError = onError;
    this.#onSkip = onSkip;
    this.#startedMs = clock.nowMs();
  }

  get tick(): number {
    return Math.floor(Math.max(this.#slot, this.#listeners === 0 ? this.#dueSlot() + 1 : 0) / PHASES);
  }

  add(run: (tick: number) => void): () => void {
    const listener = { run };
    const phase = this.#phases.reduce((least, other) => (other.size < least.size ? other : least));
    phase.add(listener);
    this.#listeners++;
    if (this.#listeners === 1) this.#slot = Math.max(this.#slot, this.#dueSlot() + 1);
    // A phase that was empty may be due before the phase that the timer waits for.
    if (phase.size === 1) this.#arm();
    return () => this.#remove(phase, listener);
  }

  stop(): void {
    this.#stopped = true;
    this.#disarm();
  }

  #dueSlot(): number {
    return Math.floor((this.#clock.nowMs() - this.#startedMs + ROUNDING_MS) / PHASE_MS);
  }

  #remove(phase: Set<Listener>, listener: Listener): void {
    if (!phase.delete(listener)) return;
    this.#listeners--;
    if (this.#listeners === 0) this.#disarm();
  }

  #runDue(): void {
    this.#cancelTimer = undefined;
    const due = this.#dueSlot();
    this.#skipTo(due);
    for (; this.#slot <= due; this.#slot++) this.#runSlot(this.#slot);
    this.#arm();
  }

  #runSlot(due: number): void {
    const phase = this.#phases[due % PHASES] as Set<Listener>;
    const tick = Math.floor(due / PHASES);
    for (const listener of phase) {
      try {
        listener.run(tick);
      } catch (error) {
        this.#remove(phase, listener);
        this.#onError(error);
      }
    }
  }

  #skipTo(due: number): void {
    const ticks = Math.floor((due - this.#slot) / PHASES) - CATCH_UP_TICKS_MAX;
    if (ticks <= 0) return;
    this.#slot += ticks * PHASES;
    this.#onSkip?.(ticks);
  }

  #arm(): void {
    this.#disarm();
    if (this.#listeners === 0 || this.#stopped) return;
    // Phases without listeners need no timer: the next phase with listeners follows within 20 ms.
    let next = this.#slot;
    while (this.#phases[next % PHASES]?.size === 0) next++;
    const delayMs = Math.max(0, this.#startedMs + next * PHASE_MS - this.#clock.nowMs());
    this.#cancelTimer = this.#clock.after(delayMs, this.#wake);
  }

  #disarm(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
