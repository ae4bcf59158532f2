/** The two jobs that began last are slow now. They wait for room outside the slots. */
import { endsWithin } from '../../lib/concurrency/ends-within.ts';

/** Work that has a slot. */
export type WorkInSlot = {
  /** Resolves when the work has ended. Never rejects. */
  readonly ended: Promise<unknown>;
  /** Returns how many of its jobs have not ended. */
  open(): number;
};

/** Resolves when the work no longer needs its slot. */
export type HoldSlot = (work: WorkInSlot) => Promise<void>;

/** Work is slow after this time. Requests to a quick carrier keep their slots, so that later jobs share statements. */
const SLOW_MS = 50;

/**
 * Returns a function that holds a slot until its work ends. Slow work frees its slot earlier, as soon as at most
 * `jobsMax` jobs then run outside the slots.
 */
export function createSlotHolder(jobsMax: number): HoldSlot {
  const lingering = new Set<WorkInSlot>();
  /** Slow work in slots, in the order of its start, with the functions that free the slots. */
  const waiting = new Map<WorkInSlot, () => void>();

  const leavesSlot = (work: WorkInSlot): boolean => {
    if ([...lingering].reduce((sum, part) => sum + part.open(), work.open()) > jobsMax) return false;
    lingering.add(work);
    void work.ended.then(() => {
      lingering.delete(work);
      freeSlots();
    });
    return true;
  };

  const freeSlots = (): void => {
    for (const [work, free] of waiting) {
      if (!leavesSlot(work)) return;
      waiting.delete(work);
      free();
    }
  };

  return async (work) => {
    if ((await endsWithin(work.ended, SLOW_MS)) || leavesSlot(work)) return;
    const isFree = new Promise<void>((resolve) => waiting.set(work, resolve));
    await Promise.race([isFree, work.ended]);
    waiting.delete(work);
  };
}
