import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { createAlarm } from '../../lib/alarm.ts';
import { leaseMsOf, type WorkerSettings } from '../worker/settings.ts';
import { type Queue, URGENT_QUEUES } from './job.ts';
import { type ClaimedJob, claimJobs, releaseJobs } from './job-claims.ts';
import { type JobRunner, takeCall } from './job-runner.ts';

export type QueueLoop = {
  start(): void;
  /** Announces a job that is due in `delayMs`. */
  wake(delayMs: number): void;
  /** Stops claiming and releases jobs that have not started. Running handlers continue. */
  stop(): Promise<void>;
};

type QueueLoopOptions = {
  db: Database;
  log: Logger;
  queue: Queue;
  /** Most handler calls at a time. */
  concurrencyMax: number;
  runner: JobRunner;
  tokens: () => string;
  settings: WorkerSettings;
};

/** A due job that no claim gets is locked by an open transaction; the loop first tries it again after this. */
const LOCKED_RETRY_MS = 5;

/**
 * Claims and runs the jobs of one queue. One claim runs at a time. It takes as many jobs as the free slots can carry,
 * and the next claim follows at once if there may be more. With nothing due, the loop sleeps until the next job is due,
 * a wake-up, or the poll.
 */
export function createQueueLoop(options: QueueLoopOptions): QueueLoop {
  const { db, log, queue, concurrencyMax, runner, tokens, settings } = options;
  const leaseMs = leaseMsOf(settings, URGENT_QUEUES.has(queue));
  const kinds = runner.kinds(queue);
  const batchMax = runner.batchMax(queue);
  let waiting: ClaimedJob[] = [];
  let calls = 0;
  let running = false;
  let mayBeDue = false;
  let claiming: Promise<void> | undefined;
  let lockedRetryMs = LOCKED_RETRY_MS;
  const alarm = createAlarm(() => wake(0));

  const wake = (delayMs: number) => {
    if (!running) return;
    if (delayMs > 0) {
      alarm.set(delayMs);
    } else {
      mayBeDue = true;
      pump();
    }
  };

  const startCalls = () => {
    while (calls < concurrencyMax) {
      const next = takeCall(waiting, runner.handlerOf);
      if (next === undefined) return;
      calls++;
      void runner.call(next.handler, next.jobs).then(() => {
        calls--;
        pump();
      });
    }
  };

  const pump = () => {
    if (!running) return;
    startCalls();
    if (!mayBeDue || claiming !== undefined || calls >= concurrencyMax || waiting.length > 0) return;
    mayBeDue = false;
    claiming = claim()
      .catch((error: unknown) => log.warn({ err: error, queue }, 'claiming jobs failed; the poll tries again'))
      .finally(() => {
        claiming = undefined;
        alarm.set(settings.pollMs);
        pump();
      });
  };

  const claim = async () => {
    const jobsMax = Math.min((concurrencyMax - calls) * batchMax, settings.claimMax);
    const { jobs, nextInMs } = await claimJobs(db, queue, { kinds, leaseMs, leaseToken: tokens(), jobsMax });
    for (const job of jobs) runner.claims.add(job);
    // Groups jobs by kind; each kind keeps the order of the claim.
    waiting = waiting.concat(jobs).sort((a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0));
    if (jobs.length === jobsMax) {
      mayBeDue = true;
      return;
    }
    if (nextInMs === undefined) return;
    if (nextInMs > 0) {
      lockedRetryMs = LOCKED_RETRY_MS;
      alarm.set(Math.ceil(nextInMs));
    } else if (jobs.length > 0) {
      mayBeDue = true;
    } else {
      alarm.set(lockedRetryMs);
      lockedRetryMs = Math.min(lockedRetryMs * 2, settings.pollMs);
    }
  };

  return {
    wake,
    start: () => {
      running = kinds.length > 0 && concurrencyMax > 0;
      wake(0);
    },
    stop: async () => {
      running = false;
      alarm.clear();
      await claiming;
      alarm.clear();
      const unstarted = waiting;
      waiting = [];
      if (unstarted.length > 0) {
        await releaseJobs(db, unstarted, { delayMs: 0, unstarted: true }).catch((error: unknown) =>
          log.warn({ err: error, queue }, 'unstarted jobs not released: their claims end with their lease'),
        );
      }
      for (const job of unstarted) runner.claims.delete(job);
    },
  };
}
