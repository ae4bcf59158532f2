/**
 * Runs of failures. The first failure begins one, a success ends it, and one that lasts for too long ends the endpoint:
 * at a further attempt, or by a timer, for the attempts of an endpoint to which nothing new happens are over before that.
 */
import type { Context } from '../../../context.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import { disableIn } from './disable-endpoint.ts';
import { lockFailing, markFailing } from './queries.ts';

const FAILING_JOB = 'webhook_endpoint.failing';

type FailingPayload = { readonly endpointId: string };

type Failed = {
  readonly ledgerId: number;
  readonly endpointId: string;
  /** The revision that failed: an endpoint that was changed since is left alone. */
  readonly revision: number;
};

/** Notes that an endpoint fails, and plans to look at it when that has lasted for too long. */
export async function beginFailing({ db }: Pick<Context, 'db'>, failed: Failed): Promise<void> {
  const { ledgerId, endpointId, revision } = failed;
  await db.transaction(async (tx) => {
    const dueAt = await markFailing(tx, ledgerId, endpointId, revision);
    if (dueAt === undefined) return;
    const payload: FailingPayload = { endpointId };
    // The timer of a run that has ended stays, finds this one, and waits for its end.
    const id = `${FAILING_JOB}:${endpointId}`;
    await enqueue(tx, [{ ledgerId, queue: 'default', kind: FAILING_JOB, id, payload, dueAt }]);
  });
}

/** The timer: switches off an endpoint that has failed ever since. */
export function failingEndpointJob({ db }: Pick<Context, 'db'>): JobHandler<FailingPayload> {
  return {
    kind: FAILING_JOB,
    queue: 'default',
    run: async ([first]) => {
      const job = first as Job<FailingPayload>;
      const { ledgerId, payload } = job;
      await db.transaction(async (tx) => {
        // The endpoint first, as whoever begins a run does: no run is left without a timer.
        const endpoint = await lockFailing(tx, ledgerId, payload.endpointId);
        if (endpoint !== undefined && endpoint.left_ms > 0) {
          return rescheduleJob(tx, job, { delayMs: endpoint.left_ms });
        }
        if (endpoint !== undefined) {
          const { revision } = endpoint;
          await disableIn(tx, { ledgerId, endpointId: payload.endpointId, reason: 'failing', revision });
        }
        return completeJobs(tx, [job]);
      });
    },
  };
}
