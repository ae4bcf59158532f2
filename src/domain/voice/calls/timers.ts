import type { Context } from '../../../context.ts';
import { allThenThrow } from '../../../lib/all-then-throw.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs } from '../../../queue/jobs/job-claims.ts';
import { LeaseLostError } from '../../../queue/worker/lease.ts';
import type { TimerName } from './call.ts';
import { CALL_TIMER } from './effects.ts';
import { stepCallWith } from './executor.ts';
import { listUndialled } from './lane-queries.ts';

type TimerPayload = { readonly callId: string; readonly name: TimerName; readonly generation: number };

/** Timers that one call of the handler lets ring side by side, each in a transaction of its own. */
const BATCH_MAX = 4;

/** The jobs of calls: their timers. */
export function voiceJobs(context: Pick<Context, 'db'>): JobHandler[] {
  return [createTimerHandler(context)] as JobHandler[];
}

function createTimerHandler({ db }: Pick<Context, 'db'>): JobHandler<TimerPayload> {
  const ring = async (job: Job<TimerPayload>): Promise<void> => {
    const { callId, name, generation } = job.payload;
    await db.transaction(async (tx) => {
      // The job after the call, and before the step, which may set the same timer anew.
      // A dial that goes out after this look has its time once more than it needs, which does no harm.
      const undialled = name === 'ring' ? await listUndialled(tx, job, callId) : [];
      const input = { type: 'timer', name, generation, undialled } as const;
      const end = () => completeJobs(tx, [job]);
      const stepped = await stepCallWith(tx, job, callId, { inputs: [input], onHeld: end });
      if (stepped === undefined) await end();
    });
  };
  return {
    kind: CALL_TIMER,
    queue: 'voice',
    batchMax: BATCH_MAX,
    run: (jobs) =>
      allThenThrow(
        jobs.map((job) =>
          ring(job).catch((error: unknown) => {
            // Set anew or cleared while it was about to ring: that is how it should be, and no matter for the others.
            if (!(error instanceof LeaseLostError)) throw error;
          }),
        ),
      ),
  };
}
