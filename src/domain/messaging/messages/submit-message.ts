/**
 * The jobs that submit queued messages: one job for a single message, or one job for messages that a number sent
 * together. A run reads the messages together and concludes each when its answer comes. Answers that come at about the
 * same time share a transaction. No message waits for another message's slow carrier.
 */
import type { Tx } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import { createKeyedBatcher, type KeyedBatcher } from '../../../lib/concurrency/keyed-batcher.ts';
import { allThenThrow } from '../../../lib/errors/all-then-throw.ts';
import { isDatabaseAway } from '../../../lib/errors/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, holdJobs, rescheduleJobs } from '../../../queue/jobs/job-claims.ts';
import {
  listSubmittedAlone,
  listWaitingMessages,
  SUBMIT_BATCH_KIND,
  SUBMIT_KIND,
  type WaitingMessage,
} from './submit-queries.ts';
import {
  again,
  recordOutcomes,
  type SubmitContext,
  type SubmitOutcome,
  type SubmitPayload,
  submitText,
} from './submit-text.ts';

const BATCH_MAX = 64;
/** Maximum messages of one process that wait for slow carriers in addition to the slots of their queue. */
const LINGERING_MAX = 4_096;
/** The limit for batches, which have up to 32 messages each. */
const LINGERING_BATCHES_MAX = 128;
/** Transactions of one ledger that conclude messages concurrently. */
const CONCLUSIONS_MAX = 2;

/** Returns the handler of submit jobs, which runs many jobs at a time. */
export function createSubmitHandler(context: SubmitContext): JobHandler<SubmitPayload> {
  const conclusions = createConclusions(context, conclude);
  return {
    kind: SUBMIT_KIND,
    queue: 'messaging',
    batchMax: BATCH_MAX,
    lingeringMax: LINGERING_MAX,
    run: (jobs) => {
      const byLedger = Map.groupBy(jobs, (job) => job.ledgerId);
      const read = new Map(
        [...byLedger].map(([ledgerId, ledgerJobs]) => [ledgerId, readMessages(context, ledgerId, ledgerJobs)]),
      );
      return jobs.map(async (job) => {
        const messages = await read.get(job.ledgerId);
        // The ledger was deleted while its jobs were claimed.
        if (messages === undefined) return;
        const outcome = await submitText(context, messages.ledger, job, messages.byId.get(job.payload.message_id));
        await conclusions.add(job.ledgerId, { ledger: messages.ledger, result: { job, outcome } });
      });
    },
  };
}

type SubmitJob = Job<SubmitPayload>;

type Result = { readonly job: SubmitJob; readonly outcome: SubmitOutcome };
type Conclusion<Of> = { readonly ledger: Ledger; readonly result: Of };

/** The messages of one ledger that a run still waits for, by their ids. */
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

type Conclude<Of> = (tx: Tx, ledger: Ledger, results: readonly Of[]) => Promise<void>;

/** Concludes messages of one ledger together. A message that cannot be concluded fails alone. */
function createConclusions<Of>(
  { db }: SubmitContext,
  conclude: Conclude<Of>,
): KeyedBatcher<number, Conclusion<Of>, undefined> {
  return createKeyedBatcher({
    rowsMax: BATCH_MAX,
    concurrencyMax: CONCLUSIONS_MAX,
    run: async (_, conclusions) => {
      const [{ ledger }] = conclusions as [Conclusion<Of>];
      const results = conclusions.map(({ result }) => result);
      await db.transaction((tx) => conclude(tx, ledger, results));
      return conclusions.map(() => undefined);
    },
    // Without a database no single message is at fault.
    retriesAlone: (error) => !isDatabaseAway(error),
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

/** Texts of one number that were sent together, in their order. */
type BatchPayload = { readonly message_ids: readonly string[] };
type BatchJob = Job<BatchPayload>;

/** A text of a batch; `together` is how many of the batch this run submits. */
type BatchResult = {
  readonly job: BatchJob;
  readonly together: number;
  readonly messageId: string;
  readonly outcome: SubmitOutcome;
};

/**
 * Returns the handler of the jobs that submit several texts. A text that must be submitted again gets a separate job. A
 * run that follows a lost run skips texts with a separate job, and asks the carrier about the others.
 */
export function createSubmitBatchHandler(context: SubmitContext): JobHandler<BatchPayload> {
  const conclusions = createConclusions(context, concludeBatches);
  return {
    kind: SUBMIT_BATCH_KIND,
    queue: 'messaging',
    lingeringMax: LINGERING_BATCHES_MAX,
    run: (jobs) => jobs.map((job) => submitBatch(context, job, conclusions)),
  };
}

async function submitBatch(
  context: SubmitContext,
  job: BatchJob,
  conclusions: KeyedBatcher<number, Conclusion<BatchResult>, undefined>,
): Promise<void> {
  const { ledgerId, attempt, payload } = job;
  const { message_ids: all } = payload;
  const alone = attempt === 1 ? new Set() : await listSubmittedAlone(context.db, ledgerId, all);
  const ids = all.filter((id) => !alone.has(id));
  const [ledger, waiting] = await Promise.all([
    findLedger(context.db, ledgerId),
    listWaitingMessages(context.db, ledgerId, ids),
  ]);
  // The ledger was deleted while its job was claimed.
  if (ledger === undefined) return;
  const byId = new Map(waiting.map((message) => [message.id, message]));
  const submit = async (messageId: string) => {
    const run = { payload: { message_id: messageId }, attempt };
    const outcome = await submitText(context, ledger, run, byId.get(messageId));
    await conclusions.add(ledgerId, { ledger, result: { job, together: ids.length, messageId, outcome } });
  };
  await allThenThrow(ids.map(submit));
}

/**
 * Writes outcomes, events and usage, and completes a batch if all its texts are concluded together. If they are
 * concluded one after the other, the worker completes the batch. Until then a repeated run finds the concluded texts.
 */
async function concludeBatches(tx: Tx, ledger: Ledger, results: readonly BatchResult[]): Promise<void> {
  await recordOutcomes(tx, ledger, results);
  await enqueue(tx, again(ledger, results));
  const batches = [...Map.groupBy(results, ({ job }) => job)];
  const isWhole = ([, results]: [BatchJob, BatchResult[]]) => results.length === results[0]?.together;
  const jobsOf = (some: [BatchJob, BatchResult[]][]) => some.map(([job]) => job);
  await completeJobs(tx, jobsOf(batches.filter(isWhole)));
  await holdJobs(tx, jobsOf(batches.filter((batch) => !isWhole(batch))));
}
