/**
 * Slow work that continues outside the slots of its loop. The slots bound how much work a process does at a time. Work
 * that only waits for another system uses no processor, so it gives its slot to the next work. Jobs that wait for a
 * hung system then delay no other jobs.
 */
import { endsWithin } from '../../lib/concurrency/ends-within.ts';

/** Work that has a slot. */
export type WorkInSlot = {
  /** Resolves when the work has ended. Never rejects. */
  readonly ended: Promise<unknown>;
  /** Returns how many of its jobs have not ended. */
  open(): number;
};

/** Resolves when the work needs its slot no more. */
export type HoldSlot = (work: WorkInSlot) => Promise<void>;

/** Work is slow after this. Work with a carrier that is quick keeps its slot, so that later work shares statements. */
const SLOW_MS = 50;

/**
 * Returns a function that holds slots until the work ends. If the work is slow, it frees them earlier, provided that at
 * most `jobsMax` jobs then run outside the slots.
 */
export function createSlotHolder(jobsMax: number): HoldSlot {
  const lingering = new Set<WorkInSlot>();
  return async (work) => {
    if (await endsWithin(work.ended, SLOW_MS)) return;
    const open = [...lingering].reduce((sum, part) => sum + part.open(), work.open());
    if (open > jobsMax) {
      await work.ended;
      return;
    }
    lingering.add(work);
    void work.ended.then(() => lingering.delete(work));
  };
}
