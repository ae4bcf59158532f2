import type { Database, Db } from '../../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { JobHandler, Queue } from '../jobs/job.ts';
import { rescheduleJob } from '../jobs/job-claims.ts';

/** The ledger of the installation's own jobs. It has no row in `ledgers`, and its clock is wall time. */
export const SYSTEM_LEDGER = 0;

export type Sweep = {
  readonly handler: JobHandler;
};

/** Creates the jobs of sweeps that do not exist, in one statement; called at every start. */
export async function planSweeps(db: Db, sweeps: readonly Sweep[]): Promise<void> {
  const jobOf = ({ handler: { queue, kind } }: Sweep) => ({ queue, kind, id: kind, payload: null });
  await enqueue(
    db,
    sweeps.map((sweep) => ({ ledgerId: SYSTEM_LEDGER, ...jobOf(sweep) })),
  );
}

type SweepOptions = {
  /** Database that the sweep works on and is stored in. */
  db: Database;
  /** Unique in the installation: the job's kind and its id are made from it. */
  name: string;
  everyMs: number;
  queue?: Queue;
  /** Runs one round, in small batches. Returns true if more rows are left; the next round then follows at once. */
  run(): Promise<boolean>;
};

/**
 * Defines a recurring job: one for all processes of the installation. The next round is due `everyMs` after each round.
 * After a failed round it is due sooner, with the delays of failed jobs.
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
  };
}

type DeletionOptions = Pick<SweepOptions, 'db' | 'name'> & {
  everyMs?: number;
  /** Rows of a round: batches keep locks short. */
  rowsMax?: number;
  /** Deletes at most `rowsMax` rows whose time is over. Returns how many. */
  remove(rowsMax: number): Promise<number>;
};

/** Defines a sweep that deletes rows past their retention, by default every 15 minutes. */
export function defineDeletion({ db, name, everyMs = 15 * 60_000, rowsMax = 1_000, remove }: DeletionOptions): Sweep {
  return defineSweep({ db, name, everyMs, run: async () => (await remove(rowsMax)) >= rowsMax });
}
