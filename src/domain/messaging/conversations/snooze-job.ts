import type { Context } from '../../../context.ts';
import type { JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import { announceUpdated } from './announce.ts';
import { lockConversation, updateConversationRow } from './change-queries.ts';

export const END_SNOOZE = 'conversation.end_snooze';
export type EndSnooze = { readonly conversationId: string };

/** Returns the handler of the jobs that end snoozes at their time. Does nothing if the person has ended the snooze. */
export function createSnoozeHandler({ db }: Pick<Context, 'db'>): JobHandler<EndSnooze> {
  return {
    kind: END_SNOOZE,
    queue: 'default',
    run: async ([job]) => {
      if (job === undefined) return;
      await db.transaction(async (tx) => {
        const locked = await lockConversation(tx, job, job.payload.conversationId);
        const until = locked?.conversation.snoozed_until ?? null;
        if (locked === undefined || until === null) return completeJobs(tx, [job]);
        const delayMs = until.getTime() - locked.now.getTime();
        if (delayMs > 0) return rescheduleJob(tx, job, { delayMs });
        const conversation = { ...locked.conversation, snoozed_until: null };
        await updateConversationRow(tx, job, { ...conversation, contact_id: locked.chosen });
        await announceUpdated(tx, job, conversation, ['snoozed_until']);
        return completeJobs(tx, [job]);
      });
    },
  };
}
