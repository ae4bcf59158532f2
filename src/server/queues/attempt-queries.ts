import type { Db } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

/** The attempts of one kind of job or lane. */
export type AttemptCounts = { readonly kind: string; readonly attempts: number; readonly failed_attempts: number };

const THIS_HOUR = `date_trunc('hour', now(), 'UTC')`;
/** The first hour that is shown. 23 full hours and the current hour are shown. */
const FIRST_HOUR = `${THIS_HOUR} - interval '23 hours'`;

// Rows are locked in the order of their kinds, so that two processes do not deadlock.
const ADD = statement(
  'attempt_counts_add',
  `insert into attempt_counts as c (hour, kind, attempts, failed_attempts)
   select ${THIS_HOUR}, i.kind, i.attempts, i.failed_attempts
   from unnest($1::text[], $2::bigint[], $3::bigint[]) as i (kind, attempts, failed_attempts) order by i.kind
   on conflict (hour, kind) do update set attempts = c.attempts + excluded.attempts,
     failed_attempts = c.failed_attempts + excluded.failed_attempts`,
);

/** Adds attempts to the counts of the current hour. Each kind occurs once in `counts`. */
export async function addAttempts(db: Db, counts: readonly AttemptCounts[]): Promise<void> {
  const columns = [
    counts.map(({ kind }) => kind),
    counts.map(({ attempts }) => attempts),
    counts.map(({ failed_attempts }) => failed_attempts),
  ];
  await db.query(ADD, columns);
}

const READ = statement<unknown[], AttemptCounts>(
  'attempt_counts_read',
  `select kind, sum(attempts)::float8 as attempts, sum(failed_attempts)::float8 as failed_attempts
   from attempt_counts where hour >= ${FIRST_HOUR} group by kind order by kind limit $1`,
);
const READ_FIRST_HOUR = statement<unknown[], { since: Date }>('attempt_counts_since', `select ${FIRST_HOUR} as since`);

/**
 * Reads the attempts of all processes in the last 24 hours, for at most `kindsMax` kinds. Also returns the start of
 * that time.
 */
export async function readAttempts(db: Db, kindsMax: number): Promise<{ since: Date; attempts: AttemptCounts[] }> {
  const attempts = await db.query(READ, [kindsMax]);
  const [first] = await db.query(READ_FIRST_HOUR, []);
  if (first === undefined) throw new Error('the database has no time');
  return { since: first.since, attempts };
}

const SWEEP = statement(
  'attempt_counts_sweep',
  `delete from attempt_counts where (hour, kind) in (
     select hour, kind from attempt_counts where hour < ${FIRST_HOUR} order by hour limit $1
     for update skip locked) returning 1`,
);

/** Deletes at most `rowsMax` counts that are no longer shown. Returns their number. */
export async function sweepAttempts(db: Db, rowsMax: number): Promise<number> {
  return (await db.query(SWEEP, [rowsMax])).length;
}
