/**
 * Slow work that goes on beside the slots of its loop. The slots bound how much work a process does at a time. Work
 * that only waits for another system does nothing meanwhile, so it gives its slot to the next: jobs that wait for a
 * hung system then delay no other jobs.
 */
import { endsWithin } from '../../lib/ends-within.ts';

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
 * Returns a function that holds slots: until the work ends, or until it is slow if no more than `jobsMax` jobs then go
 * on beside the slots.
 */
export function createSlotHolder(jobsMax: number): HoldSlot {
  const lingering = new Set<WorkInSlot>();
  return async (work) => {
    if (await endsWithin(work.ended, SLOW_MS)) return;
    const open = [...lingering].reduce((sum, each) => sum + each.open(), work.open());
    if (open > jobsMax) {
      await work.ended;
      return;
    }
    lingering.add(work);
    void work.ended.then(() => lingering.delete(work));
  };
}
