/** The figures of the queues for operators. Each statement reads at most 10,000 rows of an index for each queue. */
import type { Db } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Queue } from './job.ts';

/** due: waits for a worker; running: claimed; failed: waits for its next attempt; waiting: is not due yet. */
export const JOB_STATES = ['due', 'running', 'failed', 'waiting'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** The most rows that are read for each queue or kind of lane, the longest due first. */
const ROWS_READ_MAX = 10_000;

/** Maximum kinds of jobs, or of lanes, that get figures. The product has fewer. */
export const KINDS_MAX = 500;

const STATE = `case when r.lease_token is not null and r.run_at > statement_timestamp() then 'running'
     when r.failed then 'failed' when r.run_at > statement_timestamp() then 'waiting' else 'due' end`;
const OLDEST = `coalesce(max(extract(epoch from statement_timestamp() - r.run_at)) filter (
     where r.run_at <= statement_timestamp()), 0)::float8 as oldest_due_seconds`;
const COUNTS = JOB_STATES.map((state) => `count(*) filter (where ${STATE} = '${state}')::int as ${state}`).join(', ');

const JOBS = statement(
  'jobs_figures',
  `select q.queue, r.kind, ${COUNTS}, ${OLDEST}, bool_or(r.place > ${ROWS_READ_MAX}) as is_partial
   from unnest($1::text[]) as q (queue) cross join lateral (
     select kind, run_at, lease_token, attempts > 0 and lease_token is null as failed, row_number() over () as place
     from (select kind, run_at, lease_token, attempts from jobs
       where queue = q.queue order by due_at limit ${ROWS_READ_MAX + 1}) j) r
   group by q.queue, r.kind order by q.queue, r.kind limit ${KINDS_MAX}`,
);

/** The figures of one kind of job, or of one kind of lane. */
export type WorkFigures = Readonly<Record<JobState, number>> & {
  readonly kind: string;
  /** How long the first has been due. */
  readonly oldest_due_seconds: number;
  /** True if there are more rows than were read. */
  readonly is_partial: boolean;
};

/** Counts the jobs of each kind by state. */
export async function readJobFigures(
  db: Db,
  queues: readonly Queue[],
): Promise<(WorkFigures & { readonly queue: Queue })[]> {
  return await db.query<WorkFigures & { queue: Queue }>(JOBS, [queues]);
}

// The index begins with the kind, so the query reads one kind after the other. Paused lanes are not in the index.
const LANES = statement(
  'lanes_figures',
  `with recursive kinds as (
     (select kind from lanes where run_at < 'infinity' order by kind limit 1)
     union all
     select (select l.kind from lanes l where l.kind > k.kind and l.run_at < 'infinity' order by l.kind limit 1)
     from kinds k where k.kind is not null
   )
   select k.kind, ${COUNTS}, ${OLDEST}, bool_or(r.place > ${ROWS_READ_MAX}) as is_partial
   from kinds k cross join lateral (
     select run_at, lease_token, failures > 0 and lease_token is null as failed, row_number() over () as place
     from (select run_at, lease_token, failures from lanes
       where kind = k.kind and run_at < 'infinity' limit ${ROWS_READ_MAX + 1}) l) r
   where k.kind is not null group by k.kind order by k.kind limit ${KINDS_MAX}`,
);

/** Counts the lanes of each kind by state. */
export async function readLaneFigures(db: Db): Promise<WorkFigures[]> {
  return await db.query<WorkFigures>(LANES, []);
}

const LIST = statement(
  'jobs_list',
  `select r.id, led.account_id, led.mode, q.queue, r.kind, ${STATE} as state, r.attempts, r.run_at,
     greatest(extract(epoch from statement_timestamp() - r.run_at), 0)::float8 as due_for_seconds
   from unnest($1::text[]) as q (queue) cross join lateral (
     select id, ledger_id, kind, run_at, lease_token, attempts, attempts > 0 and lease_token is null as failed
     from jobs where queue = q.queue order by due_at limit ${ROWS_READ_MAX}) r
   left join ledgers led on led.id = r.ledger_id
   where ($2::text is null or r.kind = $2) and ($3::text is null or ${STATE} = $3)
   order by r.run_at, r.id limit $4`,
);

export type ListedJob = {
  readonly id: string;
  /** Null for a job of the installation. */
  readonly account_id: string | null;
  readonly mode: 'live' | 'test' | null;
  readonly queue: Queue;
  readonly kind: string;
  readonly state: JobState;
  readonly attempts: number;
  readonly run_at: Date;
  readonly due_for_seconds: number;
};

/** Returns the jobs that have been due the longest, and then the next jobs to fall due. */
export async function listJobs(
  db: Db,
  {
    queues,
    kind,
    state,
    rows,
  }: { queues: readonly Queue[]; kind: string | null; state: JobState | null; rows: number },
): Promise<ListedJob[]> {
  return await db.query<ListedJob>(LIST, [queues, kind, state, rows]);
}
