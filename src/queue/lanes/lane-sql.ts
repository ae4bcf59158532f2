/**
 * SQL texts on the table `lanes` for statements of other folders, so that only this folder knows its columns. The parts
 * of a lane's key are SQL expressions. A caller that inserts lanes also calls `wake(db, 'lanes', kind)`.
 */
import { PAUSED_SQL } from '../../db/pause.ts';
import type { Lane } from './lane.ts';

export const LANE_COLUMNS = '(ledger_id, kind, group_id, lane_key, pending, paused, run_at)';
export const LANE_CONFLICT = `on conflict (ledger_id, kind, group_id, lane_key)
   do update set pending = lanes.pending + excluded.pending`;

// A claimed lane keeps its lease, and its worker finds the new items.
const DUE_NOW = `run_at = case when lanes.lease_token is null and not lanes.paused
     then least(lanes.run_at, excluded.run_at) else lanes.run_at end`;

/** SQL expressions for the key of a lane. */
export type LaneKeySql = {
  readonly ledgerId: string;
  readonly kind: string;
  readonly groupId: string;
  readonly laneKey: string;
};

/**
 * SQL expressions for the claim on a new lane: a token of type text, null for no claim; milliseconds of type float8.
 */
type NewClaimSql = { readonly token: string; readonly leaseMs: string };

/**
 * Returns a statement that adds items to lanes and creates missing lanes, which are due now. A `returning` clause may
 * follow it.
 * @param items the counts to add; at most one row per lane, so sum them first
 * @param from the `from` clause and the rest of the select, ordered by the key so that concurrent statements cannot
 * deadlock
 * @param hurries if true, a lane that waits for a retry is due now; for items that may overtake the failed one
 * @param claim the token of the claim on new lanes: afterwards it is the `lease_token` of each claimed lane
 */
export function addToLanesSql({
  ledgerId,
  kind,
  groupId,
  laneKey,
  items,
  from,
  hurries = false,
  claim,
}: LaneKeySql & {
  items: string;
  from: string;
  hurries?: boolean;
  claim?: NewClaimSql;
}): string {
  const columns = claim === undefined ? LANE_COLUMNS : LANE_COLUMNS.replace(')', ', lease_token)');
  return `insert into lanes ${columns}
     select ${ledgerId}, ${kind}, ${groupId}, ${laneKey}, ${items}, false, clock_timestamp()${claimedSql(claim)}
     ${from}
     ${LANE_CONFLICT}${hurries ? `, ${DUE_NOW}` : ''}`;
}

/**
 * Returns SQL that adds the lease to the `run_at` of a new lane, and its `lease_token`. While the installation is
 * paused, the lane is not claimed.
 */
function claimedSql(claim: NewClaimSql | undefined): string {
  if (claim === undefined) return '';
  const token = `case when not ${PAUSED_SQL} then ${claim.token} end`;
  return ` + case when ${token} is null then interval '0'
       else make_interval(secs => ${claim.leaseMs} / 1000) end, ${token}`;
}

/** Condition for the row of one claimed lane; its values are `laneValues`. */
export const OWN_LANE = `ledger_id = :lane_ledger and kind = :lane_kind and group_id = :lane_group and lane_key = :lane_key
       and lease_token = :lane_token`;

export type LaneValues = Readonly<Record<'lane_kind' | 'lane_group' | 'lane_key' | 'lane_token', string>> & {
  readonly lane_ledger: number;
};

/** Returns the values of `OWN_LANE`. */
export function laneValues({ ledgerId, kind, groupId, laneKey, leaseToken }: Lane): LaneValues {
  return {
    lane_ledger: ledgerId,
    lane_kind: kind,
    lane_group: groupId,
    lane_key: laneKey,
    lane_token: leaseToken,
  };
}

/** A subquery for the row of one claimed lane, empty once the claim is lost; its values are `laneValues`. */
export const OWN_LANE_ROW = `(select * from lanes where ${OWN_LANE})`;

/** Returns an expression for the milliseconds until the lease of a row of `lanes` ends. */
export function leaseLeftMsSql(row: string): string {
  return `extract(epoch from ${row}.run_at - clock_timestamp())::float8 * 1000`;
}

/**
 * Returns a subquery for the `pending` and `paused` columns of a claimed lane. The limit keeps the planner from merging
 * it, so that the row is found by its whole key whatever the statistics say.
 */
export function claimedLaneSql(
  { ledgerId, kind, groupId, laneKey, leaseToken }: LaneKeySql & { leaseToken: string },
  { lock = false } = {},
): string {
  return `(
       select pending, paused from lanes
       where ledger_id = ${ledgerId} and kind = ${kind} and group_id = ${groupId} and lane_key = ${laneKey}
         and lease_token = ${leaseToken} limit 1${lock ? ' for update' : ''})`;
}

/** Returns the condition that the row `row` of `lanes` is the lane of this key. */
function laneKeySql(row: string, { ledgerId, kind, groupId, laneKey }: LaneKeySql): string {
  return `${row}.ledger_id = ${ledgerId} and ${row}.kind = ${kind} and ${row}.group_id = ${groupId}
       and ${row}.lane_key = ${laneKey}`;
}

/**
 * Returns two CTEs that write the remaining counts of claimed lanes and delete lanes without items. `source` names a
 * CTE that has locked the lanes. It is `m` in the expressions of the key, and has the columns `remaining`, `paused` and
 * `delay_ms`. If `delay_ms` is null, the claim continues and the count of failures is 0 again. Otherwise the claim ends
 * with one more failure, and the lane is due again after `delay_ms`.
 */
export function settleLanesCtes(source: string, key: LaneKeySql): string {
  return `emptied_lanes as (
     delete from lanes l using ${source} m where ${laneKeySql('l', key)} and m.remaining <= 0
   ), kept_lanes as (
     update lanes l set pending = m.remaining,
       failures = case when m.delay_ms is null then 0 else l.failures + 1 end,
       lease_token = case when m.delay_ms is null then l.lease_token end,
       run_at = case when m.delay_ms is null then l.run_at when m.paused then 'infinity'
         else clock_timestamp() + make_interval(secs => m.delay_ms / 1000) end
     from ${source} m where ${laneKeySql('l', key)} and m.remaining > 0
   )`;
}

/**
 * Returns a statement that ends claims and pauses the lanes until `resumeLanes`; a `returning` clause may follow it.
 * @param from rows `m` with the key and the lease token of the lanes
 */
export function pauseClaimedLanesSql(from: string, key: LaneKeySql & { leaseToken: string }): string {
  return `update lanes l set paused = true, lease_token = null, run_at = 'infinity'
     from ${from}
     where ${laneKeySql('l', key)} and l.lease_token = ${key.leaseToken}`;
}

/** Returns a join that adds the row `l` of a lane to each row of a query, with nulls if there is no such lane. */
export function leftJoinLaneSql(key: LaneKeySql): string {
  return `left join lanes l on ${laneKeySql('l', key)}`;
}

/** Returns the condition that the row `row` of `lanes` is neither due nor claimed. */
export function laneWaitsSql(row: string): string {
  return `${row}.lease_token is null and ${row}.run_at > statement_timestamp()`;
}
