/**
 * The two statements of the delivery path. Each serves many lanes at once, so that what a delivery costs the database
 * is its share of a statement and of a commit. They touch lanes directly, which the engine's own functions would do in
 * statements of their own.
 */
import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Lane } from '../../../jobs/job.ts';
import type { Mode } from '../../../lib/scope.ts';
import type { StoredEvent } from './envelope.ts';
import { FAILING_LIMIT, type Outcome } from './rules.ts';

const LOAD = statement(
  'deliveries_load',
  `select w.place::int, led.mode, extract(epoch from led.clock_offset)::float8 * 1000 as clock_offset_ms,
     e.revision, e.status, e.deleted_at is not null as deleted, l.pending, head.*
   from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::int[]) with ordinality
     as w (ledger_id, endpoint_id, lane_key, lease_token, items_max, place)
   join lanes l on l.ledger_id = w.ledger_id and l.kind = $6 and l.group_id = w.endpoint_id
     and l.lane_key = w.lane_key and l.lease_token = w.lease_token
   join ledgers led on led.id = w.ledger_id
   join webhook_endpoints e on e.ledger_id = w.ledger_id and e.id = w.endpoint_id
   left join lateral (
     select d.id as delivery_id, d.attempt_count, d.event_id, ev.type, ev.created_at, ev.tenant_id, ev.resource_id,
       ev.sequence, ev.data::text as payload
     from (
       select id, event_id, sequence, attempt_count from deliveries
       where ledger_id = w.ledger_id and endpoint_id = w.endpoint_id and resource_id = w.lane_key
         and status in ('pending', 'failed')
       order by sequence, id limit w.items_max) d
     join events ev on ev.ledger_id = w.ledger_id and ev.id = d.event_id
     order by d.sequence, d.id) head on true`,
);

type LoadedRow = StoredEvent & {
  place: number;
  mode: Mode;
  clock_offset_ms: number;
  revision: number;
  status: 'active' | 'disabled';
  deleted: boolean;
  pending: number;
  /** Null, with all that follows from it, for a lane without deliveries. */
  delivery_id: string | null;
  attempt_count: number;
};

/** A delivery to make, with its event. */
export type LoadedItem = StoredEvent & { readonly delivery_id: string; readonly attempt_count: number };

/** A lane in hand with its first deliveries, and what its endpoint is at this moment. */
export type LoadedLane = {
  readonly mode: Mode;
  readonly clockOffsetMs: number;
  readonly revision: number;
  readonly status: 'active' | 'disabled';
  readonly deleted: boolean;
  /** Items counted in the lane. */
  readonly pending: number;
  readonly items: readonly LoadedItem[];
};

export type LaneToLoad = { readonly lane: Lane; readonly itemsMax: number };

/** Reads lanes; undefined where the claim was lost. */
export async function loadLanes(
  db: Db,
  kind: string,
  wanted: readonly LaneToLoad[],
): Promise<(LoadedLane | undefined)[]> {
  const rows = await db.query<LoadedRow>(LOAD, [
    wanted.map(({ lane }) => lane.ledgerId),
    wanted.map(({ lane }) => lane.groupId),
    wanted.map(({ lane }) => lane.laneKey),
    wanted.map(({ lane }) => lane.leaseToken),
    wanted.map(({ itemsMax }) => itemsMax),
    kind,
  ]);
  const loaded = new Array<(LoadedLane & { items: LoadedItem[] }) | undefined>(wanted.length).fill(undefined);
  for (const row of rows) {
    const { mode, clock_offset_ms: clockOffsetMs, revision, status, deleted, pending } = row;
    const lane = loaded[row.place - 1] ?? { mode, clockOffsetMs, revision, status, deleted, pending, items: [] };
    if (row.delivery_id !== null) lane.items.push(row as LoadedItem);
    loaded[row.place - 1] = lane;
  }
  return loaded;
}

const KEY = 'l.ledger_id = m.ledger_id and l.kind = $9 and l.group_id = m.endpoint_id and l.lane_key = m.lane_key';

// "mine" locks the lanes in the order of all who lock several, and sees the count that open emitters leave. What is
// not done waits with its whole lane: a later event must not overtake it.
const RECORD = statement(
  'deliveries_record',
  `with mine as materialized (
     select m.place, m.ledger_id, m.endpoint_id, m.lane_key, m.delivery_id, m.status, m.attempt, m.delay_ms,
       l.pending, l.held
     from lanes l
     join unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[], $8::float8[])
       with ordinality
       as m (ledger_id, endpoint_id, lane_key, lease_token, delivery_id, status, attempt, delay_ms, place)
     on ${KEY} and l.lease_token = m.lease_token
     order by l.ledger_id, l.group_id, l.lane_key for update of l
   ), recorded as (
     update deliveries d set status = m.status, attempts = d.attempts || m.attempt,
       attempt_count = d.attempt_count + 1,
       next_attempt_at = ledger_now(m.ledger_id) + make_interval(secs => m.delay_ms / 1000)
     from mine m where d.ledger_id = m.ledger_id and d.id = m.delivery_id
   ), emptied as (
     delete from lanes l using mine m where ${KEY} and m.delay_ms is null and m.pending <= 1
   ), advanced as (
     update lanes l set pending = m.pending - 1, failures = 0
     from mine m where ${KEY} and m.delay_ms is null and m.pending > 1
   ), paused as (
     update lanes l set lease_token = null, failures = l.failures + 1,
       run_at = case when m.held then 'infinity' else clock_timestamp() + make_interval(secs => m.delay_ms / 1000) end
     from mine m where ${KEY} and m.delay_ms is not null
   )
   select m.place::int, case when m.delay_ms is null then greatest(m.pending - 1, 0) else m.pending end as remaining,
     e.revision, e.failing_since is not null as failing,
     coalesce(e.failing_since <= clock_timestamp() + led.clock_offset - interval '${FAILING_LIMIT}', false) as worn_out
   from mine m
   join ledgers led on led.id = m.ledger_id
   join webhook_endpoints e on e.ledger_id = m.ledger_id and e.id = m.endpoint_id`,
);

export type AttemptToRecord = {
  readonly lane: Lane;
  readonly deliveryId: string;
  readonly outcome: Outcome;
  /** JSON of the attempt. */
  readonly attempt: string;
};

export type Recorded = {
  /** Items left in the lane; at 0 it is gone. */
  readonly remaining: number;
  /** The endpoint's revision now. */
  readonly revision: number;
  /** Whether the endpoint is in a run of failures, and for too long. */
  readonly failing: boolean;
  readonly worn_out: boolean;
};

/**
 * Stores attempts and moves their lanes on: past what is done, to a later time where it failed. At most one attempt
 * per lane.
 * @returns per attempt what is left, or undefined where the claim was lost and nothing was stored
 */
export async function recordAttempts(
  db: Db,
  kind: string,
  made: readonly AttemptToRecord[],
): Promise<(Recorded | undefined)[]> {
  const rows = await db.query<Recorded & { place: number }>(RECORD, [
    made.map(({ lane }) => lane.ledgerId),
    made.map(({ lane }) => lane.groupId),
    made.map(({ lane }) => lane.laneKey),
    made.map(({ lane }) => lane.leaseToken),
    made.map(({ deliveryId }) => deliveryId),
    made.map(({ outcome }) => outcome.status),
    made.map(({ attempt }) => attempt),
    made.map(({ outcome }) => outcome.delayMs),
    kind,
  ]);
  const recorded = new Array<Recorded | undefined>(made.length).fill(undefined);
  for (const row of rows) recorded[row.place - 1] = row;
  return recorded;
}

const HOLD = statement(
  'deliveries_hold_lanes',
  `with off as materialized (
     select ledger_id, id from webhook_endpoints
     where (ledger_id, id) in (select * from unnest($1::int[], $2::text[]))
       and status = 'disabled' and deleted_at is null
     order by ledger_id, id for share
   ), resting as (
     update lanes l set held = true, lease_token = null, run_at = 'infinity'
     from unnest($1::int[], $2::text[], $3::text[], $4::text[]) with ordinality
       as m (ledger_id, endpoint_id, lane_key, lease_token, place)
     join off on off.ledger_id = m.ledger_id and off.id = m.endpoint_id
     where l.ledger_id = m.ledger_id and l.kind = $5 and l.group_id = m.endpoint_id and l.lane_key = m.lane_key
       and l.lease_token = m.lease_token
     returning m.place
   )
   select place::int from resting`,
);

/**
 * Lays lanes to rest until their endpoint is switched on. The endpoints are locked against that while it happens, so
 * no lane is left lying.
 * @returns per lane whether it rests now; false where the endpoint is active again or the claim was lost
 */
export async function holdLanesOf(db: Db, kind: string, lanes: readonly Lane[]): Promise<boolean[]> {
  const rows = await db.query<{ place: number }>(HOLD, [
    lanes.map((lane) => lane.ledgerId),
    lanes.map((lane) => lane.groupId),
    lanes.map((lane) => lane.laneKey),
    lanes.map((lane) => lane.leaseToken),
    kind,
  ]);
  const resting = new Set(rows.map(({ place }) => place));
  return lanes.map((_, index) => resting.has(index + 1));
}

const GIVE_UP_LANE = statement(
  'deliveries_give_up_lane',
  `update deliveries set status = 'given_up', next_attempt_at = null
   where ledger_id = $1 and endpoint_id = $2 and resource_id = $3 and status in ('pending', 'failed')`,
);

/** Gives up all that waits in one lane. */
export async function giveUpLane(db: Db, lane: Lane): Promise<void> {
  await db.query(GIVE_UP_LANE, [lane.ledgerId, lane.groupId, lane.laneKey]);
}
