import type { Context } from '../../../context.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs } from '../../../queue/jobs/job-claims.ts';
import { defineSweep, type Sweep } from '../../../queue/worker/sweep.ts';
import { stepCall, stepCallWith } from '../calls/executor.ts';
import { STREAM_DEADLINE, type StreamDeadline } from './job-names.ts';
import { type LostStream, listLostStreams, missNodes, sweepNodes } from './node-queries.ts';

/** Fails streams to which nobody has connected in time. */
export function streamJobs({ db }: Pick<Context, 'db'>): JobHandler[] {
  const handler: JobHandler<StreamDeadline> = {
    kind: STREAM_DEADLINE,
    queue: 'voice',
    run: async ([job]) => {
      if (job === undefined) return;
      const { callId, streamId } = job.payload;
      await db.transaction(async (tx) => {
        const inputs = [{ type: 'stream_unused', streamId }] as const;
        // The job after the call, which is locked first everywhere.
        const end = () => completeJobs(tx, [job as Job]);
        const stepped = await stepCallWith(tx, job, callId, { inputs, onHeld: end });
        if (stepped === undefined) await end();
      });
    },
  };
  return [handler as JobHandler];
}

const LOOK_EVERY_MS = 5_000;
const LOST_PER_ROUND = 100;

/** Ends streams whose gateway is gone. */
export function streamSweeps({ db }: Pick<Context, 'db'>): Sweep[] {
  const end = ({ ledger_id: ledgerId, call_id, id: streamId, late_ms: lateMs }: LostStream) => {
    const inputs = [{ type: 'stream_over', streamId, reason: 'carrier_error', lateMs }] as const;
    return db.transaction((tx) => stepCall(tx, { ledgerId }, call_id, inputs));
  };
  return [
    defineSweep({
      db,
      name: 'lost-gateways',
      everyMs: LOOK_EVERY_MS,
      run: async () => {
        const lost = await listLostStreams(db, LOST_PER_ROUND);
        await missNodes(db);
        await sweepNodes(db);
        // A call that cannot be stepped keeps no other stream from its end.
        const failures: unknown[] = [];
        for (const stream of lost) await end(stream).catch((error: unknown) => failures.push(error));
        if (failures.length > 0) throw new AggregateError(failures, `${failures.length} streams could not be ended`);
        return lost.length === LOST_PER_ROUND;
      },
    }),
  ];
}
