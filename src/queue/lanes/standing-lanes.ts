/**
 * Lanes that do not count their items: the row says that there may be items, and its holder looks for them. A
 * transaction that adds items takes a shared lock on the row instead of writing it, so that many can add to one lane
 * concurrently.
 *
 * Every item always has a lane. A transaction that adds an item either keeps the row from being deleted until its
 * commit, or makes a new row. The holder deletes the row on two conditions: no transaction has that lock, and a
 * statement that began after the holder took its own lock finds no item.
 */
import type { Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { type Lane, laneLost } from './lane.ts';
import { LANE_COLUMNS, type LaneValues, laneValues, OWN_LANE } from './lane-sql.ts';
import { delayLane, endLane } from './lanes.ts';

/**
 * Returns CTEs for the statement that adds items; each lane is a separate group. `present` locks the lanes that exist,
 * `activated` makes the others. The caller calls `wake(db, 'lanes', kind)` if `activated` has rows.
 * @param wanted a query that returns `ledger_id` and `group_id` of the lanes; rows may repeat
 */
export function activateLanesCtes(kind: string, wanted: string): string {
  return `present as materialized (
     select l.ledger_id, l.group_id
     from (select distinct * from (${wanted}) w (ledger_id, group_id)) w
     join lanes l on l.ledger_id = w.ledger_id and l.kind = '${kind}' and l.group_id = w.group_id
       and l.lane_key = w.group_id
     order by 1, 2 for key share of l
   ), activated as (
     insert into lanes ${LANE_COLUMNS}
     select distinct w.ledger_id, '${kind}', w.group_id, w.group_id, 1, false, statement_timestamp()
     from (${wanted}) w (ledger_id, group_id)
     where not exists (select 1 from present p where p.ledger_id = w.ledger_id and p.group_id = w.group_id)
     order by 1, 3
     on conflict (ledger_id, kind, group_id, lane_key) do update set pending = lanes.pending
     returning 1 as done
   )`;
}

const FENCE = statement<LaneValues>('lanes_fence', `select 1 as held from lanes where ${OWN_LANE} for no key update`);

const LOCK_TO_END = statement<LaneValues>(
  'lanes_lock_to_end',
  `select 1 as locked from lanes where ${OWN_LANE} for update skip locked`,
);

const END = statement<LaneValues>('lanes_end', `delete from lanes where ${OWN_LANE}`);

/**
 * Keeps the claim on the lane until the transaction ends.
 * @throws LeaseLostError if another worker has the lane
 */
export async function fenceLane(tx: Tx, lane: Lane): Promise<void> {
  const held = await tx.query(FENCE, laneValues(lane));
  if (held.length === 0) throw laneLost(lane);
}

/**
 * Deletes a lane if its holder found no more items in it. While a transaction adds items to it, the lane stays and is
 * due in `lookAgainMs`.
 * @param isEmpty looks for items, in a separate statement
 */
export async function endStandingLane(
  tx: Tx,
  lane: Lane,
  { isEmpty, lookAgainMs }: { isEmpty: () => Promise<boolean>; lookAgainMs: number },
): Promise<void> {
  const locked = await tx.query(LOCK_TO_END, laneValues(lane));
  if (locked.length === 0 || !(await isEmpty())) return delayLane(tx, lane, { delayMs: lookAgainMs });
  await tx.query(END, laneValues(lane));
  endLane(tx, lane);
}
