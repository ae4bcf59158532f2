/** The job of a replay. Each run does one step in one transaction, so that the replay continues after a crash. */
import type { Context } from '../../../context.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { cancelJobs, enqueue } from '../../../queue/jobs/enqueue.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import { wake } from '../../../queue/worker/wake.ts';
import { WEBHOOK_LANES } from '../catalog.ts';
import { lockEndpoint } from '../webhook-endpoints/queries.ts';
import { endReplayRow, isCrowded, lockReplay, type ReplayStep, stepReplay } from './queries.ts';
import { nextRetries, retryDeliveries } from './retry-step.ts';
import { waitMs } from './rules.ts';
import type { WebhookReplay } from './schema.ts';

const REPLAY_JOB = 'webhook_endpoint.replay';

type ReplayPayload = {
  readonly endpointId: string;
  readonly replayId: string;
  /** Consecutive runs that could not continue. */
  readonly waits: number;
};

const jobIdOf = (endpointId: string) => `${REPLAY_JOB}:${endpointId}`;

/** Plans the first step. Returns false if a replay of the endpoint is running. */
export async function planReplay(db: Db, ledgerId: number, { endpoint_id, id }: WebhookReplay): Promise<boolean> {
  const payload: ReplayPayload = { endpointId: endpoint_id, replayId: id, waits: 0 };
  const job = { ledgerId, queue: 'default', kind: REPLAY_JOB, id: jobIdOf(endpoint_id), payload } as const;
  return (await enqueue(db, [job])) > 0;
}

export async function dropReplayJob(tx: Tx, ledgerId: number, endpointId: string): Promise<void> {
  await cancelJobs(tx, ledgerId, [jobIdOf(endpointId)]);
}

/** Returns the handler of the steps. */
export function replayJob({ db }: Pick<Context, 'db'>): JobHandler<ReplayPayload> {
  return {
    kind: REPLAY_JOB,
    queue: 'default',
    run: async ([first]) => {
      const job = first as Job<ReplayPayload>;
      await db.transaction((tx) => runStep(tx, job));
    },
  };
}

/** Locks the endpoint first, so that no delivery is added to an endpoint that is concurrently deleted or disabled. */
async function runStep(tx: Tx, job: Job<ReplayPayload>): Promise<void> {
  const { ledgerId, payload } = job;
  const { endpointId, replayId, waits } = payload;
  const endpoint = await lockEndpoint(tx, { ledgerId }, endpointId);
  const replay = await lockReplay(tx, { ledgerId }, endpointId, replayId);
  if (replay?.status !== 'running') return completeJobs(tx, [job]);
  if (endpoint?.status !== 'active') return end(tx, job, replay, 'canceled');
  const retry = replay.retries_failed ? await nextRetries(tx, ledgerId, replay) : undefined;
  if (retry?.status !== 'failed' && (await isCrowded(tx, ledgerId, endpointId))) {
    return rescheduleJob(tx, job, { delayMs: waitMs(waits), payload: { ...payload, waits: waits + 1 } });
  }
  if (retry !== undefined) {
    await retryDeliveries(tx, ledgerId, { replay, retry });
    if (retry.isLast) return end(tx, job, replay, 'completed');
    return rescheduleJob(tx, job, { delayMs: 0, payload: { ...payload, waits: 0 } });
  }
  const step = await stepReplay(tx, ledgerId, replay);
  if (step.added > 0) wake(tx, 'lanes', WEBHOOK_LANES);
  if (step.at_end && step.settled) return end(tx, job, replay, 'completed');
  return rescheduleJob(tx, job, { delayMs: delayAfter(step), payload: { ...payload, waits: 0 } });
}

/** At the end of the visible events, the replay waits for the open transactions, which last seconds. */
const delayAfter = ({ at_end }: ReplayStep): number => (at_end ? waitMs(0) : 0);

async function end(
  tx: Tx,
  job: Job<ReplayPayload>,
  replay: WebhookReplay,
  status: 'completed' | 'canceled',
): Promise<void> {
  await endReplayRow(tx, job, replay, status);
  await completeJobs(tx, [job]);
}
