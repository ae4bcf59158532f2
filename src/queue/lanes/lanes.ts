/**
 * A lane is a queue of items that must be worked on in order. Its row counts the items that are committed and not yet
 * done: whoever commits items adds to the counter in the same transaction, and whoever does them takes off. Both lock
 * the row, and READ COMMITTED makes the second see what the first wrote, so the statement that brings the counter to
 * zero deletes the lane and no item is ever left without one.
 *
 * Every operation of a holder is fenced by its lease token and throws LeaseLostError when the lane is another's, so
 * that the transaction it stands in rolls back.
 */
import type { Db, Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Lane } from '../jobs/job.ts';
import { laneLost } from '../worker/lease.ts';
import { wake } from '../worker/wake.ts';
import { LANE_COLUMNS, LANE_CONFLICT, laneValues, OWN_LANE } from './lane-sql.ts';

/** Items to add to a lane, made on the way if it does not exist. */
export type LaneItems = {
  readonly ledgerId: number;
  readonly kind: string;
  readonly groupId: string;
  readonly laneKey: string;
  readonly items: number;
  /** True if the group is held now: a new lane waits for `resumeLanes`. */
  readonly held?: boolean;
};

const ADD = statement(
  'lanes_add',
  `insert into lanes ${LANE_COLUMNS}
   select ledger_id, kind, group_id, lane_key, sum(items), bool_or(held),
     case when bool_or(held) then 'infinity' else clock_timestamp() end
   from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::int[], $6::bool[])
     as n (ledger_id, kind, group_id, lane_key, items, held)
   group by 1, 2, 3, 4 order by 1, 2, 3, 4 ${LANE_CONFLICT}`,
);

const KEY = 'l.ledger_id = m.ledger_id and l.kind = m.kind and l.group_id = m.group_id and l.lane_key = m.lane_key';

// "mine" waits for open emitters and sees the count they leave; the row is locked from then on, so the two writes
// that follow agree on what is left.
const SETTLE = statement(
  'lanes_settle',
  `with mine as materialized (
     select m.place, l.ledger_id, l.kind, l.group_id, l.lane_key, l.pending - m.done as remaining
     from lanes l
     join unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[]) with ordinality
       as m (ledger_id, kind, group_id, lane_key, lease_token, done, place)
     on ${KEY} and l.lease_token = m.lease_token
     order by 2, 3, 4, 5 for update of l),
   empty as (delete from lanes l using mine m where ${KEY} and m.remaining <= 0),
   rest as (update lanes l set pending = m.remaining, failures = 0 from mine m where ${KEY} and m.remaining > 0)
   select place::int, greatest(remaining, 0) as remaining from mine`,
);

const PAUSE = statement(
  'lanes_pause',
  `update lanes set lease_token = null, failures = coalesce(failures + $7::int, 0),
     run_at = case when held then 'infinity' else clock_timestamp() + make_interval(secs => $6::float8 / 1000) end
   where ${OWN_LANE} returning 1 as done`,
);

const RENEW = statement(
  'lanes_renew_one',
  `update lanes set run_at = clock_timestamp() + make_interval(secs => $6::float8 / 1000) where ${OWN_LANE} returning 1 as done`,
);

// Lanes in hand, whose run_at lies ahead, keep their lease and come to rest held when it ends.
const HOLD = statement(
  'lanes_hold',
  `with those as materialized (
     select * from lanes where ledger_id = $1 and kind = $2 and group_id = $3 order by lane_key for update)
   update lanes l set held = true,
     run_at = case when m.lease_token is null or m.run_at <= clock_timestamp() then 'infinity' else m.run_at end,
     lease_token = case when m.run_at <= clock_timestamp() then null else m.lease_token end
   from those m where ${KEY}`,
);

const RESUME = statement(
  'lanes_resume',
  `with those as materialized (
     select * from lanes where ledger_id = $1 and kind = $2 and group_id = $3 and held order by lane_key for update)
   update lanes l set held = false, failures = 0,
     run_at = case when m.lease_token is null then clock_timestamp() else m.run_at end
   from those m where ${KEY}`,
);

const DROP = statement(
  'lanes_drop',
  `with those as materialized (
     select * from lanes where ledger_id = $1 and kind = $2 and group_id = $3 order by lane_key for update)
   delete from lanes l using those m where ${KEY}`,
);

type LaneKey = Pick<Lane, 'ledgerId' | 'kind' | 'groupId' | 'laneKey'>;

const ended = new WeakSet<Lane>();

/** True once the holder has ended the claim itself: the lane is empty, released or postponed. */
export function isLaneEnded(lane: Lane): boolean {
  return ended.has(lane);
}

/** Tells the engine that a statement of the holder's own has ended the claim. */
export function endLane(lane: Lane): void {
  ended.add(lane);
}

/** Adds items to lanes, in the transaction that stores the items. Lanes at rest become due and workers wake. */
export async function addToLanes(tx: Tx, added: readonly LaneItems[]): Promise<void> {
  if (added.length === 0) return;
  await tx.query(ADD, [
    added.map((lane) => lane.ledgerId),
    added.map((lane) => lane.kind),
    added.map((lane) => lane.groupId),
    added.map((lane) => lane.laneKey),
    added.map((lane) => lane.items),
    added.map((lane) => lane.held ?? false),
  ]);
  for (const kind of new Set(added.map((lane) => lane.kind))) wake(tx, 'lanes', kind);
}

/**
 * Takes done items off many lanes in one statement, each lane for itself; meant for a batcher.
 * @returns per lane the items that remain (0: the lane is gone), or undefined where the claim was lost
 */
export async function settleLanes(
  db: Db,
  settled: readonly { readonly lane: Lane; readonly done: number }[],
): Promise<(number | undefined)[]> {
  const columns = (['ledgerId', 'kind', 'groupId', 'laneKey', 'leaseToken'] as const).map((column) =>
    settled.map(({ lane }) => lane[column]),
  );
  const rows = await db.query<{ place: number; remaining: number }>(SETTLE, [
    ...columns,
    settled.map(({ done }) => done),
  ]);
  const remaining = new Array<number | undefined>(settled.length).fill(undefined);
  for (const row of rows) {
    remaining[row.place - 1] = row.remaining;
    const lane = settled[row.place - 1]?.lane;
    if (row.remaining === 0 && lane !== undefined) ended.add(lane);
  }
  return remaining;
}

/**
 * Takes `done` items off a lane in the transaction of their effects.
 * @returns items that remain; at 0 the lane is gone and the drain ends
 */
export async function settleLaneItems(tx: Tx, lane: Lane, done: number): Promise<number> {
  const [remaining] = await settleLanes(tx, [{ lane, done }]);
  if (remaining === undefined) throw laneLost(lane);
  return remaining;
}

/** Ends the claim after a failure of the item at the head: counts it and makes the lane due again in `delayMs`. */
export async function postponeLane(tx: Tx, lane: Lane, { delayMs }: { delayMs: number }): Promise<void> {
  await pause(tx, lane, { delayMs, failures: 1 });
}

/** Ends the claim with items left: the lane is due at once, or in `delayMs`. */
export async function releaseLane(tx: Tx, lane: Lane, { delayMs = 0 } = {}): Promise<void> {
  await pause(tx, lane, { delayMs, failures: 0 });
}

/** Ends the claim with items left that have to wait, without fault of theirs: the lane is due again in `delayMs`. */
export async function restLane(tx: Tx, lane: Lane, { delayMs }: { delayMs: number }): Promise<void> {
  await pause(tx, lane, { delayMs, failures: null });
}

type Pause = {
  delayMs: number;
  /** Added to those before it; null forgets them. */
  failures: number | null;
};

async function pause(tx: Tx, lane: Lane, { delayMs, failures }: Pause): Promise<void> {
  const done = await tx.query(PAUSE, [...laneValues(lane), delayMs, failures]);
  if (done.length === 0) throw laneLost(lane);
  ended.add(lane);
  wake(tx, 'lanes', lane.kind, delayMs);
}

/** Moves the end of the lease to a whole one from now. Workers renew by themselves; this proves that the claim holds. */
export async function renewLane(db: Db, lane: Lane): Promise<void> {
  const done = await db.query(RENEW, [...laneValues(lane), lane.leaseMs]);
  if (done.length === 0) throw laneLost(lane);
}

/** Stops the lanes of a group until `resumeLanes`. Lanes in hand finish their claim and come to rest held. */
export async function holdLanes(tx: Tx, ledgerId: number, kind: string, groupId: string): Promise<void> {
  await tx.query(HOLD, [ledgerId, kind, groupId]);
}

/** Lets the lanes of a group run again, at once and with failures forgotten. */
export async function resumeLanes(tx: Tx, ledgerId: number, kind: string, groupId: string): Promise<void> {
  await tx.query(RESUME, [ledgerId, kind, groupId]);
  wake(tx, 'lanes', kind);
}

/** Deletes the lanes of a group, also those in hand, whose holders are fenced out. */
export async function dropLanes(tx: Tx, ledgerId: number, kind: string, groupId: string): Promise<void> {
  await tx.query(DROP, [ledgerId, kind, groupId]);
}

const LOCK = statement(
  'lanes_lock',
  'select 1 from lanes where ledger_id = $1 and kind = $2 and group_id = $3 and lane_key = $4 for update',
);

/** Locks the lane, if it exists, against workers and other callers until the transaction ends. */
export async function lockLane(tx: Tx, { ledgerId, kind, groupId, laneKey }: LaneKey): Promise<void> {
  await tx.query(LOCK, [ledgerId, kind, groupId, laneKey]);
}

const HURRY = statement(
  'lanes_hurry',
  `update lanes set run_at = clock_timestamp()
   where ledger_id = $1 and kind = $2 and group_id = $3 and lane_key = $4
     and lease_token is null and not held and run_at > clock_timestamp()`,
);

/** Makes a lane that waits for its due time due now. */
export async function hurryLane(tx: Tx, { ledgerId, kind, groupId, laneKey }: LaneKey): Promise<void> {
  await tx.query(HURRY, [ledgerId, kind, groupId, laneKey]);
  wake(tx, 'lanes', kind);
}
