import type { Context } from '../../../context.ts';
import { dropBlobs } from '../../../queue/jobs/drop-blobs.ts';
import type { JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import { emptyRedacted, leavesInMs } from './queries.ts';

export const REDACT_MESSAGE = 'message.redact';
export type RedactMessage = { readonly messageId: string };

/** A text that waits for its time may be canceled, so it is checked at intervals. */
const CHECK_AGAIN_MS = { min: 5_000, max: 3_600_000 } as const;

/** Returns the handler of the jobs that delete the content of redacted texts, once they have left. */
export function createRedactionHandler({ db }: Pick<Context, 'db'>): JobHandler<RedactMessage> {
  return {
    kind: REDACT_MESSAGE,
    queue: 'default',
    run: async ([job]) => {
      if (job === undefined) return;
      await db.transaction(async (tx) => {
        const inMs = await leavesInMs(tx, job, job.payload.messageId);
        if (inMs !== undefined) {
          const delayMs = Math.min(Math.max(inMs, CHECK_AGAIN_MS.min), CHECK_AGAIN_MS.max);
          return rescheduleJob(tx, job, { delayMs });
        }
        await dropBlobs(tx, await emptyRedacted(tx, job, job.payload.messageId));
        return completeJobs(tx, [job]);
      });
    },
  };
}
