import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { monotonicMs } from '../../lib/time/time.ts';
import { createHeartbeat, joinHeartbeats } from '../worker/heartbeat.ts';
import { LeaseLostError } from '../worker/lease.ts';
import type { WorkInSlot } from '../worker/lingering.ts';
import type { ClaimReleaser } from '../worker/release-claims.ts';
import { leaseMsOf, type WorkerSettings } from '../worker/settings.ts';
import { type Job, type JobHandler, type Queue, URGENT_QUEUES } from './job.ts';
import { type ClaimedJob, isEnded } from './job-claims.ts';
import { createJobEnds } from './job-ends.ts';
import { renewJobs } from './worker-claims.ts';

/** How a handler call ended: `lost` means that another worker has the work. */
export type CallResult = 'done' | 'failed' | 'lost';

/**
 * Called after every handler call, or after each job that ends separately, with its kind, result, number of jobs (or
 * lanes) and duration.
 */
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

/** Carries out claimed jobs and ends their claims. */
export function createJobRunner(options: RunnerOptions) {
  const { db, log, handlers, settings, observe } = options;
  const byKind = new Map(handlers.map((handler) => [handler.kind, handler]));
  if (byKind.size < handlers.length) throw new Error('two job handlers have the same kind');
  const heartbeatOf = (isUrgent: boolean) => {
    const leaseMs = leaseMsOf(settings, isUrgent);
    const renew = (jobs: ClaimedJob[]) => renewJobs(db.reserved, jobs, leaseMs);
    return createHeartbeat<ClaimedJob>({ leaseMs, heldMaxMs: settings.heldMaxMs, log, renew });
  };
  const [ordinary, urgent] = [heartbeatOf(false), heartbeatOf(true)];
  const claims = joinHeartbeats([ordinary, urgent], ({ queue }) => (URGENT_QUEUES.has(queue) ? urgent : ordinary));
  const ends = createJobEnds(options);

  /** Waits for the work on jobs and ends their claims. Never throws: jobs with failed work are retried later. */
  const end = async (handler: JobHandler, jobs: ClaimedJob[], work: Promise<void>): Promise<void> => {
    const startedAt = monotonicMs();
    let result: CallResult = 'done';
    try {
      await work;
      const left = jobs.filter((job) => !isEnded(job));
      if (left.length > 0) await ends.discard(left);
    } catch (error) {
      result = error instanceof LeaseLostError ? 'lost' : 'failed';
      // Retries all jobs. A job whose completion rolled back is still claimed. A completed job has no row, so nothing
      // happens to it.
      await ends.fail({ handler, jobs, error });
    }
    for (const job of jobs) claims.delete(job);
    observe?.({ kind: handler.kind, result, count: jobs.length, durationMs: monotonicMs() - startedAt });
  };

  /** Carries out jobs of one kind. */
  const call = (handler: JobHandler, jobs: ClaimedJob[]): JobCall => {
    let open = jobs.length;
    const parts = start(handler, jobs);
    const ends = parts.map(async ({ jobs: ended, work }) => {
      await end(handler, ended, work);
      open -= ended.length;
    });
    return {
      worked: Promise.allSettled(parts.map(({ work }) => work)),
      ended: Promise.all(ends),
      open: () => open,
    };
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

/** A call of a handler. `worked` resolves when the handler has ended, which is before the claims of its jobs end. */
type JobCall = WorkInSlot & { readonly worked: Promise<unknown> };

/** Jobs that end together, and the work on them. */
type CallPart = { readonly jobs: ClaimedJob[]; readonly work: Promise<void> };

/** Calls the handler. An error that it throws synchronously becomes a rejection. */
function start(handler: JobHandler, jobs: ClaimedJob[]): CallPart[] {
  try {
    const work = handler.run(jobs);
    if (work instanceof Promise) return [{ jobs, work }];
    return jobs.map((job, index) => ({ jobs: [job], work: work[index] as Promise<void> }));
  } catch (error) {
    return [{ jobs, work: Promise.reject(error) }];
  }
}

/**
 * Removes the jobs of the next handler call from the front of `jobs`: jobs of one kind, at most as many as its handler
 * takes in a call. A job that failed before is passed alone, so that it cannot make others fail again.
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
