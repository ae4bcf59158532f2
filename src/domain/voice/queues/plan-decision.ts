/**
 * The jobs that let a queue decide who rings for whom. Whatever can make a caller and an agent a match plans one in its
 * transaction. The jobs have names of their own, so no two transactions wait for each other over one.
 */
import type { Db } from '../../../db/database.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import type { InLedger } from '../calls/queries.ts';

export const DECIDE_QUEUE = 'decide-queue';

export type DecideQueue = { readonly queueId: string };

/** Plans a decision of each of the queues. */
export async function planDecisions(db: Db, { ledgerId }: InLedger, queueIds: readonly string[]): Promise<void> {
  await enqueue(
    db,
    queueIds.map((queueId) => {
      const payload: DecideQueue = { queueId };
      return { ledgerId, queue: 'voice', kind: DECIDE_QUEUE, payload };
    }),
  );
}
