/** Carries out scheduled actions of simulated calls when they fall due. */
import type { Database } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import { allThenThrow } from '../../../lib/all-then-throw.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { LeaseLostError } from '../../../queue/worker/lease.ts';
import type { CallExecutor } from './executor.ts';
import { ACTION_KIND, type ActionPayload } from './queries.ts';

/** Actions that one call of the handler carries out. */
const BATCH_MAX = 4;

type ActionWorkerOptions = {
  readonly db: Database;
  readonly executor: CallExecutor;
  /** How long a text takes to speak, in milliseconds. */
  readonly speechMs: (text: string) => Promise<number>;
};

type ActionJob = Job<ActionPayload>;

export function createActionWorker({ db, executor, speechMs }: ActionWorkerOptions): JobHandler<ActionPayload> {
  const carryOut = async (job: ActionJob): Promise<void> => {
    const { id: ref, ledgerId, payload } = job;
    const { callRef, action } = payload;
    const ledger = await findLedger(db, ledgerId);
    if (ledger === undefined) return;
    const text = 'text' in action ? action.text : null;
    // Outside the transaction: speaking may start a program.
    const spokenMs = text === null ? 0 : await speechMs(text);
    const input = { type: 'action', action, ref, spokenMs } as const;
    await db.transaction((tx) => executor.execute(tx, { ledger, callRef, input, job }));
  };
  const carryOutInTurn = async (jobs: readonly ActionJob[]): Promise<void> => {
    for (const job of jobs) {
      await carryOut(job).catch((error: unknown) => {
        // Cancelled or planned again while this worker had it: its effects are rolled back, and the next action runs.
        if (!(error instanceof LeaseLostError)) throw error;
      });
    }
  };
  return {
    kind: ACTION_KIND,
    queue: 'voice',
    batchMax: BATCH_MAX,
    // Calls run concurrently, the actions of one call in their order.
    run: (jobs) => allThenThrow([...Map.groupBy(jobs, ({ payload }) => payload.callRef).values()].map(carryOutInTurn)),
  };
}
