import type { Logger } from 'pino';
import type { Database, Db } from '../../db/database.ts';
import { endsWithin } from '../../lib/concurrency/ends-within.ts';
import { isDatabaseAway } from '../../lib/errors/errors.ts';
import { createAlarm } from '../../lib/time/alarm.ts';
import { defineDeletion, type Sweep } from '../../queue/worker/sweep.ts';
import { type AttemptCounts, addAttempts, sweepAttempts } from './attempt-queries.ts';

/** Counts the attempts of a worker process, and writes them to the table for all processes. */
export type AttemptCounter = {
  /** Counts an attempt in memory. Ignores an attempt with the result `lost`: another worker repeats it. */
  count(attempt: { readonly kind: string; readonly result: 'done' | 'failed' | 'lost' }): void;
  /** Writes the counts. A failure is logged, not thrown. */
  flush(): Promise<void>;
  /** Writes the counts, for two seconds at most. */
  close(): Promise<void>;
};

const WRITE_AFTER_MS = 5_000;
const CLOSE_WITHIN_MS = 2_000;

/**
 * Counts attempts by kind in memory, and adds them to the table every five seconds. A killed process loses the counts
 * of these seconds. This is acceptable for statistics. While the database is unavailable, the counts stay in memory.
 */
export function createAttemptCounter({ db, log }: { readonly db: Db; readonly log: Logger }): AttemptCounter {
  let held = new Map<string, AttemptCounts>();
  let writing: Promise<void> | undefined;

  const add = ({ kind, attempts, failed_attempts }: AttemptCounts) => {
    const before = held.get(kind) ?? { attempts: 0, failed_attempts: 0 };
    held.set(kind, {
      kind,
      attempts: before.attempts + attempts,
      failed_attempts: before.failed_attempts + failed_attempts,
    });
  };

  const write = async () => {
    if (held.size === 0) return;
    const taken = [...held.values()];
    held = new Map();
    try {
      await addAttempts(db, taken);
    } catch (error) {
      if (!isDatabaseAway(error)) {
        log.error({ err: error, kinds: taken.length }, 'attempts are missing from the error rates of jobs');
        return;
      }
      for (const counts of taken) add(counts);
      alarm.set(WRITE_AFTER_MS);
    }
  };

  const flush = async () => {
    await writing;
    writing = write();
    await writing;
  };
  const alarm = createAlarm(() => void flush());

  return {
    count: ({ kind, result }) => {
      if (result === 'lost') return;
      add({ kind, attempts: 1, failed_attempts: result === 'failed' ? 1 : 0 });
      alarm.set(WRITE_AFTER_MS);
    },
    flush,
    close: async () => {
      const isWritten = await endsWithin(flush(), CLOSE_WITHIN_MS);
      alarm.close();
      if (!isWritten || held.size > 0) log.warn({ kinds: held.size }, 'stopped before the attempts were counted');
    },
  };
}

/** Returns the sweep that deletes counts older than a day. */
export function attemptSweep({ db }: { readonly db: Database }): Sweep {
  return defineDeletion({ db, name: 'attempt_counts', remove: (rowsMax) => sweepAttempts(db, rowsMax) });
}
