/**
 * SQL texts on the table `jobs` for statements of other folders, so that only this folder knows its columns. A caller
 * that inserts jobs also calls `wake(db, 'jobs', queue)`.
 */
import type { Queue } from './job.ts';

export const JOB_COLUMNS = '(ledger_id, id, queue, kind, payload, due_at, run_at)';

/** The values to insert: SQL expressions, evaluated for each row of `from`. */
export type JobInsertion = {
  readonly ledgerId: string;
  readonly id: string;
  readonly queue: Queue;
  readonly kind: string;
  /** Of type json. */
  readonly payload: string;
  /** Milliseconds from now, of type float8; absent, the job is due now. */
  readonly inMs?: string;
  /** The statement from `from` on, with its conditions and its order. */
  readonly from: string;
  /**
   * The rule for a job that exists with the same name. `skip` keeps it. `replace` puts the new one in its place and
   * ends its claim, so that the effects of its worker roll back. `restart` does the same, but keeps the job's payload
   * and its attempts; it is for jobs that write their progress into their payload. Absent, the statement fails.
   */
  readonly onConflict?: 'skip' | 'replace' | 'restart';
};

const CONFLICT = {
  skip: 'on conflict (ledger_id, id) do nothing',
  replace: `on conflict (ledger_id, id) do update
       set payload = excluded.payload, due_at = excluded.due_at, run_at = excluded.run_at, lease_token = null, attempts = 0`,
  restart: `on conflict (ledger_id, id) do update
       set due_at = excluded.due_at, run_at = excluded.run_at, lease_token = null`,
};

/** Returns a statement that inserts jobs; a `returning` clause may follow it. */
export function insertJobsSql({ ledgerId, id, queue, kind, payload, inMs, from, onConflict }: JobInsertion): string {
  const delay = inMs === undefined ? '' : ` + make_interval(secs => ${inMs} / 1000)`;
  // The expressions are evaluated from left to right, so due_at is never after run_at.
  return `insert into jobs ${JOB_COLUMNS}
     select ${ledgerId}, ${id}, '${queue}', ${kind}, ${payload}, clock_timestamp()${delay}, clock_timestamp()${delay}
     ${from}
     ${onConflict === undefined ? '' : CONFLICT[onConflict]}`;
}

/**
 * Returns two CTEs that delete named jobs. A job that is being carried out is deleted too: the effects of its worker
 * roll back. Rows are locked in the order of their ids, as in every statement that waits for several jobs.
 * @param ids an expression of type text[]
 */
export function cancelJobsCtes({ ledgerId, ids }: { ledgerId: string; ids: string }): string {
  return `jobs_to_cancel as materialized (
     select id from jobs where ledger_id = ${ledgerId} and id = any(${ids}) order by id for update
   ), cancelled_jobs as (
     delete from jobs where ledger_id = ${ledgerId} and id = any(array(select id from jobs_to_cancel))
   )`;
}

/** Returns a subquery for one job: its `payload`, and `is_waiting`, true while it is neither due nor claimed. */
export function jobSql({ ledgerId, id }: { ledgerId: string; id: string }): string {
  return `(select payload, lease_token is null and run_at > clock_timestamp() as is_waiting
     from jobs where ledger_id = ${ledgerId} and id = ${id})`;
}

/**
 * Returns a subquery for the jobs whose id begins with a prefix and whose payload contains the value in quotes. Its
 * columns are the ones of `jobSql`. The prefix must be long enough to match few jobs.
 */
export function jobsNamingSql({ ledgerId, prefix, value }: Record<'ledgerId' | 'prefix' | 'value', string>): string {
  return `(select payload, lease_token is null and run_at > clock_timestamp() as is_waiting
     from jobs where ledger_id = ${ledgerId} and id >= ${prefix} and id < ${prefix} || '~'
       and strpos(payload::text, '"' || ${value} || '"') > 0)`;
}

/** The values of `COMPLETING_CTES`, which `completeJobWith` passes. */
export type CompletingValues = { readonly ledger_id: number; readonly job_id: string; readonly job_token: string };

/**
 * CTEs that delete a finished job in the statement of its effects; `completeJobWith` runs that statement. `own_claim`
 * is empty if the claim is lost, or if `locked` (a CTE of the statement) has no row. Each effect of the statement has
 * the condition `exists (select 1 from own_claim)`. A claim of another worker has another token, even one that was made
 * while this statement waited for the row.
 */
export const COMPLETING_CTES = `own_claim as materialized (
     select 1 from jobs where ledger_id = :ledger_id::int and id = :job_id::text and lease_token = :job_token::text
       and exists (select 1 from locked) for update
   ), completed_job as (
     delete from jobs where ledger_id = :ledger_id::int and id = :job_id::text and exists (select 1 from own_claim)
   )`;
