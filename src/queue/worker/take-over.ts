import type { Db } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

const JOBS = statement(
  'jobs_take_over',
  'update jobs set lease_token = null, run_at = clock_timestamp() where lease_token is not null',
);

const LANES = statement(
  'lanes_take_over',
  `update lanes set lease_token = null, run_at = case when held then 'infinity' else clock_timestamp() end
   where lease_token is not null`,
);

/**
 * Makes all work due at once that is in somebody's hands, whose claims end. For a process that knows itself to be the
 * only one: whoever had it is dead, and his leases need not run out first.
 */
export async function takeOverWork(db: Db): Promise<void> {
  await db.query(JOBS, []);
  await db.query(LANES, []);
}
