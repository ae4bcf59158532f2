import type { Database, Db } from '../../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { JobHandler, Queue } from '../jobs/job.ts';
import { rescheduleJob } from '../jobs/job-claims.ts';

/** The ledger of the installation's own jobs; it has no row in `ledgers` and its clock is the wall. */
export const SYSTEM_LEDGER = 0;

export type Sweep = {
  readonly handler: JobHandler;
  /** Makes sure that the sweep's job exists; call it at every start. */
  plan(db: Db): Promise<void>;
};

type SweepOptions = {
  /** Database that the sweep works on and is stored in. */
  db: Database;
  /** Unique in the installation: it is the job's kind and its id. */
  name: string;
  everyMs: number;
  queue?: Queue;
  /** One round, in small batches of its own. Answers true if more is left, and the next round follows at once. */
  run(): Promise<boolean>;
};

/**
 * A recurring job of the installation: one for all processes, which comes back `everyMs` after each round, also after
 * one that failed (then sooner, with the pauses of failed jobs).
 */
export function defineSweep({ db, name, everyMs, queue = 'default', run }: SweepOptions): Sweep {
  const kind = `sweep.${name}`;
  return {
    handler: {
      kind,
      queue,
      run: async ([job]) => {
        if (job === undefined) return;
        const more = await run();
        await db.transaction((tx) => rescheduleJob(tx, job, { delayMs: more ? 0 : everyMs }));
      },
    },
    plan: async (on) => {
      await enqueue(on, [{ ledgerId: SYSTEM_LEDGER, queue, kind, id: kind, payload: null }]);
    },
  };
}
