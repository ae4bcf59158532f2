/**
 * The claims of a worker on jobs: claims due jobs, renews the leases, and releases jobs that no handler has ended. A
 * claim moves `run_at` to the end of the lease, so that a job of a worker that died is due again. It also writes a
 * token; the statement that ends the claim checks it. A claim does not change `due_at`, the column of the index. So a
 * claim writes no index, and the search for due jobs also reads the rows of claimed jobs.
 */
import type { Db } from '../../db/database.ts';
import { PAUSED_SQL } from '../../db/pause.ts';
import { statement } from '../../db/statement.ts';
import { wake } from '../worker/wake.ts';
import type { Job, Queue } from './job.ts';
import { CLAIMED_JOBS, type ClaimedJob, HAS_CLAIM, type JobsValues } from './job-claims.ts';

type ClaimedRow = {
  ledger_id: number;
  id: string;
  queue: Queue;
  kind: string;
  payload: unknown;
  attempts: number;
  was_due: number;
};

const CLAIMED = `set run_at = clock_timestamp() + make_interval(secs => $3::float8 / 1000),
       attempts = attempts + 1, lease_token = $4`;

// The update finds rows by ctid, which is stable because the rows are locked. This plan stays right with any number of
// jobs, whatever the statistics say. The search uses statement_timestamp(), because no index serves clock_timestamp().
// If the claim took all due jobs, a last row says when the next job is due or the next lease ends.
const OF_QUEUE = 'queue = $1 and kind = any($2::text[])';
const MAY_BE_MORE = '(select count(*) from due) < $5::int';

const CLAIM = statement(
  'jobs_claim',
  `with due as materialized (
     select ctid as row_id from jobs
     where ${OF_QUEUE} and due_at <= statement_timestamp() and run_at <= statement_timestamp() and not ${PAUSED_SQL}
     order by due_at limit $5::int for update skip locked
   ), claimed as (
     update jobs ${CLAIMED} where ctid = any(array(select row_id from due))
     returning ledger_id, id, kind, payload, attempts, date_part('epoch', due_at) as was_due
   )
   select *, null::float8 as next_in_ms from claimed
   union all
   select null, null, null, null, null, null, extract(epoch from at - clock_timestamp())::float8 * 1000
   from (
     (select run_at as at from jobs
      where ${OF_QUEUE} and due_at <= statement_timestamp()
        and (run_at > statement_timestamp() or ctid <> all(array(select row_id from due))) and ${MAY_BE_MORE}
      order by run_at limit 1)
     union all
     (select due_at from jobs where ${OF_QUEUE} and due_at > statement_timestamp() and ${MAY_BE_MORE}
      order by due_at limit 1)
     order by at limit 1) next`,
);

const CLAIM_OF_LEDGER = statement(
  'jobs_claim_ledger',
  `with due as materialized (
     select ctid as row_id, run_at from jobs
     where ledger_id = $1 and kind = any($2::text[]) and not ${PAUSED_SQL}
       and run_at <= statement_timestamp() - make_interval(secs => $6::float8 / 1000)
     order by run_at, id limit $5::int for update skip locked)
   update jobs ${CLAIMED} from due where jobs.ctid = due.row_id
   returning ledger_id, id, queue, kind, payload, attempts, date_part('epoch', due.run_at) as was_due`,
);

// Locks rows in the order of their ids, like every statement that waits for several jobs. A job that is released
// without a delay keeps its place.
const RELEASE = statement<JobsValues & { readonly delay_ms: number; readonly uncounted: number }>(
  'jobs_release',
  `with own_claim as materialized (
     select j.ledger_id, j.id, clock_timestamp() + make_interval(secs => :delay_ms::float8 / 1000) as at
     from jobs j, ${CLAIMED_JOBS} where ${HAS_CLAIM} order by 1, 2 for update of j)
   update jobs j set lease_token = null, attempts = greatest(j.attempts - :uncounted::int, 0), run_at = m.at,
     due_at = case when :delay_ms::float8 > 0 then m.at else j.due_at end
   from own_claim m where j.ledger_id = m.ledger_id and j.id = m.id`,
);

// Reads a range of the index by due time: all jobs of a claim were due when it was made.
const RELEASE_TOKEN = statement(
  'jobs_release_token',
  `update jobs set lease_token = null, attempts = greatest(attempts - 1, 0), run_at = clock_timestamp()
   where ctid = any(array(
     select ctid from jobs
     where queue = $1 and due_at <= statement_timestamp() and lease_token = $2 for update skip locked))`,
);

// A locked row is being completed by its own handler. Waiting for it would delay the renewal of the others.
const RENEW = statement<JobsValues & { readonly lease_ms: number }>(
  'jobs_renew',
  `update jobs set run_at = clock_timestamp() + make_interval(secs => :lease_ms::float8 / 1000)
   where ctid = any(array(select j.ctid from jobs j, ${CLAIMED_JOBS} where ${HAS_CLAIM} for update of j skip locked))`,
);

type ClaimOptions = { kinds: readonly string[]; leaseMs: number; leaseToken: string; jobsMax: number };

export type Claim = {
  readonly jobs: ClaimedJob[];
  /**
   * Milliseconds until the queue's next job is due (or a lease ends), below 0 if it is overdue. Undefined if no job
   * waits, or if the claim got the requested number of jobs.
   */
  readonly nextInMs: number | undefined;
};

/** Claims due jobs of a queue, the longest due first. */
export async function claimJobs(db: Db, queue: Queue, options: ClaimOptions): Promise<Claim> {
  const { kinds, leaseMs, leaseToken, jobsMax } = options;
  type Row = Omit<ClaimedRow, 'queue'> & { next_in_ms: number | null };
  const rows = await db.query<Row>(CLAIM, [queue, kinds, leaseMs, leaseToken, jobsMax]);
  const nextInMs = rows.at(-1)?.next_in_ms ?? undefined;
  if (nextInMs !== undefined) rows.pop();
  // The update returns rows in the order of their storage.
  rows.sort((a, b) => a.was_due - b.was_due);
  return { jobs: rows.map((row) => toJob(row, queue, leaseToken)), nextInMs };
}

/** Claims jobs of one ledger, of all queues, that have been due for `dueForMs`, the earliest due first. */
export async function claimLedgerJobs(
  db: Db,
  ledgerId: number,
  { kinds, leaseMs, leaseToken, jobsMax, dueForMs }: ClaimOptions & { dueForMs: number },
): Promise<ClaimedJob[]> {
  const values = [ledgerId, kinds, leaseMs, leaseToken, jobsMax, dueForMs];
  const rows = await db.query<ClaimedRow>(CLAIM_OF_LEDGER, values);
  rows.sort((a, b) => a.was_due - b.was_due || (a.id < b.id ? -1 : 1));
  return rows.map((row) => toJob(row, row.queue, leaseToken));
}

/** Releases claims: the jobs are due again in `delayMs`. With `unstarted` the attempt does not count. */
export async function releaseJobs(
  db: Db,
  jobs: readonly ClaimedJob[],
  { delayMs, unstarted = false }: { delayMs: number; unstarted?: boolean },
): Promise<void> {
  await db.query(RELEASE, { claimed_jobs: jobs, delay_ms: delayMs, uncounted: unstarted ? 1 : 0 });
  for (const queue of new Set(jobs.map((job) => job.queue))) wake(db, 'jobs', queue, delayMs);
}

/** Releases the jobs of a claim whose answer was lost. The token is the token of that claim. */
export async function releaseLostClaim(
  db: Db,
  queue: Queue,
  { leaseToken }: Pick<ClaimOptions, 'leaseToken'>,
): Promise<void> {
  await db.query(RELEASE_TOKEN, [queue, leaseToken]);
}

/** Renews leases: they end `leaseMs` from now. */
export async function renewJobs(db: Db, jobs: readonly Job[], leaseMs: number): Promise<void> {
  await db.query(RENEW, { claimed_jobs: jobs, lease_ms: leaseMs });
}

function toJob(row: Omit<ClaimedRow, 'queue' | 'was_due'>, queue: Queue, leaseToken: string): ClaimedJob {
  const { ledger_id, id, kind, payload, attempts } = row;
  return { ledgerId: ledger_id, id, queue, kind, payload, attempt: attempts, leaseToken };
}
