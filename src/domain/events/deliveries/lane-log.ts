import { after, type Timer } from '../../../lib/time/time.ts';
import { type Lane, laneLost } from '../../../queue/lanes/lane.ts';
import type { LaneProgress, MadeAttempt, Recorded } from './lane-queries.ts';
import { DELIVERED, type Outcome } from './rules.ts';

/** Attempts are recorded after this time, however slow the next one is. */
const GATHER_MS = 10;
/** This many attempts are recorded without waiting for more. */
const GATHER_MAX = 4;

/**
 * Records the attempts of one lane while the next ones are made. The next delivery is sent as soon as the previous one
 * is delivered, and successes within some milliseconds are recorded together. So a quick receiver does not wait for the
 * database. After a crash it receives again at most the deliveries of each lane that were read ahead.
 */
export type LaneLog = {
  /** Queues a successful attempt, to be recorded. */
  add(attempt: MadeAttempt): void;
  /** Returns the last record written, if any. Throws LeaseLostError if another worker has the lane. */
  latest(): Recorded | undefined;
  /** Waits until all queued attempts are recorded. Throws LeaseLostError if another worker has the lane. */
  settle(): Promise<Recorded | undefined>;
  /**
   * Records a failed attempt after all before it, and waits for that. Throws LeaseLostError if another worker has the
   * lane.
   */
  fail(attempt: MadeAttempt, outcome: Outcome): Promise<Recorded>;
};

export function createLaneLog(lane: Lane, record: (progress: LaneProgress) => Promise<Recorded | undefined>): LaneLog {
  let queued: MadeAttempt[] = [];
  let timer: Timer | undefined;
  let writing: Promise<void> | undefined;
  let written: Recorded | undefined;
  let failure: { error: unknown } | undefined;

  const recordOne = async (attempts: MadeAttempt[], outcome: Outcome): Promise<Recorded> => {
    const recorded = await record({ lane, outcome, attempts });
    if (recorded === undefined) throw laneLost(lane);
    written = recorded;
    return recorded;
  };

  const writeAll = async () => {
    while (queued.length > 0) {
      const attempts = queued;
      queued = [];
      await recordOne(attempts, DELIVERED);
    }
  };

  const write = () => {
    timer?.cancel();
    timer = undefined;
    writing ??= writeAll()
      .catch((error: unknown) => {
        failure = { error };
      })
      .finally(() => {
        writing = undefined;
      });
  };

  const latest = () => {
    if (failure !== undefined) throw failure.error;
    return written;
  };

  const settle = async () => {
    // An attempt that is added while the last write ends is not in that write, so the loop repeats.
    do {
      write();
      await writing;
    } while (queued.length > 0 && failure === undefined);
    return latest();
  };

  return {
    add: (attempt) => {
      queued.push(attempt);
      if (queued.length >= GATHER_MAX) write();
      else timer ??= after(GATHER_MS, write);
    },
    latest,
    settle,
    fail: async (attempt, outcome) => {
      await settle();
      return recordOne([attempt], outcome);
    },
  };
}
