import type { Lane } from '../../../jobs/job.ts';
import { LeaseLostError } from '../../../jobs/lease.ts';
import type { LaneProgress, Recorded, Tried } from './lane-queries.ts';

/**
 * Records the attempts of one lane beside their making. A delivery that was taken lets the next one go out at once;
 * what is taken while a record is being written goes into the following one. So a quick receiver does not wait for the
 * database, and after a crash it sees again at most what was read ahead of one lane.
 */
export type LaneLog = {
  /** Queues an attempt to be recorded. */
  add(tried: Tried): void;
  /** The last record written, if any. Throws LeaseLostError if the lane is another's. */
  latest(): Recorded | undefined;
  /** Waits until everything is recorded. Throws LeaseLostError if the lane is another's. */
  settle(): Promise<Recorded | undefined>;
};

export function createLaneLog(lane: Lane, record: (progress: LaneProgress) => Promise<Recorded | undefined>): LaneLog {
  let queued: Tried[] = [];
  let writing: Promise<void> | undefined;
  let written: Recorded | undefined;
  let failure: { error: unknown } | undefined;

  const write = async () => {
    while (queued.length > 0) {
      const tried = queued;
      queued = [];
      const recorded = await record({ lane, tried });
      if (recorded === undefined) throw new LeaseLostError(`lane ${lane.kind} ${lane.laneKey}`);
      written = recorded;
    }
  };

  const latest = () => {
    if (failure !== undefined) throw failure.error;
    return written;
  };

  return {
    add: (tried) => {
      queued.push(tried);
      writing ??= write()
        .catch((error: unknown) => {
          failure = { error };
        })
        .finally(() => {
          writing = undefined;
        });
    },
    latest,
    settle: async () => {
      await writing;
      return latest();
    },
  };
}
