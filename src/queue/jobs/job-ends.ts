import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { createBatcher } from '../../lib/concurrency/batcher.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { LeaseLostError } from '../worker/lease.ts';
import type { ClaimReleaser } from '../worker/release-claims.ts';
import { backoffMs, leaseMsOf, type WorkerSettings } from '../worker/settings.ts';
import { type JobHandler, URGENT_QUEUES } from './job.ts';
import { type ClaimedJob, discardJobs } from './job-claims.ts';
import { releaseJobs } from './worker-claims.ts';

/** Jobs of one handler, and the error that it threw. */
type Failure = { readonly handler: JobHandler; readonly jobs: ClaimedJob[]; readonly error: unknown };

/** Ends the claims on jobs whose handler has returned or thrown. Jobs that end together share a statement. */
export type JobEnds = {
  /** Deletes jobs that are done. Throws if the database does. */
  discard(jobs: ClaimedJob[]): Promise<void>;
  /** Makes jobs due again: after a growing delay, or at once if another worker has one of them. Never throws. */
  fail(failure: Failure): Promise<void>;
};

type EndsOptions = { db: Database; log: Logger; settings: WorkerSettings; releaser: ClaimReleaser };

/** The most handler calls whose jobs one statement deletes or makes due again. */
const CALLS_MAX = 500;
const CONCURRENCY_MAX = 2;

export function createJobEnds({ db, log, settings, releaser }: EndsOptions): JobEnds {
  const discards = createBatcher<ClaimedJob[], undefined>({
    rowsMax: CALLS_MAX,
    concurrencyMax: CONCURRENCY_MAX,
    run: async (calls) => {
      await discardJobs(db, calls.flat());
      return calls.map(() => undefined);
    },
  });

  const logFailure = (jobs: ClaimedJob[], error: unknown): number => {
    const attempt = jobs[0]?.attempt ?? 1;
    const failed = { kind: jobs[0]?.kind, jobs: jobs.map((job) => job.id), attempt };
    // The guard of the connection has logged the reason. Every job that needs the connection fails for this reason.
    if (error instanceof ApiError && error.code === 'carrier_unavailable') {
      log.info(failed, 'the carrier is not available; the job is tried again');
    } else {
      log.error({ err: error, ...failed }, 'job failed');
    }
    return backoffMs(attempt, settings);
  };

  const release = async ({ handler, jobs, error }: Failure): Promise<void> => {
    const isLost = error instanceof LeaseLostError;
    if (isLost) log.info({ kind: handler.kind, reason: error.message }, 'another worker has the job');
    const delayMs = isLost ? 0 : logFailure(jobs, error);
    const leaseMs = leaseMsOf(settings, URGENT_QUEUES.has(handler.queue));
    await releaser.release({ what: handler.kind, leaseMs }, () => releaseJobs(db, jobs, { delayMs }));
  };

  // The separately ended jobs of one handler call often fail with the same error, such as the error of an unreachable
  // database.
  const failures = createBatcher<Failure, undefined>({
    rowsMax: CALLS_MAX,
    concurrencyMax: CONCURRENCY_MAX,
    run: async (failed) => {
      const byError = [...Map.groupBy(failed, ({ error }) => error).values()];
      const joined = byError.map((same) => ({ ...(same[0] as Failure), jobs: same.flatMap(({ jobs }) => jobs) }));
      await Promise.all(joined.map(release));
      return failed.map(() => undefined);
    },
  });

  return { discard: discards.add, fail: failures.add };
}
