/** The timers of calls. They are jobs; a job becomes an input of the call when it is due. */
import type { Context } from '../../../../context.ts';
import { allThenThrow } from '../../../../lib/errors/all-then-throw.ts';
import type { Job, JobHandler } from '../../../../queue/jobs/job.ts';
import { completeJobs } from '../../../../queue/jobs/job-claims.ts';
import { LeaseLostError } from '../../../../queue/worker/lease.ts';
import { readPosition } from '../../queues/entry-queries.ts';
import { listUndispatched } from '../commands/lane-queries.ts';
import { stepCallWith } from '../execution/executor.ts';
import { CALL_TIMER } from '../execution/write-queries.ts';
import type { TimerName } from '../state/call.ts';

type TimerPayload = { readonly callId: string; readonly name: TimerName; readonly generation: number };

/** The most timers that one call of the handler handles concurrently, each in its own transaction. */
const TIMER_BATCH_MAX = 4;

/** Timers of legs that are dialled or answered. */
const DIALLING: ReadonlySet<TimerName> = new Set(['ring', 'answer', 'transfer']);

/** Returns the handler of calls' timers. */
export function createTimerHandler({ db }: Pick<Context, 'db'>): JobHandler {
  const expire = async (job: Job<TimerPayload>): Promise<void> => {
    const { callId, name, generation } = job.payload;
    await db.transaction(async (tx) => {
      // If a command is dispatched after this read, the timer restarts once more, which is harmless.
      const undispatched = DIALLING.has(name) ? await listUndispatched(tx, job, callId) : [];
      const position = name === 'queue_position' ? await readPosition(tx, job, callId) : null;
      const input = { type: 'timer', name, generation, undispatched, position } as const;
      // The job is completed after the call is locked, and before the step, which may set the same timer again.
      const complete = () => completeJobs(tx, [job]);
      const stepped = await stepCallWith(tx, job, callId, { inputs: [input], onLocked: complete });
      if (stepped === undefined) await complete();
    });
  };
  const handler: JobHandler<TimerPayload> = {
    kind: CALL_TIMER,
    queue: 'voice',
    batchMax: TIMER_BATCH_MAX,
    run: (jobs) =>
      allThenThrow(
        jobs.map((job) =>
          expire(job).catch((error: unknown) => {
            // Since the claim, a step has set the timer again or cleared it. The other timers of the batch are still
            // handled.
            if (!(error instanceof LeaseLostError)) throw error;
          }),
        ),
      ),
  };
  return handler as JobHandler;
}
