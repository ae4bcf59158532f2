/**
 * Lanes whose items are rows that go once they are done: the items and their count in the lane go in one statement, so
 * that a drain costs one round trip where nothing else is to be written.
 */
import type { Db } from '../../db/database.ts';
import { type Statement, statement } from '../../db/statement.ts';
import type { Lane } from '../jobs/job.ts';
import { laneLost } from '../worker/lease.ts';
import { laneValues, OWN_LANE } from './lane-sql.ts';
import { endLane } from './lanes.ts';

/**
 * Declares a statement that takes items off a lane. `deletion` deletes them: a query that uses `laneValues`, $7 and
 * further, and does so only `where exists (select 1 from mine)`, which is empty once the claim is lost.
 */
export function settlingStatement(name: string, deletion: string): Statement {
  return statement(
    name,
    `with mine as materialized (
       select greatest(pending - $6::int, 0) as remaining from lanes where ${OWN_LANE} for update
     ), gone as (${deletion}
     ), empty as (
       delete from lanes where ${OWN_LANE} and (select remaining from mine) = 0
     ), rest as (
       update lanes set pending = (select remaining from mine), failures = 0
       where ${OWN_LANE} and (select remaining from mine) > 0
     )
     select remaining from mine`,
  );
}

/**
 * Takes `done` items off a lane, by a statement of `settlingStatement`.
 * @returns items that remain; at 0 the lane is gone and the drain ends
 * @throws LeaseLostError if the claim no longer holds
 */
export async function settleItems(
  db: Db,
  settling: Statement,
  lane: Lane,
  { done, values }: { done: number; values: readonly unknown[] },
): Promise<number> {
  const [row] = await db.query<{ remaining: number }>(settling, [...laneValues(lane), done, ...values]);
  if (row === undefined) throw laneLost(lane);
  if (row.remaining === 0) endLane(lane);
  return row.remaining;
}
