/**
 * Runs what is due in one ledger to the end, for a clock that is moved by hand. Jobs run here one after the other in
 * the order in which they fell due; lanes drain beside them; and what other workers have in hand is waited for. Only
 * work that cannot be hurried is left behind: within a budget for lanes, whose receivers may be dead, and for jobs up
 * to the lease that their worker holds.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { claimLedgerJobs } from '../jobs/job-claims.ts';
import { type JobRunner, takeCall } from '../jobs/job-runner.ts';
import type { LaneLoop } from '../lanes/lane-loop.ts';
import type { WorkerSettings } from './settings.ts';
import { wake } from './wake.ts';

/** How long to wait for the work of others, over all calls that share it. */
export type Patience = {
  /** For jobs in hand elsewhere, and prompt lanes. */
  jobsMs: number;
  /** For lanes, and for jobs of kinds that only other processes know. */
  lanesMs: number;
  /** Lane groups no longer waited for. */
  readonly ignored: Set<string>;
};

export type DueOptions = { patience?: Patience };

/** What was run here, and whether all of it was waited for. */
export type DueReport = { readonly jobs: number; readonly lanes: number; readonly complete: boolean };

type Engine = {
  db: Database;
  runner: JobRunner;
  laneLoops: readonly LaneLoop[];
  tokens: () => string;
  settings: WorkerSettings;
};

const LANES_PATIENCE_MS = 3_000;

/** Even when the budget for lanes is used up, lanes of groups that were not slow so far get this long. */
const LANES_GRACE_MS = 250;

const JOBS_PER_CLAIM = 100;
const LOOK_MIN_MS = 2;
const LOOK_MAX_MS = 50;

// A row per thing to wait for: leased jobs and prompt lanes in hand, due jobs of unknown kinds by queue, and lane
// groups at work or due. A job that a lane's drain left behind since the last claim counts as one in hand.
const BUSY = statement(
  'ledger_busy',
  `select 'leased' as what, '' as name, '' as group_id from jobs
   where ledger_id = $1
     and case when run_at > statement_timestamp() then lease_token is not null else kind = any($2::text[]) end
   group by 1
   union all
   select 'leased', '', '' from lanes
   where ledger_id = $1 and kind = any($3::text[]) and lease_token is not null and run_at > statement_timestamp()
   group by 1
   union all
   select 'foreign', queue, '' from jobs
   where ledger_id = $1 and run_at <= statement_timestamp() and kind <> all($2::text[])
   group by queue
   union all
   select 'lanes', kind, group_id from lanes
   where ledger_id = $1
     and (run_at <= statement_timestamp() or (lease_token is not null and kind <> all($3::text[])))
   group by kind, group_id`,
);

type Busy = { what: 'leased' | 'foreign' | 'lanes'; name: string; group_id: string };

/** The patience of one advance of the clock. */
export function createPatience({ leaseMs }: { leaseMs: number }): Patience {
  return { jobsMs: leaseMs + 1_000, lanesMs: LANES_PATIENCE_MS, ignored: new Set() };
}

/** Runs due work of a ledger until none is left or patience ends. */
export async function runLedgerDue(engine: Engine, ledgerId: number, options: DueOptions): Promise<DueReport> {
  const patience = options.patience ?? createPatience(engine.settings);
  const ignoredBefore = patience.ignored.size;
  const jobsMsAtStart = patience.jobsMs;
  let lanesMs = Math.max(patience.lanesMs, LANES_GRACE_MS);
  let lookMs = LOOK_MIN_MS;
  let jobs = 0;
  let lanes = 0;
  for (;;) {
    const ranJobs = await runJobs(engine, ledgerId);
    const claimedLanes = await claimAllLanes(engine, ledgerId);
    jobs += ranJobs;
    lanes += claimedLanes;
    if (ranJobs > 0) continue;
    const busy = await findBusy(engine, ledgerId, patience);
    if (busy.length === 0) break;
    const leased = busy.some(({ what }) => what === 'leased');
    if (leased ? patience.jobsMs <= 0 : lanesMs <= 0) {
      for (const each of busy) patience.ignored.add(keyOf(each));
      continue;
    }
    if (claimedLanes > 0) lookMs = LOOK_MIN_MS;
    const startedAt = performance.now();
    await sleep(lookMs);
    lookMs = Math.min(lookMs * 2, LOOK_MAX_MS);
    const waitedMs = performance.now() - startedAt;
    if (leased) {
      patience.jobsMs -= waitedMs;
    } else {
      lanesMs -= waitedMs;
      patience.lanesMs -= waitedMs;
    }
  }
  // Only a wait that ended in vain is used up: jobs that others finished in time leave the next step its full wait.
  if (!patience.ignored.has('leased')) patience.jobsMs = jobsMsAtStart;
  return { jobs, lanes, complete: patience.ignored.size === ignoredBefore };
}

async function runJobs({ db, runner, tokens, settings }: Engine, ledgerId: number): Promise<number> {
  const kinds = runner.kinds();
  if (kinds.length === 0) return 0;
  const claim = { kinds, leaseMs: settings.leaseMs, leaseToken: tokens(), jobsMax: JOBS_PER_CLAIM };
  const jobs = await claimLedgerJobs(db, ledgerId, claim);
  const count = jobs.length;
  for (const job of jobs) runner.inHand.add(job);
  for (let next = takeCall(jobs, runner.handlerOf); next !== undefined; next = takeCall(jobs, runner.handlerOf)) {
    await runner.call(next.handler, next.jobs);
  }
  return count;
}

async function claimAllLanes({ laneLoops }: Engine, ledgerId: number): Promise<number> {
  let count = 0;
  for (const loop of laneLoops) count += await loop.claimLedger(ledgerId);
  return count;
}

async function findBusy({ db, runner, laneLoops }: Engine, ledgerId: number, { ignored }: Patience): Promise<Busy[]> {
  const promptKinds = laneLoops.filter((loop) => loop.prompt).map((loop) => loop.kind);
  const found = await db.query<Busy>(BUSY, [ledgerId, runner.kinds(), promptKinds]);
  const busy = found.filter((each) => !ignored.has(keyOf(each)));
  for (const { what, name } of busy) {
    if (what !== 'leased') wake(db, what === 'foreign' ? 'jobs' : 'lanes', name);
  }
  return busy;
}

function keyOf({ what, name, group_id }: Busy): string {
  return what === 'leased' ? what : `${what} ${name} ${group_id}`;
}
