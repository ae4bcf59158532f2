/**
 * Moves the clock of a test ledger forward, as if the time between had passed: it goes from one due moment to the
 * next, and at each what is due runs to its end before the clock goes on.
 *
 * A ledger's time is wall time plus its offset, and `run_at` is wall time. Moving the clock by some time adds it to the
 * offset and takes it off the `run_at` of all work at rest, in one transaction, so that every row keeps its moment in
 * ledger time. Claims are of wall time and stay as they are. A transaction that is open while the clock moves counts
 * its delays from after the move.
 */
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { isLockTimeout, toApiError } from '../db/error-codes.ts';
import { statement } from '../db/statement.ts';
import { ApiError } from '../lib/errors.ts';
import { ignoreError } from '../lib/ignore-error.ts';
import { createSingleFlight, type SingleFlight } from '../lib/single-flight.ts';
import { QUEUES } from '../queue/jobs/job.ts';
import { createPatience } from '../queue/worker/ledger-run.ts';
import { wake } from '../queue/worker/wake.ts';
import type { Workers } from '../queue/worker/workers.ts';

/** The longest advance: 400 days. */
export const ADVANCE_MAX_MS = 400 * 86_400_000;

type AdvanceOptions = {
  db: Database;
  workers: Pick<Workers, 'runDue' | 'settings'>;
  log: Logger;
  ledgerId: number;
  advanceMs: number;
};

// First key of the session locks that serialise advances; the second is the ledger.
const LOCK_CLASS = 7_244_002;

/** How long a request waits for those before it that move the clock of the ledger, or empty it. */
const LOCK_WAIT_MS = 60_000;

// A job that goes on failing is not stepped to, or its retries would be most of a long advance.
const ATTEMPTS_MAX = 10;

/** Up to this many rows at rest the clock stops at each moment; beyond, moments close together share a stop. */
const EXACT_ROWS_MAX = 500;
const SHARED_STOP_MS = 10_000;

/** So often in a row the clock waits for work that came up since everything was done; under load there is always some. */
const HELD_MAX = 50;

const READ = statement('ledger_clock_read', 'select ledger_now($1) as now');

const TARGET = statement(
  'ledger_clock_target',
  'select (ledger_now($1) + make_interval(secs => $2::float8 / 1000))::text as target',
);

// Seconds, not days: a day of an interval is as long as the session's time zone makes it. The target goes as text,
// for a Date has no microseconds. What a worker has taken since all was done, or is about to, must not find the clock
// moved far ahead under its hands: `busy` holds the step. Null for $3 goes on in any case.
const STEP = statement(
  'ledger_clock_step',
  `with ledger as materialized (select clock_offset from ledgers where id = $1 for no key update),
   wall as materialized (select clock_timestamp() as now),
   busy as materialized (
     select 1 from jobs, wall
     where ledger_id = $1 and $3::text[] is not null and (run_at <= wall.now or lease_token is not null)
       and 'foreign ' || queue <> all($3)
     union all
     select 1 from lanes, wall
     where ledger_id = $1 and $3::text[] is not null and (run_at <= wall.now or lease_token is not null)
       and 'lanes ' || kind || ' ' || group_id <> all($3)
     limit 1),
   ahead as materialized (
     select run_at from jobs, wall
     where ledger_id = $1 and lease_token is null and run_at > wall.now and attempts < ${ATTEMPTS_MAX}
     union all
     select run_at from lanes, wall
     where ledger_id = $1 and lease_token is null and run_at > wall.now and run_at < 'infinity'),
   stop as materialized (
     select case when count(*) <= ${EXACT_ROWS_MAX} then min(run_at)
       else least(min(run_at) + make_interval(secs => ${SHARED_STOP_MS / 1000}),
                  percentile_disc(0.04) within group (order by run_at)) end as moment
     from ahead),
   step as materialized (
     select held,
       make_interval(secs => case when held then 0 else greatest(0, extract(epoch from
         least($2::text::timestamptz - ledger.clock_offset, stop.moment) - wall.now))::float8 end) as by,
       not held and coalesce(stop.moment > $2::text::timestamptz - ledger.clock_offset, true) as last
     from ledger, wall, stop, (select exists (select 1 from busy) as held) b),
   clock as (update ledgers set clock_offset = clock_offset + step.by from step where id = $1),
   moved_jobs as (
     update jobs set run_at = run_at - step.by from step where ledger_id = $1 and lease_token is null),
   moved_lanes as (
     update lanes set run_at = run_at - step.by from step
     where ledger_id = $1 and lease_token is null and run_at < 'infinity')
   select last, held from step`,
);

type Step = { last: boolean; held: boolean };

/**
 * Moves the clock of a ledger `advanceMs` forward and runs everything that falls due on the way, in order. Advances of
 * one ledger wait for each other, in all processes. Lanes that are slow are left to go on by themselves.
 * @returns the ledger's time after it
 * @throws RangeError if `advanceMs` is negative or beyond ADVANCE_MAX_MS
 */
export async function advanceLedgerClock(options: AdvanceOptions): Promise<Date> {
  const { db, workers, ledgerId, advanceMs } = options;
  if (!(advanceMs >= 0 && advanceMs <= ADVANCE_MAX_MS)) throw new RangeError(`cannot advance by ${advanceMs} ms`);
  return withLedgerLock(options, async (assertLocked) => {
    const patience = createPatience(workers.settings);
    await workers.runDue(ledgerId, { patience });
    const [row] = await db.query<{ target: string | null }>(TARGET, [ledgerId, advanceMs]);
    if (typeof row?.target !== 'string') throw new Error(`ledger ${ledgerId} does not exist`);
    let held = 0;
    for (let last = false; !last; ) {
      assertLocked();
      const isPatient = held < HELD_MAX && !patience.ignored.has('leased');
      // In a transaction, which is tried again should it deadlock with one that ends or cancels several jobs.
      const [step] = await db.transaction((tx) =>
        tx.query<Step>(STEP, [ledgerId, row.target, isPatient ? [...patience.ignored] : null]),
      );
      last = step?.last ?? true;
      held = step?.held === true ? held + 1 : 0;
      const report = await workers.runDue(ledgerId, { patience });
      // At the target something may have run that leaves work for a moment which the wall clock has meanwhile reached.
      if (last && report.jobs + report.lanes > 0) last = false;
    }
    for (const queue of QUEUES) wake(db, 'jobs', queue);
    const [clock] = await db.query<{ now: Date }>(READ, [ledgerId]);
    return (clock as { now: Date }).now;
  });
}

type LockOptions = Pick<AdvanceOptions, 'db' | 'log' | 'ledgerId'> & {
  /** How long to wait for those before, in this process and then in others; 60 s. */
  waitMs?: number;
};

/** Those of one process wait here, in memory, and not each on a database connection. */
const turnsOf = new WeakMap<Database, SingleFlight>();

/**
 * Runs `work` while nobody else moves the ledger's clock. The lock goes with its connection, so a death frees it.
 * Errors: rate_limited if others have it for too long.
 */
export async function withLedgerLock<T>(
  options: LockOptions,
  work: (assertLocked: () => void) => Promise<T>,
): Promise<T> {
  const { db, ledgerId, waitMs = LOCK_WAIT_MS } = options;
  const turns = turnsOf.get(db) ?? createSingleFlight();
  turnsOf.set(db, turns);
  const { turn, late } = await turns.take(String(ledgerId), waitMs, () => lockAcrossProcesses(options, work));
  if (late) throw inUse();
  return turn as T;
}

async function lockAcrossProcesses<T>(
  { db, log, ledgerId, waitMs = LOCK_WAIT_MS }: LockOptions,
  work: (assertLocked: () => void) => Promise<T>,
): Promise<T> {
  const client = await db.connect('clock');
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost = error;
  });
  try {
    await client.query(`set lock_timeout = ${waitMs}`);
    await client.query('select pg_advisory_lock($1, $2)', [LOCK_CLASS, ledgerId]).catch((error: unknown) => {
      throw isLockTimeout(error) ? inUse(error) : error;
    });
    return await work(() => {
      if (lost !== undefined) throw lost;
    });
  } catch (error) {
    throw toApiError(error);
  } finally {
    ignoreError(client.end(), log, 'the lock is gone with the connection in any case');
  }
}

function inUse(cause?: unknown): ApiError {
  const message = 'The clock of this ledger is still being moved, or the ledger emptied, by an earlier request.';
  return new ApiError('rate_limited', { message, retryAfterS: 5, cause });
}
