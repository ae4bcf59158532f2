/**
 * The jobs that submit queued messages. Messages are read together and concluded as their answers come: those that are
 * answered at about the same moment share a transaction, and none waits for one whose carrier is slow.
 */
import type { Tx } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import { ApiError } from '../../../lib/errors.ts';
import { createKeyedBatcher, type KeyedBatcher } from '../../../lib/keyed-batcher.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJobs } from '../../../queue/jobs/job-claims.ts';
import { listWaitingMessages, SUBMIT_KIND, type WaitingMessage } from './send-queries.ts';
import {
  recordOutcomes,
  type SubmitContext,
  type SubmitOutcome,
  type SubmitPayload,
  submitText,
} from './submit-text.ts';

const BATCH_MAX = 64;
/** Most messages in one process that wait for slow carriers beside the slots of their queue. */
const LINGERING_MAX = 4_096;
/** Transactions of one ledger that conclude messages concurrently. */
const CONCLUSIONS_MAX = 2;

/** Returns the handler of submit jobs, which runs many jobs at a time. */
export function createSubmitHandler(context: SubmitContext): JobHandler<SubmitPayload> {
  const conclusions = createConclusions(context);
  return {
    kind: SUBMIT_KIND,
    queue: 'messaging',
    batchMax: BATCH_MAX,
    lingeringMax: LINGERING_MAX,
    run: (jobs) => {
      const byLedger = Map.groupBy(jobs, (job) => job.ledgerId);
      const read = new Map([...byLedger].map(([ledgerId, own]) => [ledgerId, readMessages(context, ledgerId, own)]));
      return jobs.map(async (job) => {
        const own = await read.get(job.ledgerId);
        // The ledger was deleted while its jobs were claimed.
        if (own === undefined) return;
        const outcome = await submitText(context, own.ledger, job, own.byId.get(job.payload.message_id));
        await conclusions.add(job.ledgerId, { ledger: own.ledger, result: { job, outcome } });
      });
    },
  };
}

type SubmitJob = Job<SubmitPayload>;

type Result = { readonly job: SubmitJob; readonly outcome: SubmitOutcome };
type Conclusion = { readonly ledger: Ledger; readonly result: Result };

/** What a run knows of the messages of one ledger: those that are still waiting, by their ids. */
type Messages = {
  readonly ledger: Ledger;
  readonly byId: ReadonlyMap<string, WaitingMessage>;
};

async function readMessages(
  { db }: SubmitContext,
  ledgerId: number,
  jobs: readonly SubmitJob[],
): Promise<Messages | undefined> {
  const ids = jobs.map((job) => job.payload.message_id);
  const [ledger, waiting] = await Promise.all([findLedger(db, ledgerId), listWaitingMessages(db, ledgerId, ids)]);
  if (ledger === undefined) return undefined;
  return { ledger, byId: new Map(waiting.map((message) => [message.id, message])) };
}

/** Concludes messages of one ledger together. A message that cannot be concluded fails alone. */
function createConclusions({ db }: SubmitContext): KeyedBatcher<number, Conclusion, undefined> {
  return createKeyedBatcher({
    rowsMax: BATCH_MAX,
    concurrencyMax: CONCLUSIONS_MAX,
    run: async (_, conclusions) => {
      const [{ ledger }] = conclusions as [Conclusion];
      const results = conclusions.map(({ result }) => result);
      await db.transaction((tx) => conclude(tx, ledger, results));
      return conclusions.map(() => undefined);
    },
    // Without a database no single message is at fault.
    retriesAlone: (error) => !(error instanceof ApiError && error.code === 'database_unavailable'),
  });
}

/** Writes outcomes, events and usage and completes the jobs, in the caller's transaction. */
async function conclude(tx: Tx, ledger: Ledger, results: readonly Result[]): Promise<void> {
  await recordOutcomes(
    tx,
    ledger,
    results.map(({ job, outcome }) => ({ messageId: job.payload.message_id, outcome })),
  );
  await completeJobs(
    tx,
    results.flatMap(({ job, outcome }) => ('end' in outcome ? [job] : [])),
  );
  await rescheduleJobs(
    tx,
    results.flatMap(({ job, outcome }) => ('again' in outcome ? [{ job, ...outcome.again }] : [])),
  );
}
