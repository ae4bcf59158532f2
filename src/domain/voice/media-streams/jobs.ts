import type { Context } from '../../../context.ts';
import type { Job, JobHandler } from '../../../jobs/job.ts';
import { completeJobs } from '../../../jobs/job-claims.ts';
import { defineSweep, type Sweep } from '../../../jobs/sweep.ts';
import { stepCall, stepCallWith } from '../calls/executor.ts';
import { STREAM_DEADLINE, type StreamDeadline } from './job-names.ts';
import { listLostStreams, sweepNodes } from './node-queries.ts';

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
  return [
    defineSweep({
      db,
      name: 'lost-gateways',
      everyMs: LOOK_EVERY_MS,
      run: async () => {
        const lost = await listLostStreams(db, LOST_PER_ROUND);
        for (const { ledger_id: ledgerId, call_id, id: streamId, connected_ms } of lost) {
          const ending = {
            reason: 'carrier_error',
            ...(connected_ms !== null && { connectedMs: connected_ms }),
          } as const;
          const inputs = [{ type: 'stream_over', streamId, ...ending }] as const;
          await db.transaction((tx) => stepCall(tx, { ledgerId }, call_id, inputs));
        }
        await sweepNodes(db);
        return lost.length === LOST_PER_ROUND;
      },
    }),
  ];
}
