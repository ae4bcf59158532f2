import type { Context } from '../../../context.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs } from '../../../queue/jobs/job-claims.ts';
import { defineSweep, type Sweep } from '../../../queue/worker/sweep.ts';
import { stepCall, stepCallWith } from '../calls/execution/executor.ts';
import { deleteOldNodes, type LostStream, listLostStreams, markMissingNodes } from './node-queries.ts';
import { STREAM_DEADLINE, type StreamDeadline } from './rules.ts';

/** Returns the handler that fails streams whose client has not connected in time. */
export function streamJobs({ db }: Pick<Context, 'db'>): JobHandler[] {
  const handler: JobHandler<StreamDeadline> = {
    kind: STREAM_DEADLINE,
    queue: 'voice',
    run: async ([job]) => {
      if (job === undefined) return;
      const { callId, streamId } = job.payload;
      await db.transaction(async (tx) => {
        const inputs = [{ type: 'stream_unused', streamId }] as const;
        // The job is completed after the call is locked: every writer locks the call first.
        const complete = () => completeJobs(tx, [job as Job]);
        const stepped = await stepCallWith(tx, job, callId, { inputs, onLocked: complete });
        if (stepped === undefined) await complete();
      });
    },
  };
  return [handler as JobHandler];
}

const SWEEP_EVERY_MS = 5_000;
const LOST_PER_ROUND = 100;

/** Returns the sweep that ends streams whose gateway is lost. */
export function streamSweeps({ db }: Pick<Context, 'db'>): Sweep[] {
  const end = ({ ledger_id: ledgerId, call_id, id: streamId, late_ms: lateMs }: LostStream) => {
    const inputs = [{ type: 'stream_over', streamId, reason: 'carrier_error', lateMs }] as const;
    return db.transaction((tx) => stepCall(tx, { ledgerId }, call_id, inputs));
  };
  return [
    defineSweep({
      db,
      name: 'lost-gateways',
      everyMs: SWEEP_EVERY_MS,
      run: async () => {
        const lost = await listLostStreams(db, LOST_PER_ROUND);
        await markMissingNodes(db);
        await deleteOldNodes(db);
        // If one call cannot be stepped, the other streams are still ended.
        const failures: unknown[] = [];
        for (const stream of lost) await end(stream).catch((error: unknown) => failures.push(error));
        if (failures.length > 0) throw new AggregateError(failures, `${failures.length} streams could not be ended`);
        return lost.length === LOST_PER_ROUND;
      },
    }),
  ];
}
