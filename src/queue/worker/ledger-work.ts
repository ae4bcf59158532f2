/**
 * The due work of one ledger, for a clock that is moved by hand. Runs it, and finds work that is still active. Also has
 * SQL about jobs and lanes for the statement that moves a clock.
 */
import type { Database, Db } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { URGENT_QUEUES } from '../jobs/job.ts';
import { type JobRunner, takeCall } from '../jobs/job-runner.ts';
import { claimLedgerJobs } from '../jobs/worker-claims.ts';
import { findDueLedgerGroups } from '../lanes/lane-claims.ts';
import type { LaneLoop } from '../lanes/lane-loop.ts';
import type { WorkerSettings } from './settings.ts';
import { wake } from './wake.ts';

/**
 * Names of active work: `leased` (claimed jobs and claimed prompt lanes, together), `foreign <queue>` (due jobs of
 * kinds without a handler here) or `lanes <kind> <group>` (due or claimed lanes of a group).
 */
export type ActiveWork = string;

export const LEASED: ActiveWork = 'leased';

/** The longest delay of a due lane of a kind, by its number of failures. */
type LaneSlack = { readonly kind: string; readonly failures: number; readonly slackMs: number };

/** Active work by its name, and the number of its lanes that failed before. */
export type Active = ReadonlyMap<ActiveWork, number>;

/** Runs the due work of one ledger; also before the workers start. */
export type LedgerWork = {
  /** How long a claim lasts without renewal. */
  readonly leaseMs: number;
  /** How late the retry of a lane may run. */
  readonly laneSlacks: readonly LaneSlack[];
  /**
   * Runs jobs that have been due for `dueForMs`, at most 100, one call after the other in the order of their due times.
   * Returns how many.
   */
  runJobs(ledgerId: number, dueForMs: number): Promise<number>;
  /** Claims and starts due lanes within their bounds. Returns how many. */
  startLanes(ledgerId: number): Promise<number>;
  /** Lists active work except `ignored`, and wakes the other workers for it. */
  listActive(ledgerId: number, ignored: ReadonlySet<ActiveWork>): Promise<Active>;
};

type LedgerWorkOptions = {
  db: Database;
  runner: JobRunner;
  laneLoops: readonly LaneLoop[];
  tokens: () => string;
  settings: WorkerSettings;
  /** Called before claims are made, so that their leases are renewed. */
  startRenewal: () => void;
};

const JOBS_PER_CLAIM = 100;

// A row per name of active work. A due job with a handler here counts as claimed: a drain of a lane may have added it
// after the last claim.
const ACTIVE = statement(
  'ledger_active',
  `select 'leased' as what, '' as name, '' as group_id, 0 as failed from jobs
   where ledger_id = $1
     and case when run_at > statement_timestamp() then lease_token is not null else kind = any($2::text[]) end
   group by 1
   union all
   select 'leased', '', '', 0 from lanes
   where ledger_id = $1 and kind = any($3::text[]) and lease_token is not null and run_at > statement_timestamp()
   group by 1
   union all
   select 'foreign', queue, '', 0 from jobs
   where ledger_id = $1 and run_at <= statement_timestamp() and kind <> all($2::text[])
   group by queue
   union all
   select 'lanes', kind, group_id, count(*) filter (where failures > 0)::int from lanes
   where ledger_id = $1
     and (run_at <= statement_timestamp() or (lease_token is not null and kind <> all($3::text[])))
   group by kind, group_id`,
);

type ActiveRow = { what: 'leased' | 'foreign' | 'lanes'; name: string; group_id: string; failed: number };

export function createLedgerWork(options: LedgerWorkOptions): LedgerWork {
  const { db, runner, laneLoops, tokens, settings, startRenewal } = options;
  const promptKinds = laneLoops.filter((loop) => loop.prompt).map((loop) => loop.kind);
  const { leaseMs } = settings;
  return {
    leaseMs,
    laneSlacks: laneLoops.flatMap(({ kind, retrySlackMs }) =>
      retrySlackMs.map((slackMs, index) => ({ kind, failures: index + 1, slackMs })),
    ),
    runJobs: async (ledgerId, dueForMs) => {
      startRenewal();
      const kinds = runner.kinds();
      if (kinds.length === 0) return 0;
      const claim = { kinds, leaseMs, leaseToken: tokens(), jobsMax: JOBS_PER_CLAIM, dueForMs };
      const jobs = await claimLedgerJobs(db, ledgerId, claim);
      const count = jobs.length;
      for (const job of jobs) runner.claims.add(job);
      for (let next = takeCall(jobs, runner.handlerOf); next !== undefined; next = takeCall(jobs, runner.handlerOf)) {
        await runner.call(next.handler, next.jobs).ended;
      }
      return count;
    },
    startLanes: async (ledgerId) => {
      startRenewal();
      const due = await findDueLedgerGroups(db, ledgerId);
      let count = 0;
      for (const loop of laneLoops) count += await loop.claimGroups(due.get(loop.kind) ?? []);
      return count;
    },
    listActive: async (ledgerId, ignored) => {
      const rows = await db.query<ActiveRow>(ACTIVE, [ledgerId, runner.kinds(), promptKinds]);
      const active = rows.filter((row) => !ignored.has(nameOf(row)));
      for (const { what, name } of active) {
        if (what !== 'leased') wake(db, what === 'foreign' ? 'jobs' : 'lanes', name);
      }
      return new Map(active.map((row) => [nameOf(row), row.failed]));
    },
  };
}

function nameOf({ what, name, group_id }: ActiveRow): ActiveWork {
  if (what === 'leased') return LEASED;
  return what === 'foreign' ? `foreign ${name}` : `lanes ${name} ${group_id}`;
}

/** SQL expressions of a statement that moves a ledger's clock. */
type LedgerSql = {
  readonly ledgerId: string;
  /** Rows with the values that `now` or `by` uses. */
  readonly from: string;
};

/**
 * Returns a query with a row for each job and lane that is due or claimed, except those named in `ignored`, of type
 * text[]; no rows if `ignored` is null.
 */
export function activeWorkSql({ ledgerId, from, now, ignored }: LedgerSql & { now: string; ignored: string }): string {
  return `select 1 from jobs, ${from}
     where ledger_id = ${ledgerId} and ${ignored} is not null and (run_at <= ${now} or lease_token is not null)
       and 'foreign ' || queue <> all(${ignored})
     union all
     select 1 from lanes, ${from}
     where ledger_id = ${ledgerId} and ${ignored} is not null and (run_at <= ${now} or lease_token is not null)
       and 'lanes ' || kind || ' ' || group_id <> all(${ignored})`;
}

const URGENT = [...URGENT_QUEUES].map((queue) => `'${queue}'`).join(', ');

/**
 * Returns a query for work that is due later: its `run_at` and its kind `work` (urgent, job or lane). Leaves out jobs
 * that failed `attemptsMax` times. `slacks` has rows of `kind`, `failures` and `slack_ms`; `latest` is the latest time
 * for a run of a lane that `slacks` names, and null for other work.
 */
export function workAheadSql({
  ledgerId,
  from,
  now,
  attemptsMax,
  slacks,
}: LedgerSql & { now: string; attemptsMax: number; slacks: string }): string {
  return `select run_at, null::timestamptz as latest, case when queue in (${URGENT}) then 'urgent' else 'job' end as work
     from jobs, ${from}
     where ledger_id = ${ledgerId} and lease_token is null and run_at > ${now} and attempts < ${attemptsMax}
     union all
     select run_at, run_at + make_interval(secs => slack_ms / 1000), 'lane'
     from lanes left join ${slacks} using (kind, failures), ${from}
     where ledger_id = ${ledgerId} and lease_token is null and run_at > ${now} and run_at < 'infinity'`;
}

/** Returns two CTEs that subtract the interval `by` from the `run_at` of all work that is not claimed. */
export function moveWorkCtes({ ledgerId, from, by }: LedgerSql & { by: string }): string {
  return `moved_jobs as (
     update jobs set due_at = due_at - ${by}, run_at = run_at - ${by} from ${from} where ledger_id = ${ledgerId} and lease_token is null),
   moved_lanes as (
     update lanes set run_at = run_at - ${by} from ${from}
     where ledger_id = ${ledgerId} and lease_token is null and run_at < 'infinity')`;
}

const DROP_IDLE_JOBS = statement(
  'ledger_drop_idle_jobs',
  'delete from jobs where ledger_id = $1 and (lease_token is null or run_at <= statement_timestamp())',
);

const COUNT_CLAIMED_JOBS = statement(
  'ledger_count_claimed_jobs',
  'select count(*)::integer as jobs from jobs where ledger_id = $1 and lease_token is not null',
);

/**
 * Deletes the jobs of a ledger that no worker carries out, including jobs whose lease has ended.
 * @returns the number of jobs that are being carried out
 */
export async function dropIdleJobs(db: Db, ledgerId: number): Promise<number> {
  await db.query(DROP_IDLE_JOBS, [ledgerId]);
  const [claimed] = await db.query<{ jobs: number }>(COUNT_CLAIMED_JOBS, [ledgerId]);
  return claimed?.jobs ?? 0;
}
