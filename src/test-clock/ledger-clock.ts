/**
 * Moves the clock of a test ledger forward, as if the time in between had passed. The clock steps from one due moment
 * to the next. At each step, all due work runs to its end before the clock moves again.
 *
 * A ledger's time is wall time plus its offset, and `run_at` is wall time. A step adds a duration to the offset and
 * subtracts it from the `run_at` of all work that is not claimed, in one transaction. So every row keeps its moment in
 * ledger time. Leases are in wall time and do not change. A transaction that is open while the clock moves counts its
 * delays from after the move.
 */
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import { monotonicMs } from '../lib/time/time.ts';
import { QUEUES } from '../queue/jobs/job.ts';
import { activeWorkSql, LEASED, type LedgerWork, moveWorkCtes, workAheadSql } from '../queue/worker/ledger-work.ts';
import { wake } from '../queue/worker/wake.ts';
import { withLedgerLock } from './ledger-lock.ts';
import { calm, createPatience, isHurried, runLedgerDue } from './run-due.ts';

/** The longest advance: 400 days. */
export const ADVANCE_MAX_MS = 400 * 86_400_000;

type AdvanceOptions = {
  db: Database;
  workers: { readonly ledgerWork: LedgerWork };
  log: Logger;
  ledgerId: number;
  advanceMs: number;
};

// The clock does not stop for a job that has failed this often. Otherwise the job's retries would take most of a long
// advance.
const ATTEMPTS_MAX = 10;

/**
 * The clock stops at each due moment if at most this many rows wait. If more wait, close moments share a stop. Jobs are
 * counted without lanes, and urgent jobs without other jobs. So a call's ring timeout never passes before its answer,
 * even if many webhooks wait for a dead receiver.
 */
const EXACT_ROWS_MAX = 500;
const SHARED_STOP_MS = 10_000;

/**
 * The clock waits at most this many times in a row for work that appeared after all due work had ended. Under load
 * there is always some.
 */
const HELD_MAX = 50;

/**
 * Milliseconds of ledger time for each millisecond of wall time. If the clock moves slower than this, work that others
 * add holds it up.
 */
const MOVES_WELL = 60;

const READ = statement('ledger_clock_read', 'select ledger_now($1) as now');

const TARGET = statement(
  'ledger_clock_target',
  'select (ledger_now($1) + make_interval(secs => $2::float8 / 1000))::text as target',
);

/** If more failed lanes than this wait, they share stops, as late as their handler allows. */
const EXACT_LANES_MAX = 24;

/** Returns an expression for the first moment of the rows. It is null if there are more than EXACT_ROWS_MAX rows. */
function ownStop(rows: string): string {
  return `case when count(*) filter (where ${rows}) <= ${EXACT_ROWS_MAX} then min(run_at) filter (where ${rows}) end`;
}

// The rows of `LedgerWork.laneSlacks`.
const SLACKS = 'unnest($5::text[], $6::int[], $7::float8[]) as s (kind, failures, slack_ms)';

const AT_WALL = { ledgerId: '$1', from: 'wall', now: 'wall.now' };

// Intervals in seconds, not days: the session's time zone decides how long a day of an interval is. The target is a
// text, because a Date has no microseconds. The clock must not move far ahead under work that a worker has claimed
// since all due work ended, or is about to claim: `busy` holds the step. With null for $3 nothing holds the step. With
// $4 (in a hurry) close moments always share a stop. The clock stops at the last moment that is not too late for any
// work before it.
const STEP = statement(
  'ledger_clock_step',
  `with ledger as materialized (select clock_offset from ledgers where id = $1 for no key update),
   wall as materialized (select clock_timestamp() as now),
   busy as materialized (
     ${activeWorkSql({ ...AT_WALL, ignored: '$3::text[]' })}
     limit 1),
   ahead as materialized (
     ${workAheadSql({ ...AT_WALL, attemptsMax: ATTEMPTS_MAX, slacks: SLACKS })}),
   stop as materialized (
     select max(run_at) as moment from ahead where run_at <= (
       select case when $4::boolean then min(run_at) + make_interval(secs => ${SHARED_STOP_MS / 1000})
         when count(*) filter (where latest is not null) <= ${EXACT_LANES_MAX} and count(*) <= ${EXACT_ROWS_MAX}
           then min(run_at)
         when count(*) <= ${EXACT_ROWS_MAX} then min(coalesce(latest, run_at))
         else least(min(coalesce(latest, run_at + make_interval(secs => ${SHARED_STOP_MS / 1000}))),
                    percentile_disc(0.04) within group (order by run_at),
                    ${ownStop("work <> 'lane'")}, ${ownStop("work = 'urgent'")}) end
       from ahead)),
   step as materialized (
     select held,
       make_interval(secs => case when held then 0 else greatest(0, extract(epoch from
         least($2::text::timestamptz - ledger.clock_offset, stop.moment) - wall.now))::float8 end) as by,
       not held and coalesce(stop.moment > $2::text::timestamptz - ledger.clock_offset, true) as last
     from ledger, wall, stop, (select exists (select 1 from busy) as held) b),
   clock as (update ledgers set clock_offset = clock_offset + step.by from step where id = $1),
   ${moveWorkCtes({ ledgerId: '$1', from: 'step', by: 'step.by' })}
   select last, held, extract(epoch from by)::float8 * 1000 as moved_ms from step`,
);

type Step = { last: boolean; held: boolean; moved_ms: number };

/**
 * Moves the clock of a ledger forward by `advanceMs` and runs all work that becomes due, in order. Advances of one
 * ledger wait for each other, in all processes. Slow lanes continue after the advance. If other processes keep adding
 * work, the clock still moves. Retries that end quickly prolong the limits, by 30 s at most. After 10 s each step runs
 * only the work that was due at its beginning. After 20 s the workers do that too.
 * @returns the ledger's time after it
 * @throws RangeError if `advanceMs` is negative or beyond ADVANCE_MAX_MS
 */
export async function advanceLedgerClock(options: AdvanceOptions): Promise<Date> {
  const { db, workers, ledgerId, advanceMs } = options;
  const { ledgerWork } = workers;
  if (!(advanceMs >= 0 && advanceMs <= ADVANCE_MAX_MS)) throw new RangeError(`cannot advance by ${advanceMs} ms`);
  const slacks = [
    ledgerWork.laneSlacks.map(({ kind }) => kind),
    ledgerWork.laneSlacks.map(({ failures }) => failures),
    ledgerWork.laneSlacks.map(({ slackMs }) => slackMs),
  ];
  return await withLedgerLock(options, async (assertLocked) => {
    const patience = createPatience(ledgerWork);
    await runLedgerDue(ledgerWork, ledgerId, patience);
    const [row] = await db.query<{ target: string | null }>(TARGET, [ledgerId, advanceMs]);
    if (typeof row?.target !== 'string') throw new Error(`ledger ${ledgerId} does not exist`);
    let [held, sinceMs, movedMs] = [0, monotonicMs(), 0];
    for (let last = false; !last; ) {
      assertLocked();
      const hurried = isHurried(patience);
      const isPatient = !hurried && held < HELD_MAX && !patience.ignored.has(LEASED);
      // Runs in a transaction. The transaction is repeated after a deadlock with one that ends or cancels several jobs.
      const [step] = await db.transaction((tx) =>
        tx.query<Step>(STEP, [ledgerId, row.target, isPatient ? [...patience.ignored] : null, hurried, ...slacks]),
      );
      last = step?.last ?? true;
      held = step?.held === true ? held + 1 : 0;
      movedMs += step?.moved_ms ?? 0;
      if (movedMs >= MOVES_WELL * (monotonicMs() - sinceMs)) {
        calm(patience);
        [sinceMs, movedMs] = [monotonicMs(), 0];
      }
      const report = await runLedgerDue(ledgerWork, ledgerId, patience);
      // At the target, finished work may have added work that is due by now, because wall time has passed.
      if (last && report.jobs + report.lanes > 0 && !isHurried(patience)) last = false;
    }
    for (const queue of QUEUES) wake(db, 'jobs', queue);
    const [clock] = await db.query<{ now: Date }>(READ, [ledgerId]);
    return (clock as { now: Date }).now;
  });
}
