/**
 * The jobs that run the decisions of a queue. A transaction that may make a match of a caller and an agent possible
 * plans such a job. Each job has a unique name, so transactions do not wait for each other because of a job.
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
