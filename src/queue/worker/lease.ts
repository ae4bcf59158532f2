import { randomBytes } from 'node:crypto';
import type { Db } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

/**
 * Another worker has the claim, or the work was cancelled, before its effects were committed. Thrown inside the
 * transaction of those effects, so that it rolls back.
 */
export class LeaseLostError extends Error {
  constructor(what: string) {
    super(`the claim on ${what} is lost`);
    this.name = 'LeaseLostError';
  }
}

/** Makes lease tokens: each call returns a new one. */
export type Tokens = (() => string) & {
  /** Returns true for a token that this function has made. */
  made(token: string): boolean;
};

/**
 * Returns a function that makes lease tokens. Two of these functions never make the same token, even in different
 * processes.
 */
export function createTokens(): Tokens {
  const prefix = `${randomBytes(9).toString('base64url')}.`;
  let count = 0;
  const next = () => `${prefix}${++count}`;
  return Object.assign(next, { made: (token: string) => token.startsWith(prefix) });
}

const END_JOB_LEASES = statement(
  'jobs_end_leases',
  'update jobs set lease_token = null, run_at = clock_timestamp() where lease_token is not null',
);

const END_LANE_LEASES = statement(
  'lanes_end_leases',
  `update lanes set lease_token = null, run_at = case when paused then 'infinity' else clock_timestamp() end
   where lease_token is not null`,
);

/**
 * Ends all leases, so that claimed work is due now. For the start of a process that is the only one on its database:
 * every lease then belongs to a process that died.
 */
export async function endAllLeases(db: Db): Promise<void> {
  await db.query(END_JOB_LEASES, []);
  await db.query(END_LANE_LEASES, []);
}
