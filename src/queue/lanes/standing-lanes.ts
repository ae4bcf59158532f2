/**
 * Lanes that do not count their items: the row says that there may be some, and its holder looks for them. Whoever adds
 * items shares a lock on the row instead of writing it, so that many can add to one lane at a time.
 *
 * No item is left without a lane: who adds one keeps the row from deletion until the commit (or makes a new row), and
 * the holder deletes it only when nobody has that lock and a statement that began after it took its own finds no item.
 */
import type { Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Lane } from '../jobs/job.ts';
import { laneLost } from '../worker/lease.ts';
import { LANE_COLUMNS, laneValues, OWN_LANE } from './lane-sql.ts';
import { endLane, restLane } from './lanes.ts';

/**
 * CTEs for the statement that adds items, each lane a group of its own: `present` locks the lanes that are there,
 * `activated` makes the others. A caller whose `activated` has rows calls `wake(db, 'lanes', kind)`.
 * @param wanted a query for `ledger_id` and `group_id` of the lanes, which may repeat itself
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

const FENCE = statement('lanes_fence', `select 1 as held from lanes where ${OWN_LANE} for no key update`);

const LOCK_TO_END = statement(
  'lanes_lock_to_end',
  `select 1 as locked from lanes where ${OWN_LANE} for update skip locked`,
);

const END = statement('lanes_end', `delete from lanes where ${OWN_LANE}`);

/**
 * Keeps the lane in this claim until the transaction ends.
 * @throws LeaseLostError if it is another's already
 */
export async function fenceLane(tx: Tx, lane: Lane): Promise<void> {
  const held = await tx.query(FENCE, laneValues(lane));
  if (held.length === 0) throw laneLost(lane);
}

/**
 * Ends a lane in which the holder found nothing more; if items are on their way into it, it rests for `lookAgainMs`.
 * @param isEmpty looks for items, in a statement of its own
 */
export async function endStandingLane(
  tx: Tx,
  lane: Lane,
  { isEmpty, lookAgainMs }: { isEmpty: () => Promise<boolean>; lookAgainMs: number },
): Promise<void> {
  const locked = await tx.query(LOCK_TO_END, laneValues(lane));
  if (locked.length === 0 || !(await isEmpty())) return restLane(tx, lane, { delayMs: lookAgainMs });
  await tx.query(END, laneValues(lane));
  endLane(lane);
}
