/**
 * Ends the claims of handlers on their jobs: completes a job, reschedules it, or holds its claim in a transaction. Each
 * statement checks the token of the claim (`worker-claims.ts`).
 */
import type { Db, Tx } from '../../db/database.ts';
import { inputOf } from '../../db/input.ts';
import { type Statement, statement } from '../../db/statement.ts';
import { LeaseLostError } from '../worker/lease.ts';
import { wake } from '../worker/wake.ts';
import type { Job, Queue } from './job.ts';
import type { CompletingValues } from './job-sql.ts';

/** A claimed job, with the queue that its release wakes. */
export type ClaimedJob = Job & { readonly queue: Queue };

/** The jobs of a statement, each with the token of its claim, as `m`. */
export const CLAIMED_JOBS = inputOf<Job>('claimed_jobs', {
  ledger_id: ['int', (job) => job.ledgerId],
  id: ['joined text', (job) => job.id],
  lease_token: ['joined text', (job) => job.leaseToken],
}).rows('m');
export type JobsValues = { readonly claimed_jobs: readonly Job[] };
/** The condition that a job `j` still has the claim of `m`. */
export const HAS_CLAIM = 'j.ledger_id = m.ledger_id and j.id = m.id and j.lease_token = m.lease_token';

const COMPLETE = statement<JobsValues>(
  'jobs_complete',
  `delete from jobs j using ${CLAIMED_JOBS} where ${HAS_CLAIM} returning 1 as done`,
);

// No claim takes a locked row, so the claims stay until the transaction ends.
const HOLD = statement<JobsValues>(
  'jobs_hold',
  `select 1 as held from jobs j, ${CLAIMED_JOBS} where ${HAS_CLAIM} order by j.ledger_id, j.id for share of j`,
);

/** The delay until a job is due again, and its new payload; without one it keeps its payload. */
type Again = { readonly delayMs: number; readonly payload?: unknown };
type JobAgain = Again & { readonly job: Job };

const AGAIN = inputOf<JobAgain>('jobs_again', {
  ledger_id: ['int', ({ job }) => job.ledgerId],
  id: ['text', ({ job }) => job.id],
  lease_token: ['text', ({ job }) => job.leaseToken],
  delay_ms: ['float8', ({ delayMs }) => delayMs],
  payload: ['text', ({ payload }) => (payload === undefined ? null : JSON.stringify(payload))],
});

const RESCHEDULE = statement<{ readonly jobs_again: readonly JobAgain[] }>(
  'jobs_reschedule',
  `update jobs j set lease_token = null, attempts = 0, payload = coalesce(m.payload::json, j.payload),
     run_at = m.at, due_at = m.at
   from (
     select *, clock_timestamp() + make_interval(secs => delay_ms / 1000) as at
     from ${AGAIN.rows('n')}) m
   where ${HAS_CLAIM} returning 1 as done`,
);

const ended = new WeakSet<Job>();

/**
 * Records that claims have ended; within a transaction, after its commit. After a rollback the handler may end the
 * claims in another transaction.
 */
function endJobs(db: Pick<Db, 'afterCommit'>, jobs: readonly Job[]): void {
  db.afterCommit(() => {
    for (const job of jobs) ended.add(job);
  });
}

/** True once the handler has ended the claim itself, by completing or rescheduling the job. */
export function isEnded(job: Job): boolean {
  return ended.has(job);
}

/**
 * Deletes finished jobs, in the transaction of their effects.
 * @throws LeaseLostError if any of the claims is lost: the transaction must not commit
 */
export async function completeJobs(tx: Tx, jobs: readonly Job[]): Promise<void> {
  if (jobs.length === 0) return;
  const done = await tx.query(COMPLETE, { claimed_jobs: jobs });
  if (done.length < jobs.length) throw new LeaseLostError(`${jobs.length - done.length} of ${jobs.length} jobs`);
  endJobs(tx, jobs);
}

/** The result of a statement with `COMPLETING_CTES`: whether it found `locked`, and whether it completed the job. */
export type Completed = { readonly is_locked: boolean; readonly is_completed: boolean };

/** The columns of `Completed`. */
export const COMPLETED = 'exists (select 1 from locked) as is_locked, exists (select 1 from own_claim) as is_completed';

/**
 * Runs a statement with `COMPLETING_CTES`, which writes effects of a job and completes the job.
 * @returns the statement's row; undefined, and nothing is written, if its `locked` found nothing
 * @throws LeaseLostError if the claim is lost: nothing is written
 */
export async function completeJobWith<Given, Row extends Completed>(
  db: Db,
  job: Job,
  {
    statement: effects,
    values,
  }: { readonly statement: Statement<CompletingValues & Given, Row>; readonly values: Given },
): Promise<Row | undefined> {
  const claim: CompletingValues = { ledger_id: job.ledgerId, job_id: job.id, job_token: job.leaseToken };
  const [row] = await db.query(effects, { ...claim, ...values });
  if (row?.is_locked !== true) return undefined;
  if (!row.is_completed) throw new LeaseLostError(`job ${job.id}`);
  endJobs(db, [job]);
  return row;
}

/**
 * Keeps the claims on jobs until the transaction ends. The transaction writes effects of the jobs; that does not end
 * the claims.
 * @throws LeaseLostError if any of the claims is lost: the transaction must not commit
 */
export async function holdJobs(tx: Tx, jobs: readonly Job[]): Promise<void> {
  if (jobs.length === 0) return;
  const held = await tx.query(HOLD, { claimed_jobs: jobs });
  if (held.length < jobs.length) throw new LeaseLostError(`${jobs.length - held.length} of ${jobs.length} jobs`);
}

/**
 * Deletes finished jobs outside of any transaction. Skips jobs whose claim is lost, because another worker has them.
 */
export async function discardJobs(db: Db, jobs: readonly Job[]): Promise<void> {
  await db.query(COMPLETE, { claimed_jobs: jobs });
}

/**
 * Ends the claim on a job that was carried out, and makes it due again in `delayMs`, with another payload if one is
 * given. Attempts count from 1 again. So if the next run has attempt 1, no claim was lost before it.
 * @throws LeaseLostError if the claim is lost
 */
export async function rescheduleJob(tx: Tx, job: Job, again: Again): Promise<void> {
  await rescheduleJobs(tx, [{ job, ...again }]);
}

/** Reschedules several jobs in one statement. */
export async function rescheduleJobs(tx: Tx, jobs: readonly JobAgain[]): Promise<void> {
  if (jobs.length === 0) return;
  const done = await tx.query(RESCHEDULE, { jobs_again: jobs });
  const lost = jobs.length - done.length;
  if (lost > 0)
    throw new LeaseLostError(jobs.length === 1 ? `job ${jobs[0]?.job.id}` : `${lost} of ${jobs.length} jobs`);
  endJobs(
    tx,
    jobs.map(({ job }) => job),
  );
  for (const [queue, ofQueue] of Map.groupBy(jobs, ({ job }) => (job as Partial<ClaimedJob>).queue)) {
    if (queue !== undefined) wake(tx, 'jobs', queue, Math.min(...ofQueue.map(({ delayMs }) => delayMs)));
  }
}
