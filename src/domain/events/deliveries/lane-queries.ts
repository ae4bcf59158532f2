/**
 * The statements of the delivery path. `LOAD` and `RECORD` serve many lanes at a time, so that a delivery costs the
 * database only its share of a statement and of a commit. They also write the lanes, which the functions of the queue
 * would do in separate statements.
 */
import type { Db } from '../../../db/database.ts';
import { type Columns, inputOf } from '../../../db/input.ts';
import { statement } from '../../../db/statement.ts';
import type { Mode } from '../../../lib/scope.ts';
import type { Lane } from '../../../queue/lanes/lane.ts';
import { claimedLaneSql, pauseClaimedLanesSql, settleLanesCtes } from '../../../queue/lanes/lane-sql.ts';
import { FAILING_LIMIT } from '../webhook-endpoints/rules.ts';
import type { Outcome } from './rules.ts';

/** The key of the lane that a row of a delivery statement names. */
function laneOf(row: string) {
  return { ledgerId: `${row}.ledger_id`, kind: ':kind', groupId: `${row}.endpoint_id`, laneKey: `${row}.lane_key` };
}

const LANE_COLUMNS: Columns<{ readonly lane: Lane }> = {
  ledger_id: ['int', ({ lane }) => lane.ledgerId],
  endpoint_id: ['text', ({ lane }) => lane.groupId],
  lane_key: ['text', ({ lane }) => lane.laneKey],
  lease_token: ['text', ({ lane }) => lane.leaseToken],
};

export type LaneToLoad = { readonly lane: Lane; readonly itemsMax: number };

const TO_LOAD = inputOf<LaneToLoad>('lanes_to_load', {
  ...LANE_COLUMNS,
  items_max: ['int', ({ itemsMax }) => itemsMax],
});

const WANTED = { ...laneOf('w'), leaseToken: 'w.lease_token' };

// Every table is read through a lateral subquery with a limit, which the planner does not merge. Rows are then found by
// their whole key, even with wrong statistics. The statistics are always wrong, because lanes are created and deleted
// too fast.
const LOAD = statement<{ readonly kind: string; readonly lanes_to_load: readonly LaneToLoad[] }, LoadedRow>(
  'deliveries_load',
  `with wanted as materialized (
     select * from ${TO_LOAD.rows('w', 'position')}
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
  /** Null for a lane without deliveries; the fields after it are null too. */
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

/** Reads lanes; undefined where the claim is lost. */
export async function loadLanes(
  db: Db,
  kind: string,
  wanted: readonly LaneToLoad[],
): Promise<(LoadedLane | undefined)[]> {
  const rows = await db.query(LOAD, { kind, lanes_to_load: wanted });
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

const MADE = inputOf<LaneProgress>('lanes_made', {
  ...LANE_COLUMNS,
  status: ['text', ({ outcome }) => outcome.status],
  delay_ms: ['float8', ({ outcome }) => outcome.delayMs],
  items: ['int', ({ attempts }) => attempts.length],
});

/** An attempt, and the position of its lane in the list. */
type LaneAttempt = MadeAttempt & { readonly position: number };

const ATTEMPTS = inputOf<LaneAttempt>('attempts', {
  position: ['int', ({ position }) => position],
  delivery_id: ['joined text', ({ item }) => item.delivery_id],
  sequence: ['int', ({ item }) => item.sequence],
  attempt: ['joined text', ({ attempt }) => attempt],
});

type RecordValues = {
  readonly kind: string;
  readonly lanes_made: readonly LaneProgress[];
  readonly attempts: readonly LaneAttempt[];
};

// "own_claim" locks the lanes in the same order as every statement that locks several lanes, and reads the count that
// concurrent emitters leave. "stored_attempts" are the attempts in those lanes. Attempts are appended as text: making
// jsonb of them costs more than all the rest. A failed delivery waits with its whole lane: a later event must not
// overtake it.
const RECORD = statement<RecordValues, Recorded & { readonly position: number }>(
  'deliveries_record',
  `with own_claim as materialized (
     select w.*, l.pending - case when w.status = 'failed' then 0 else w.items end as remaining, l.paused
     from (
       select * from ${MADE.rows('w', 'position')}
       order by ledger_id, endpoint_id collate "C", lane_key collate "C") w
     cross join lateral ${claimedLaneSql(WANTED, { lock: true })} l
   ), stored_attempts as materialized (
     select m.ledger_id, m.endpoint_id, m.lane_key, m.status, m.delay_ms, a.delivery_id, a.sequence, a.attempt
     from own_claim m join ${ATTEMPTS.rows('a')} on a.position = m.position
   ), recorded as (
     update deliveries d set status = t.status,
       attempts = (case when d.attempts::text = '[]' then '[' else left(d.attempts::text, -1) || ',' end
         || t.attempt || ']')::json,
       next_attempt_at = case when t.status = 'failed'
         then ledger_now(t.ledger_id) + make_interval(secs => t.delay_ms / 1000) end
     from stored_attempts t where d.ledger_id = t.ledger_id and d.endpoint_id = t.endpoint_id and d.id = t.delivery_id
   ), done as (
     delete from waiting_deliveries w using stored_attempts t where ${SAME_DELIVERY} and t.status <> 'failed'
   ), again as (
     update waiting_deliveries w set attempt_count = w.attempt_count + 1
     from stored_attempts t where ${SAME_DELIVERY} and t.status = 'failed'
   ), ${settleLanesCtes('own_claim', laneOf('m'))}, endpoints as materialized (
     select k.ledger_id, k.endpoint_id, e.*
     from (select distinct ledger_id, endpoint_id from own_claim) k cross join lateral (
       select revision, failing_since is not null as failing,
         coalesce(failing_since <= ledger_now(ledger_id) - interval '${FAILING_LIMIT}', false) as worn_out
       from webhook_endpoints where ledger_id = k.ledger_id and id = k.endpoint_id limit 1) e
   )
   select m.position::int, greatest(m.remaining, 0)::int as remaining, e.revision, e.failing, e.worn_out
   from own_claim m join endpoints e on e.ledger_id = m.ledger_id and e.endpoint_id = m.endpoint_id`,
);

/** One attempt. */
export type MadeAttempt = {
  readonly item: Pick<LoadedItem, 'delivery_id' | 'sequence'>;
  /** JSON of the attempt. */
  readonly attempt: string;
};

/** Attempts of one lane, in order, and their outcome. A failed attempt is alone. */
export type LaneProgress = {
  readonly lane: Lane;
  readonly outcome: Outcome;
  readonly attempts: readonly MadeAttempt[];
};

export type Recorded = {
  /** Items left in the lane; at 0 it is deleted. */
  readonly remaining: number;
  /** The endpoint's revision now. */
  readonly revision: number;
  /** Whether the endpoint is in a run of failures, and whether the run has lasted too long. */
  readonly failing: boolean;
  readonly worn_out: boolean;
};

/**
 * Stores attempts and updates their lanes: subtracts finished items, or delays the lane after a failure. `made` names
 * each lane at most once.
 * @returns the remaining work of each lane, or undefined if the claim is lost and nothing was stored
 */
export async function recordAttempts(
  db: Db,
  kind: string,
  made: readonly LaneProgress[],
): Promise<(Recorded | undefined)[]> {
  const attempts = made.flatMap((lane, index) => lane.attempts.map((attempt) => ({ ...attempt, position: index + 1 })));
  const rows = await db.query(RECORD, { kind, lanes_made: made, attempts });
  const recorded = new Array<Recorded | undefined>(made.length).fill(undefined);
  for (const row of rows) recorded[row.position - 1] = row;
  return recorded;
}

const TO_PAUSE = inputOf<{ readonly lane: Lane }>('lanes_to_pause', LANE_COLUMNS);

type PauseValues = { readonly kind: string; readonly lanes_to_pause: readonly { readonly lane: Lane }[] };

const PAUSE = statement<PauseValues, { readonly position: number }>(
  'deliveries_pause_lanes',
  `with off as materialized (
     select ledger_id, id from webhook_endpoints
     where (ledger_id, id) in (select ledger_id, endpoint_id from ${TO_PAUSE.rows('m')})
       and status = 'disabled' and deleted_at is null
     order by ledger_id, id for share
   ), paused as (
     ${pauseClaimedLanesSql(
       `${TO_PAUSE.rows('m', 'position')}
       join off on off.ledger_id = m.ledger_id and off.id = m.endpoint_id`,
       { ...laneOf('m'), leaseToken: 'm.lease_token' },
     )}
     returning m.position
   )
   select position::int from paused`,
);

/**
 * Pauses lanes until their endpoint is enabled. Locks the endpoints, so that none is enabled before the lanes are
 * paused.
 * @returns for each lane, whether it is paused; false if the endpoint is active again or the claim is lost
 */
export async function pauseLanesOf(db: Db, kind: string, lanes: readonly Lane[]): Promise<boolean[]> {
  const rows = await db.query(PAUSE, { kind, lanes_to_pause: lanes.map((lane) => ({ lane })) });
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
