import type { Db, Tx } from '../../db/database.ts';
import { inputOf } from '../../db/input.ts';
import { statement } from '../../db/statement.ts';
import { newId } from '../../lib/ids.ts';
import { wake } from '../worker/wake.ts';
import type { NewJob } from './job.ts';
import { JOB_COLUMNS } from './job-sql.ts';

// Sorted, so that two statements with the same names wait for each other and do not deadlock.
const JOBS = inputOf<NewJob>('new_jobs', {
  ledger_id: ['int', (job) => job.ledgerId],
  id: ['text', (job) => job.id ?? newId('job')],
  queue: ['text', (job) => job.queue],
  kind: ['text', (job) => job.kind],
  payload: ['text', (job) => JSON.stringify(job.payload) ?? 'null'],
  delay_ms: ['float8', (job) => job.delayMs ?? 0],
  due_at: ['timestamptz', (job) => job.dueAt ?? null],
});

const INSERT = statement<{ readonly new_jobs: readonly NewJob[] }, { readonly queue: string; readonly in_ms: number }>(
  'jobs_insert',
  `insert into jobs ${JOB_COLUMNS}
   select n.ledger_id, n.id, n.queue, n.kind, n.payload::json, t.at, t.at
   from ${JOBS.rows('n')}
   cross join lateral (
     select case when n.due_at is null then clock_timestamp() + make_interval(secs => n.delay_ms / 1000)
       else n.due_at - coalesce((select l.clock_offset from ledgers l where l.id = n.ledger_id), '0') end as at offset 0) t
   order by n.ledger_id, n.id
   on conflict (ledger_id, id) do nothing
   returning queue, extract(epoch from run_at - clock_timestamp())::float8 * 1000 as in_ms`,
);

const CANCEL = statement(
  'jobs_delete_named',
  'delete from jobs where ledger_id = $1 and id = any($2::text[]) returning id',
);

/**
 * Stores jobs in one statement and wakes their queues. A named job that exists stays unchanged, even while it is being
 * carried out.
 * @returns the number of new jobs
 */
export async function enqueue(db: Db, jobs: readonly NewJob[]): Promise<number> {
  if (jobs.length === 0) return 0;
  const inserted = await db.query(INSERT, { new_jobs: jobs });
  const soonest = new Map<string, number>();
  for (const { queue, in_ms } of inserted) {
    soonest.set(queue, Math.min(soonest.get(queue) ?? Number.POSITIVE_INFINITY, Math.max(Math.ceil(in_ms), 0)));
  }
  for (const [queue, delayMs] of soonest) wake(db, 'jobs', queue, delayMs);
  return inserted.length;
}

const CANCEL_IDLE = statement(
  'jobs_delete_named_idle',
  'delete from jobs where ledger_id = $1 and id = any($2::text[]) and lease_token is null returning id',
);

/**
 * Deletes named jobs, except jobs that a worker has claimed.
 * @returns the names of the deleted jobs
 */
export async function cancelIdleJobs(tx: Tx, ledgerId: number, ids: readonly string[]): Promise<string[]> {
  const deleted = await tx.query<{ id: string }>(CANCEL_IDLE, [ledgerId, ids]);
  return deleted.map((row) => row.id);
}

/**
 * Deletes named jobs. A job that is being carried out is deleted too: the effects of its worker roll back.
 * @returns the names of the jobs that existed
 */
export async function cancelJobs(tx: Tx, ledgerId: number, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const deleted = await tx.query<{ id: string }>(CANCEL, [ledgerId, ids]);
  return deleted.map((row) => row.id);
}
