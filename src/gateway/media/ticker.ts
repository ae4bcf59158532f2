/**
 * One schedule for all audio of the process. Every session has its turn once in 20 ms; the turns are spread over ten
 * phases of 2 ms, so that a thousand streams are not written in one burst. Turns have absolute deadlines on a monotonic
 * clock, counted from one beginning: what is late is made up for at once, and nothing drifts.
 */
import { FRAME_MS } from '../../audio/frames.ts';
import type { Ticker } from './types.ts';

/** A clock that never goes back, and one timer on it. */
export type MonotonicClock = {
  nowMs(): number;
  /** Runs `wake` so many ms from now (a fraction is rounded up); gives what calls it off. */
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
  /** A session that threw is taken out; here is what it threw. */
  onError: (error: unknown) => void;
  /** The process stood still for so long that these turns of everybody are left out. */
  onSkip?: (ticks: number) => void;
};

const PHASES = 10;
const PHASE_MS = FRAME_MS / PHASES;
/** What is made up for after standing still. More is skipped: it would be a burst that nobody can hear any more. */
const CATCH_UP_TICKS_MAX = 50;

/** A timer that is this early is on time: sums of fractions are not exact. */
const ROUNDING_MS = 1e-6;

type Session = { readonly run: (tick: number) => void };

/** Runs while it has sessions; without any there is no timer. */
export function createTicker({ clock = monotonicClock, onError, onSkip }: TickerOptions): Ticker {
  const phases = Array.from({ length: PHASES }, () => new Set<Session>());
  const startedMs = clock.nowMs();
  /** The next phase to run, counted from the beginning: phase `slot % PHASES` of tick `slot / PHASES`. */
  let slot = 0;
  let sessions = 0;
  let stopped = false;
  let callOff: (() => void) | undefined;

  const dueSlot = () => Math.floor((clock.nowMs() - startedMs + ROUNDING_MS) / PHASE_MS);

  const remove = (phase: Set<Session>, session: Session) => {
    if (!phase.delete(session)) return;
    sessions--;
    if (sessions > 0 || callOff === undefined) return;
    callOff();
    callOff = undefined;
  };

  const runSlot = (due: number) => {
    const phase = phases[due % PHASES] as Set<Session>;
    const tick = Math.floor(due / PHASES);
    for (const session of phase) {
      try {
        session.run(tick);
      } catch (error) {
        remove(phase, session);
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
    callOff?.();
    callOff = undefined;
    if (sessions === 0 || stopped) return;
    // Phases without sessions need no timer of their own; within 20 ms one comes that has some.
    let next = slot;
    while (phases[next % PHASES]?.size === 0) next++;
    callOff = clock.after(Math.max(0, startedMs + next * PHASE_MS - clock.nowMs()), wake);
  };

  const wake = () => {
    callOff = undefined;
    const due = dueSlot();
    skipTo(due);
    for (; slot <= due; slot++) runSlot(slot);
    arm();
  };

  return {
    add: (run) => {
      const session = { run };
      const phase = phases.reduce((least, one) => (one.size < least.size ? one : least));
      phase.add(session);
      sessions++;
      if (sessions === 1) slot = Math.max(slot, dueSlot() + 1);
      // The turn of a phase that had nobody may come before the one that is waited for.
      if (phase.size === 1) arm();
      return () => remove(phase, session);
    },
    get tick() {
      return Math.floor(Math.max(slot, sessions === 0 ? dueSlot() + 1 : 0) / PHASES);
    },
    stop: () => {
      stopped = true;
      callOff?.();
      callOff = undefined;
    },
  };
}
