/**
 * Runs of failures. The first failure starts a run and a success ends it. A run that lasts too long disables the
 * endpoint, at the next attempt or by a timer. The timer is needed because an endpoint without new events has used up
 * its attempts before that.
 */
import type { Context } from '../../../context.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import { disableEndpointIn } from './disable-endpoint.ts';
import { lockFailing, markFailing } from './queries.ts';

const FAILING_JOB = 'webhook_endpoint.failing';

type FailingPayload = { readonly endpointId: string };

type Failed = {
  readonly ledgerId: number;
  readonly endpointId: string;
  /** The revision that failed: an endpoint that has changed since is not affected. */
  readonly revision: number;
};

/** Starts a run of failures, and plans the timer that fires when it has lasted too long. */
export async function beginFailing({ db }: Pick<Context, 'db'>, failed: Failed): Promise<void> {
  const { ledgerId, endpointId, revision } = failed;
  await db.transaction(async (tx) => {
    const dueAt = await markFailing(tx, ledgerId, endpointId, revision);
    if (dueAt === undefined) return;
    const payload: FailingPayload = { endpointId };
    // If the timer of an earlier run is still queued, this adds none: that timer is rescheduled for the end of this
    // run.
    const id = `${FAILING_JOB}:${endpointId}`;
    await enqueue(tx, [{ ledgerId, queue: 'default', kind: FAILING_JOB, id, payload, dueAt }]);
  });
}

/** Returns the handler of the timer: disables an endpoint whose run of failures has lasted too long. */
export function failingEndpointJob({ db }: Pick<Context, 'db'>): JobHandler<FailingPayload> {
  return {
    kind: FAILING_JOB,
    queue: 'default',
    run: async ([first]) => {
      const job = first as Job<FailingPayload>;
      const { ledgerId, payload } = job;
      await db.transaction(async (tx) => {
        // Locks the endpoint first, in the order of `beginFailing`, so that no run is left without a timer.
        const endpoint = await lockFailing(tx, ledgerId, payload.endpointId);
        if (endpoint !== undefined && endpoint.left_ms > 0) {
          return rescheduleJob(tx, job, { delayMs: endpoint.left_ms });
        }
        if (endpoint !== undefined) {
          const { revision } = endpoint;
          await disableEndpointIn(tx, { ledgerId, endpointId: payload.endpointId, reason: 'failing', revision });
        }
        return completeJobs(tx, [job]);
      });
    },
  };
}
