/**
 * The statements of the delivery path. `LOAD` and `RECORD` serve many lanes at a time, so that a delivery costs the
 * database only its share of a statement and of a commit. They also write the lanes, which the functions of the queue
 * would do in separate statements.
 */
import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Mode } from '../../../lib/scope.ts';
import type { Lane } from '../../../queue/lanes/lane.ts';
import { claimedLaneSql, pauseClaimedLanesSql, settleLanesCtes } from '../../../queue/lanes/lane-sql.ts';
import { FAILING_LIMIT } from '../webhook-endpoints/rules.ts';
import type { Outcome } from './rules.ts';

/** The key of the lane that a row of a delivery statement names. */
function laneOf(row: string, kind = '$6') {
  return { ledgerId: `${row}.ledger_id`, kind, groupId: `${row}.endpoint_id`, laneKey: `${row}.lane_key` };
}

const WANTED = { ...laneOf('w'), leaseToken: 'w.lease_token' };

// Every table is read through a lateral subquery with a limit, which the planner does not merge. Rows are then found by
// their whole key whatever the statistics say, which are never right: lanes are created and deleted too fast. Arrays
// are in a subquery so that the planner cannot see how short they are: it would plan each small batch again.
const LOAD = statement(
  'deliveries_load',
  `with wanted as materialized (
     select * from unnest((select $1::int[]), (select $2::text[]), (select $3::text[]), (select $4::text[]),
       (select $5::int[])) with ordinality as w (ledger_id, endpoint_id, lane_key, lease_token, items_max, position)
   ), endpoints as materialized (
     select k.ledger_id, k.endpoint_id, led.mode, extract(epoch from led.clock_offset)::float8 * 1000 as clock_offset_ms,
       coalesce(e.revision, 0) as revision, coalesce(e.status, 'disabled') as status, e.exists is not true as deleted
     from (select distinct ledger_id, endpoint_id from wanted) k
     cross join lateral (select mode, clock_offset from ledgers where id = k.ledger_id limit 1) led
     left join lateral (
       select revision, status, deleted_at is null as exists from webhook_endpoints
       where ledger_id = k.ledger_id and id = k.endpoint_id limit 1) e on true
   )
   select w.position::int, e.mode, e.clock_offset_ms, e.revision, e.status, e.deleted, l.pending, head.*
   from wanted w
   join endpoints e on e.ledger_id = w.ledger_id and e.endpoint_id = w.endpoint_id
   cross join lateral ${claimedLaneSql(WANTED)} l
   left join lateral (
     select d.delivery_id, d.attempt_count, d.event_id, ev.*
     from (
       select delivery_id, event_id, attempt_count from waiting_deliveries
       where ledger_id = w.ledger_id and endpoint_id = w.endpoint_id and resource_id = w.lane_key
       order by sequence, delivery_id limit w.items_max) d
     cross join lateral (
       select type, created_at, tenant_id, resource_id, sequence, data::text as payload, traceparent from events
       where ledger_id = w.ledger_id and id = d.event_id limit 1) ev
     order by ev.sequence, d.delivery_id) head on true`,
);

/** An event as deliveries need it: `payload` is the stored JSON text of `data`, so that its bytes never change. */
export type StoredEvent = {
  event_id: string;
  type: string;
  created_at: Date;
  tenant_id: string | null;
  resource_id: string;
  sequence: number;
  payload: string;
  /** The trace context of the request that caused the event. */
  traceparent: string | null;
};

type LoadedRow = StoredEvent & {
  position: number;
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

/** A claimed lane with its first deliveries, and the current state of its endpoint. */
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

/** Reads lanes; undefined where the claim is lost. */
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
    const lane = loaded[row.position - 1] ?? { mode, clockOffsetMs, revision, status, deleted, pending, items: [] };
    if (row.delivery_id !== null) lane.items.push(row as LoadedItem);
    loaded[row.position - 1] = lane;
  }
  return loaded;
}

// One row for each secret, newest first.
const TARGET = statement(
  'webhook_endpoints_target',
  `select e.url, e.event_version, e.revision, s.id as secret_id, s.secret,
     extract(epoch from s.expires_at)::float8 * 1000 as expires_at_ms,
     extract(epoch from l.clock_offset)::float8 * 1000 as clock_offset_ms
   from webhook_endpoints e join webhook_secrets s on s.ledger_id = e.ledger_id and s.endpoint_id = e.id
   join ledgers l on l.id = e.ledger_id
   where e.ledger_id = $1 and e.id = $2 and e.deleted_at is null order by s.id desc`,
);

export type TargetRow = {
  url: string;
  event_version: string;
  revision: number;
  secret_id: string;
  secret: Buffer;
  /** Ledger time, epoch; null for the newest. */
  expires_at_ms: number | null;
  /** How far the ledger's clock is ahead of wall time. */
  clock_offset_ms: number;
};

/** Returns the address of an endpoint with each secret that has not been dropped; empty for a deleted endpoint. */
export function findTarget(db: Db, ledgerId: number, endpointId: string): Promise<TargetRow[]> {
  return db.query(TARGET, [ledgerId, endpointId]);
}

const SAME_DELIVERY = `w.ledger_id = t.ledger_id and w.endpoint_id = t.endpoint_id and w.resource_id = t.lane_key
       and w.sequence = t.sequence and w.delivery_id = t.delivery_id`;

// "mine" locks the lanes in the order of every statement that locks several, and reads the count that concurrent
// emitters leave. "tried" are the attempts in those lanes. Attempts are appended as text: making jsonb of them costs
// more than all the rest. A failed delivery waits with its whole lane: a later event must not overtake it.
const RECORD = statement(
  'deliveries_record',
  `with mine as materialized (
     select w.*, l.pending - case when w.status = 'failed' then 0 else w.items end as remaining, l.paused
     from (
       select * from unnest((select $1::int[]), (select $2::text[]), (select $3::text[]), (select $4::text[]),
         (select $5::text[]), (select $7::float8[]), (select $8::int[])) with ordinality
         as w (ledger_id, endpoint_id, lane_key, lease_token, status, delay_ms, items, position)
       order by ledger_id, endpoint_id collate "C", lane_key collate "C") w
     cross join lateral ${claimedLaneSql(WANTED, { lock: true })} l
   ), tried as materialized (
     select m.ledger_id, m.endpoint_id, m.lane_key, m.status, m.delay_ms, a.delivery_id, a.sequence, a.attempt
     from mine m join unnest((select $9::int[]), string_to_array($10, ','), (select $11::int[]),
       string_to_array($12, E'\\x1e')) as a (position, delivery_id, sequence, attempt) on a.position = m.position
   ), recorded as (
     update deliveries d set status = t.status,
       attempts = (case when d.attempts::text = '[]' then '[' else left(d.attempts::text, -1) || ',' end
         || t.attempt || ']')::json,
       next_attempt_at = case when t.status = 'failed'
         then ledger_now(t.ledger_id) + make_interval(secs => t.delay_ms / 1000) end
     from tried t where d.ledger_id = t.ledger_id and d.endpoint_id = t.endpoint_id and d.id = t.delivery_id
   ), done as (
     delete from waiting_deliveries w using tried t where ${SAME_DELIVERY} and t.status <> 'failed'
   ), again as (
     update waiting_deliveries w set attempt_count = w.attempt_count + 1
     from tried t where ${SAME_DELIVERY} and t.status = 'failed'
   ), ${settleLanesCtes('mine', laneOf('m'))}, endpoints as materialized (
     select k.ledger_id, k.endpoint_id, e.*
     from (select distinct ledger_id, endpoint_id from mine) k cross join lateral (
       select revision, failing_since is not null as failing,
         coalesce(failing_since <= ledger_now(ledger_id) - interval '${FAILING_LIMIT}', false) as worn_out
       from webhook_endpoints where ledger_id = k.ledger_id and id = k.endpoint_id limit 1) e
   )
   select m.position::int, greatest(m.remaining, 0)::int as remaining, e.revision, e.failing, e.worn_out
   from mine m join endpoints e on e.ledger_id = m.ledger_id and e.endpoint_id = m.endpoint_id`,
);

/** One attempt. */
export type Tried = {
  readonly item: Pick<LoadedItem, 'delivery_id' | 'sequence'>;
  /** JSON of the attempt. */
  readonly attempt: string;
};

/** Attempts of one lane, in order, and their outcome. A failed attempt is alone. */
export type LaneProgress = { readonly lane: Lane; readonly outcome: Outcome; readonly tried: readonly Tried[] };

export type Recorded = {
  /** Items left in the lane; at 0 it is deleted. */
  readonly remaining: number;
  /** The endpoint's revision now. */
  readonly revision: number;
  /** Whether the endpoint is in a run of failures, and whether that has lasted too long. */
  readonly failing: boolean;
  readonly worn_out: boolean;
};

/** Separates attempts; in JSON it occurs only escaped. */
const RECORD_SEPARATOR = '\x1e';

/**
 * Stores attempts and updates their lanes: subtracts finished items, or delays the lane after a failure. `made` names
 * each lane at most once.
 * @returns per lane what is left, or undefined where the claim is lost and nothing was stored
 */
export async function recordAttempts(
  db: Db,
  kind: string,
  made: readonly LaneProgress[],
): Promise<(Recorded | undefined)[]> {
  const tried = made.flatMap((progress) => progress.tried);
  const rows = await db.query<Recorded & { position: number }>(RECORD, [
    made.map(({ lane }) => lane.ledgerId),
    made.map(({ lane }) => lane.groupId),
    made.map(({ lane }) => lane.laneKey),
    made.map(({ lane }) => lane.leaseToken),
    made.map(({ outcome }) => outcome.status),
    kind,
    made.map(({ outcome }) => outcome.delayMs),
    made.map(({ tried }) => tried.length),
    // Joined here: the driver takes several times as long to write arrays.
    `{${made.flatMap(({ tried }, index) => tried.map(() => index + 1)).join()}}`,
    tried.map(({ item }) => item.delivery_id).join(),
    `{${tried.map(({ item }) => item.sequence).join()}}`,
    tried.map(({ attempt }) => attempt).join(RECORD_SEPARATOR),
  ]);
  const recorded = new Array<Recorded | undefined>(made.length).fill(undefined);
  for (const row of rows) recorded[row.position - 1] = row;
  return recorded;
}

const PAUSE = statement(
  'deliveries_pause_lanes',
  `with off as materialized (
     select ledger_id, id from webhook_endpoints
     where (ledger_id, id) in (select * from unnest($1::int[], $2::text[]))
       and status = 'disabled' and deleted_at is null
     order by ledger_id, id for share
   ), paused as (
     ${pauseClaimedLanesSql(
       `unnest($1::int[], $2::text[], $3::text[], $4::text[]) with ordinality
         as m (ledger_id, endpoint_id, lane_key, lease_token, position)
       join off on off.ledger_id = m.ledger_id and off.id = m.endpoint_id`,
       { ...laneOf('m', '$5'), leaseToken: 'm.lease_token' },
     )}
     returning m.position
   )
   select position::int from paused`,
);

/**
 * Pauses lanes until their endpoint is enabled. The endpoints are locked against that in the meantime, so that no lane
 * stays paused.
 * @returns per lane whether it is paused; false where the endpoint is active again or the claim is lost
 */
export async function pauseLanesOf(db: Db, kind: string, lanes: readonly Lane[]): Promise<boolean[]> {
  const rows = await db.query<{ position: number }>(PAUSE, [
    lanes.map((lane) => lane.ledgerId),
    lanes.map((lane) => lane.groupId),
    lanes.map((lane) => lane.laneKey),
    lanes.map((lane) => lane.leaseToken),
    kind,
  ]);
  const paused = new Set(rows.map(({ position }) => position));
  return lanes.map((_, index) => paused.has(index + 1));
}

const GIVE_UP_LANE = statement(
  'deliveries_give_up_lane',
  `with gone as (
     delete from waiting_deliveries where ledger_id = $1 and endpoint_id = $2 and resource_id = $3
     returning delivery_id)
   update deliveries d set status = 'given_up', next_attempt_at = null
   from gone where d.ledger_id = $1 and d.endpoint_id = $2 and d.id = gone.delivery_id`,
);

/** Gives up all deliveries of one lane. */
export async function giveUpLane(db: Db, lane: Lane): Promise<void> {
  await db.query(GIVE_UP_LANE, [lane.ledgerId, lane.groupId, lane.laneKey]);
}
