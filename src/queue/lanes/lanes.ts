/**
 * Lanes that count their items. A lane's row counts the items that are committed and not yet done. The transaction that
 * commits items adds to the counter, and the transaction that finishes them subtracts. Both lock the row, and READ
 * COMMITTED makes the second read the writes of the first. So the statement that brings the counter to zero deletes the
 * lane, and every item has a lane.
 *
 * Every operation on a claimed lane checks its lease token, and throws LeaseLostError if another worker has the lane,
 * so that the transaction around it rolls back.
 */
import type { Db, Tx } from '../../db/database.ts';
import { inputOf } from '../../db/input.ts';
import { type Statement, statement } from '../../db/statement.ts';
import { wake } from '../worker/wake.ts';
import { type Lane, type LaneKey, laneLost } from './lane.ts';
import { LANE_COLUMNS, LANE_CONFLICT, type LaneValues, laneValues, OWN_LANE } from './lane-sql.ts';

/** Items to add to a lane, which is created if it does not exist. */
export type LaneItems = LaneKey & {
  readonly items: number;
  /** True if the group is paused now, so that a new lane waits for `resumeLanes`. */
  readonly paused?: boolean;
};

const ADDED = inputOf<LaneItems>('added_lanes', {
  ledger_id: ['int', (lane) => lane.ledgerId],
  kind: ['text', (lane) => lane.kind],
  group_id: ['text', (lane) => lane.groupId],
  lane_key: ['text', (lane) => lane.laneKey],
  items: ['int', (lane) => lane.items],
  paused: ['boolean', (lane) => lane.paused ?? false],
});

const ADD = statement<{ readonly added_lanes: readonly LaneItems[] }>(
  'lanes_add',
  `insert into lanes ${LANE_COLUMNS}
   select ledger_id, kind, group_id, lane_key, sum(items), bool_or(paused),
     case when bool_or(paused) then 'infinity' else clock_timestamp() end
   from ${ADDED.rows('n')}
   group by 1, 2, 3, 4 order by 1, 2, 3, 4 ${LANE_CONFLICT}`,
);

type SettledLane = { readonly lane: Lane; readonly done: number };

const KEY = 'l.ledger_id = m.ledger_id and l.kind = m.kind and l.group_id = m.group_id and l.lane_key = m.lane_key';

// "own_claim" waits for transactions that add items, and reads the count that they leave. The row is locked from then
// on, so the two writes that follow use the same remaining count.
const SETTLED = inputOf<SettledLane>('settled_lanes', {
  ledger_id: ['int', ({ lane }) => lane.ledgerId],
  kind: ['text', ({ lane }) => lane.kind],
  group_id: ['text', ({ lane }) => lane.groupId],
  lane_key: ['text', ({ lane }) => lane.laneKey],
  lease_token: ['text', ({ lane }) => lane.leaseToken],
  done: ['int', ({ done }) => done],
});

const SETTLE = statement<
  { readonly settled_lanes: readonly SettledLane[] },
  { readonly position: number; readonly remaining: number }
>(
  'lanes_settle',
  `with own_claim as materialized (
     select m.position, l.ledger_id, l.kind, l.group_id, l.lane_key, l.pending - m.done as remaining
     from lanes l
     join ${SETTLED.rows('m', 'position')}
     on ${KEY} and l.lease_token = m.lease_token
     order by 2, 3, 4, 5 for update of l),
   emptied as (delete from lanes l using own_claim m where ${KEY} and m.remaining <= 0),
   kept as (update lanes l set pending = m.remaining, failures = 0 from own_claim m where ${KEY} and m.remaining > 0)
   select position::int, greatest(remaining, 0) as remaining from own_claim`,
);

type ClaimEndValues = LaneValues & {
  readonly failures: number | null;
  readonly items_max: number | null;
  readonly delay_ms: number;
};

const END_CLAIM = statement<ClaimEndValues, { readonly due_now: boolean | null }>(
  'lanes_end_claim',
  `update lanes set lease_token = null, failures = coalesce(failures + :failures::int, 0),
     run_at = case when paused then 'infinity' when pending > :items_max::int then clock_timestamp()
       else clock_timestamp() + make_interval(secs => :delay_ms::float8 / 1000) end
   where ${OWN_LANE} returning pending > :items_max::int as due_now`,
);

const RENEW = statement<LaneValues & { readonly lease_ms: number }>(
  'lanes_renew_one',
  `update lanes set run_at = clock_timestamp() + make_interval(secs => :lease_ms::float8 / 1000)
   where ${OWN_LANE} returning 1 as done`,
);

// A claimed lane, whose run_at is ahead, keeps its lease and is paused when the claim ends.
const PAUSE = statement(
  'lanes_pause',
  `with those as materialized (
     select * from lanes where ledger_id = $1 and kind = $2 and group_id = $3 order by lane_key for update)
   update lanes l set paused = true,
     run_at = case when m.lease_token is null or m.run_at <= clock_timestamp() then 'infinity' else m.run_at end,
     lease_token = case when m.run_at <= clock_timestamp() then null else m.lease_token end
   from those m where ${KEY}`,
);

const RESUME = statement(
  'lanes_resume',
  `with those as materialized (
     select * from lanes where ledger_id = $1 and kind = $2 and group_id = $3 and paused order by lane_key for update)
   update lanes l set paused = false, failures = 0,
     run_at = case when m.lease_token is null then clock_timestamp() else m.run_at end
   from those m where ${KEY}`,
);

const DROP = statement(
  'lanes_drop',
  `with those as materialized (
     select * from lanes where ledger_id = $1 and kind = $2 and group_id = $3 order by lane_key for update)
   delete from lanes l using those m where ${KEY}`,
);

const LOCK = statement(
  'lanes_lock',
  'select 1 from lanes where ledger_id = $1 and kind = $2 and group_id = $3 and lane_key = $4 for update',
);

const HURRY = statement(
  'lanes_hurry',
  `update lanes set run_at = clock_timestamp(), failures = least(failures, 1)
   where ledger_id = $1 and kind = $2 and group_id = $3 and lane_key = $4
     and lease_token is null and not paused and run_at > clock_timestamp()`,
);

const ended = new WeakSet<Lane>();

/** True once the drain has ended the claim: the lane is empty, released or postponed. */
export function isLaneEnded(lane: Lane): boolean {
  return ended.has(lane);
}

/**
 * Records that a statement of the drain has ended the claim. Within a transaction it does so after the commit: after a
 * rollback the claim continues.
 */
export function endLane(db: Pick<Db, 'afterCommit'>, lane: Lane): void {
  db.afterCommit(() => ended.add(lane));
}

/** Adds items to lanes, in the transaction that stores the items, and wakes the workers. New lanes are due now. */
export async function addToLanes(tx: Tx, added: readonly LaneItems[]): Promise<void> {
  if (added.length === 0) return;
  await tx.query(ADD, { added_lanes: added });
  for (const kind of new Set(added.map((lane) => lane.kind))) wake(tx, 'lanes', kind);
}

/**
 * Subtracts finished items from many lanes in one statement, each lane independently of the others.
 * @returns per lane the items that remain (0: the lane is deleted), or undefined where the claim was lost
 */
export async function settleLanes(db: Db, settled: readonly SettledLane[]): Promise<(number | undefined)[]> {
  const rows = await db.query(SETTLE, { settled_lanes: settled });
  const remaining = new Array<number | undefined>(settled.length).fill(undefined);
  for (const row of rows) {
    remaining[row.position - 1] = row.remaining;
    const lane = settled[row.position - 1]?.lane;
    if (row.remaining === 0 && lane !== undefined) endLane(db, lane);
  }
  return remaining;
}

/**
 * Subtracts `done` items from a lane in the transaction of their effects.
 * @returns items that remain; at 0 the lane is deleted and the drain ends
 */
export async function settleLaneItems(tx: Tx, lane: Lane, done: number): Promise<number> {
  const [remaining] = await settleLanes(tx, [{ lane, done }]);
  if (remaining === undefined) throw laneLost(lane);
  return remaining;
}

/**
 * Declares a statement that deletes finished items, which are rows, and subtracts them from their lane. A drain with
 * no other effect then needs one round trip.
 * @param deletion deletes the items; it may use `laneValues`, and must delete only
 *   `where exists (select 1 from own_claim)`, which is empty once the claim is lost
 */
export function settlingStatement<Given>(name: string, deletion: string): Settling<Given> {
  return statement(name, `with ${settlingCtes(deletion)} select remaining from own_claim`);
}

/** The values of `settlingCtes`, without the values of the deletion. */
type SettlingValues = LaneValues & { readonly done: number };
type Settling<Given> = Statement<SettlingValues & Given, { readonly remaining: number }>;

/**
 * Returns the CTEs of `settlingStatement`, for a statement that has more effects.
 * @param condition nothing is settled unless it holds
 */
export function settlingCtes(deletion: string, condition = 'true'): string {
  return `own_claim as materialized (
       select greatest(pending - :done::int, 0) as remaining from lanes where ${OWN_LANE} and ${condition} for update
     ), deleted_items as (${deletion}
     ), emptied_lane as (
       delete from lanes where ${OWN_LANE} and (select remaining from own_claim) = 0
     ), shortened_lane as (
       update lanes set pending = (select remaining from own_claim), failures = 0
       where ${OWN_LANE} and (select remaining from own_claim) > 0
     )`;
}

/**
 * Subtracts `done` items from a lane by a statement of `settlingStatement`.
 * @returns items that remain; at 0 the lane is deleted and the drain ends
 * @throws LeaseLostError if another worker has the lane
 */
export async function settleItems<Given>(
  db: Db,
  settling: Settling<Given>,
  lane: Lane,
  { done, values }: { done: number; values: Given },
): Promise<number> {
  const [row] = await db.query(settling, { ...laneValues(lane), done, ...values });
  if (row === undefined) throw laneLost(lane);
  if (row.remaining === 0) endLane(db, lane);
  return row.remaining;
}

/**
 * Ends the claim after an item failed: counts a failure, and makes the lane due in `delayMs`. A lane with more items
 * than `itemsMax` is due now.
 */
export async function postponeLane(
  tx: Tx,
  lane: Lane,
  { delayMs, itemsMax }: { delayMs: number; itemsMax?: number },
): Promise<void> {
  await endClaim(tx, lane, { delayMs, failures: 1, itemsMax });
}

/** Ends the claim with items left: the lane is due now, or in `delayMs`. */
export async function releaseLane(tx: Tx, lane: Lane, { delayMs = 0 } = {}): Promise<void> {
  await endClaim(tx, lane, { delayMs, failures: 0 });
}

/**
 * Ends the claim with items that must wait but have not failed. Resets the failures to 0, and makes the lane due in
 * `delayMs`.
 */
export async function delayLane(tx: Tx, lane: Lane, { delayMs }: { delayMs: number }): Promise<void> {
  await endClaim(tx, lane, { delayMs, failures: null });
}

type ClaimEnd = {
  delayMs: number;
  /** Added to the earlier ones; null resets them to 0. */
  failures: number | null;
  itemsMax?: number | undefined;
};

async function endClaim(tx: Tx, lane: Lane, { delayMs, failures, itemsMax }: ClaimEnd): Promise<void> {
  const values = { ...laneValues(lane), delay_ms: delayMs, failures, items_max: itemsMax ?? null };
  const [released] = await tx.query(END_CLAIM, values);
  if (released === undefined) throw laneLost(lane);
  endLane(tx, lane);
  wake(tx, 'lanes', lane.kind, released.due_now === true ? 0 : delayMs);
}

/**
 * Renews the lease for its whole length. Workers renew leases automatically; this call checks that the claim is not
 * lost.
 */
export async function renewLane(db: Db, lane: Lane): Promise<void> {
  const done = await db.query(RENEW, { ...laneValues(lane), lease_ms: lane.leaseMs });
  if (done.length === 0) throw laneLost(lane);
}

/** Pauses the lanes of a group until `resumeLanes`. Claimed lanes are paused when their claim ends. */
export async function pauseLanes(tx: Tx, ledgerId: number, kind: string, groupId: string): Promise<void> {
  await tx.query(PAUSE, [ledgerId, kind, groupId]);
}

/** Resumes the paused lanes of a group: they are due now, with 0 failures. */
export async function resumeLanes(tx: Tx, ledgerId: number, kind: string, groupId: string): Promise<void> {
  await tx.query(RESUME, [ledgerId, kind, groupId]);
  wake(tx, 'lanes', kind);
}

/** Deletes the lanes of a group, claimed lanes too: their holders lose the claim. */
export async function dropLanes(tx: Tx, ledgerId: number, kind: string, groupId: string): Promise<void> {
  await tx.query(DROP, [ledgerId, kind, groupId]);
}

/** Locks the lane, if it exists, against workers and other callers until the transaction ends. */
export async function lockLane(tx: Tx, { ledgerId, kind, groupId, laneKey }: LaneKey): Promise<void> {
  await tx.query(LOCK, [ledgerId, kind, groupId, laneKey]);
}

/** Makes a waiting lane due now, with 0 failures. Does nothing for a lane that is claimed, paused or due already. */
export async function hurryLane(tx: Tx, { ledgerId, kind, groupId, laneKey }: LaneKey): Promise<void> {
  await tx.query(HURRY, [ledgerId, kind, groupId, laneKey]);
  wake(tx, 'lanes', kind);
}
