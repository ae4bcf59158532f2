import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { createBatcher } from '../../lib/batcher.ts';
import { createHeartbeat, joinHeartbeats } from '../worker/heartbeat.ts';
import { LeaseLostError } from '../worker/lease.ts';
import type { ClaimReleaser } from '../worker/release-claims.ts';
import { backoffMs, leaseMsOf, type WorkerSettings } from '../worker/settings.ts';
import { type Job, type JobHandler, type Queue, URGENT_QUEUES } from './job.ts';
import { type ClaimedJob, discardJobs, isEnded, releaseJobs, renewJobs } from './job-claims.ts';

/** How a handler call ended: `lost` means that another worker has the work. */
export type CallResult = 'done' | 'failed' | 'lost';

/** Called after every handler call with its kind, result, number of jobs (or lanes) and duration. */
export type CallObserver = (call: { kind: string; result: CallResult; count: number; durationMs: number }) => void;

export type JobRunner = ReturnType<typeof createJobRunner>;

type RunnerOptions = {
  db: Database;
  log: Logger;
  handlers: readonly JobHandler[];
  settings: WorkerSettings;
  releaser: ClaimReleaser;
  observe?: CallObserver | undefined;
};

/** Most jobs that one statement deletes after their handlers returned. */
const DISCARD_MAX = 500;

/** Carries out claimed jobs and ends their claims. */
export function createJobRunner({ db, log, handlers, settings, releaser, observe }: RunnerOptions) {
  const byKind = new Map(handlers.map((handler) => [handler.kind, handler]));
  if (byKind.size < handlers.length) throw new Error('two job handlers have the same kind');
  const heartbeatOf = (isUrgent: boolean) => {
    const leaseMs = leaseMsOf(settings, isUrgent);
    const renew = (jobs: ClaimedJob[]) => renewJobs(db.reserved, jobs, leaseMs);
    return createHeartbeat<ClaimedJob>({ leaseMs, heldMaxMs: settings.heldMaxMs, log, renew });
  };
  const [ordinary, urgent] = [heartbeatOf(false), heartbeatOf(true)];
  const claims = joinHeartbeats([ordinary, urgent], ({ queue }) => (URGENT_QUEUES.has(queue) ? urgent : ordinary));
  const discards = createBatcher<ClaimedJob[], undefined>({
    rowsMax: DISCARD_MAX,
    concurrencyMax: 2,
    run: async (calls) => {
      await discardJobs(db, calls.flat());
      return calls.map(() => undefined);
    },
  });

  // All jobs of the call: one whose completion rolled back is still claimed, and one that is completed has no row.
  const retryLater = (jobs: ClaimedJob[], error: unknown): number => {
    const attempt = jobs[0]?.attempt ?? 1;
    log.error({ err: error, kind: jobs[0]?.kind, jobs: jobs.map((job) => job.id), attempt }, 'job failed');
    return backoffMs(attempt, settings);
  };

  /** Carries out jobs of one kind. Never throws: a failure is logged and its jobs are retried later. */
  const call = async (handler: JobHandler, jobs: ClaimedJob[]): Promise<CallResult> => {
    const startedAt = performance.now();
    let result: CallResult = 'done';
    try {
      await handler.run(jobs as readonly Job[]);
      const left = jobs.filter((job) => !isEnded(job));
      if (left.length > 0) await discards.add(left);
    } catch (error) {
      result = error instanceof LeaseLostError ? 'lost' : 'failed';
      if (result === 'lost')
        log.info({ kind: handler.kind, reason: (error as Error).message }, 'another worker has the job');
      // The other jobs of the call are still claimed; they are due again at once.
      const delayMs = result === 'lost' ? 0 : retryLater(jobs, error);
      const leaseMs = leaseMsOf(settings, URGENT_QUEUES.has(handler.queue));
      await releaser.release({ what: handler.kind, leaseMs }, () => releaseJobs(db, jobs, { delayMs }));
    }
    for (const job of jobs) claims.delete(job);
    observe?.({ kind: handler.kind, result, count: jobs.length, durationMs: performance.now() - startedAt });
    return result;
  };

  return {
    call,
    claims,
    handlerOf: (job: Job): JobHandler => byKind.get(job.kind) as JobHandler,
    kinds: (queue?: Queue): string[] =>
      handlers.filter((handler) => queue === undefined || handler.queue === queue).map((handler) => handler.kind),
    batchMax: (queue: Queue): number =>
      Math.max(1, ...handlers.filter((handler) => handler.queue === queue).map((handler) => handler.batchMax ?? 1)),
  };
}

/**
 * Removes the jobs of the next handler call from the front of `jobs`: jobs of one kind, as many as its handler takes at
 * once. A job that failed before goes alone, so that it cannot fail others again.
 */
export function takeCall(
  jobs: ClaimedJob[],
  handlerOf: (job: Job) => JobHandler,
): { handler: JobHandler; jobs: ClaimedJob[] } | undefined {
  const [first] = jobs;
  if (first === undefined) return undefined;
  const handler = handlerOf(first);
  const countMax = first.attempt > 1 ? 1 : (handler.batchMax ?? 1);
  let count = 1;
  while (count < countMax && jobs[count]?.kind === first.kind && jobs[count]?.attempt === 1) count++;
  return { handler, jobs: jobs.splice(0, count) };
}
