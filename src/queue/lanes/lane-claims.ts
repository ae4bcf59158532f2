import type { Db } from '../../db/database.ts';
import { inputOf } from '../../db/input.ts';
import { PAUSED_SQL } from '../../db/pause.ts';
import { statement } from '../../db/statement.ts';
import type { Lane } from './lane.ts';
import type { DueGroup, Found, Share } from './scheduler.ts';

// A skip scan. In the index, the first failed lane of each group and its first healthy lane say when the next lane is
// due. So the scan costs two probes per group, however many lanes there are.
const DUE_GROUPS = statement(
  'lanes_due_groups',
  `with recursive heads as (
     (select group_id, failures > 0 as failed, run_at from lanes where kind = $1 and run_at < 'infinity'
      order by group_id, (failures > 0), run_at limit 1)
     union all
     select next.group_id, next.failed, next.run_at from heads cross join lateral (
       select group_id, failures > 0 as failed, run_at from lanes
       where kind = $1 and run_at < 'infinity' and (group_id, (failures > 0)) > (heads.group_id, heads.failed)
       order by group_id, (failures > 0), run_at limit 1) next)
   select group_id, failed, 0::float8 as in_ms from heads where run_at <= statement_timestamp()
   union all
   select null, null, extract(epoch from min(run_at) - clock_timestamp())::float8 * 1000 from heads
   where run_at > statement_timestamp()`,
);

// A lane that was paused while it was claimed, and whose worker died, is not claimed here: it becomes paused (due at
// infinity). The commit is asynchronous. If a crash of the database undoes a claim, the lane is due again, and the
// lease token keeps the former holder from writing. Finished lanes leave their entries in the index until it is
// vacuumed; `since_ms` lets the scan begin after the lanes that this process finished. The lock (no key update) allows
// the claim of a standing lane while transactions add items to it, because their commits wake no worker.
const SHARES = inputOf<Share>('shares', {
  group_id: ['text', ({ groupId }) => groupId],
  failed: ['boolean', ({ failed }) => failed],
  slots: ['int', ({ slots }) => slots],
  since_ms: ['float8', ({ sinceMs }) => sinceMs ?? null],
});
type ClaimValues = {
  readonly kind: string;
  readonly shares: readonly Share[];
  readonly lease_token: string;
  readonly lease_ms: number;
};
type ClaimedRow =
  | { ledger_id: number; group_id: string; lane_key: string; failures: number; failed: null }
  | { group_id: string; failed: boolean; count: number; until_ms: number };

const claimStatement = (name: string, condition: string) =>
  statement<ClaimValues, ClaimedRow>(
    name,
    `with due as materialized (
       select w.group_id, w.failed, l.row_id, l.run_at
       from ${SHARES.rows('w')}
       cross join lateral (
         select ctid as row_id, run_at from lanes
         where kind = :kind and group_id = w.group_id and ${condition} run_at <= statement_timestamp()
           and run_at >= coalesce(to_timestamp(w.since_ms / 1000), '-infinity') and run_at < 'infinity'
           and not ${PAUSED_SQL}
         order by run_at limit w.slots for no key update skip locked) l
     ), claimed as (
       update lanes set lease_token = case when paused then null else :lease_token end,
         run_at = case when paused then 'infinity' else clock_timestamp() + make_interval(secs => :lease_ms::float8 / 1000) end
       where ctid = any(array(select row_id from due))
       returning *)
     select ledger_id, group_id, lane_key, failures, null::boolean as failed, null::int as count, null::float8 as until_ms
     from claimed where not paused and (select set_config('synchronous_commit', 'off', true)) is not null
     union all
     select null, group_id, null, null, failed, count(*)::int, floor(extract(epoch from max(run_at)) * 1000)::float8
     from due group by group_id, failed`,
  );

const CLAIM = claimStatement('lanes_claim', '');

const CLAIM_APART = claimStatement('lanes_claim_apart', '(failures > 0) = w.failed and');

const DUE_GROUPS_OF_LEDGER = statement(
  'lanes_due_groups_ledger',
  `select kind, group_id, failures > 0 as failed from lanes
   where ledger_id = $1 and run_at <= statement_timestamp() group by 1, 2, 3`,
);

const RELEASE_TOKEN = statement(
  'lanes_release_token',
  `update lanes set lease_token = null, run_at = case when paused then 'infinity' else clock_timestamp() end
   where ctid = any(array(
     select ctid from lanes
     where kind = $1 and group_id = any($2::text[]) and (failures > 0) = any('{false,true}'::bool[])
       and run_at > statement_timestamp() and run_at < 'infinity' and lease_token = $3
       and run_at <= statement_timestamp() + make_interval(secs => $4::float8 / 1000)
     for no key update skip locked))`,
);

const RENEWED = inputOf<Lane>('renewed_lanes', {
  ledger_id: ['int', (lane) => lane.ledgerId],
  kind: ['text', (lane) => lane.kind],
  group_id: ['text', (lane) => lane.groupId],
  lane_key: ['text', (lane) => lane.laneKey],
  lease_token: ['text', (lane) => lane.leaseToken],
});

const RENEW = statement<{ readonly renewed_lanes: readonly Lane[]; readonly lease_ms: number }>(
  'lanes_renew',
  `update lanes set run_at = clock_timestamp() + make_interval(secs => :lease_ms::float8 / 1000)
   where ctid = any(array(
     select l.ctid from lanes l
     join ${RENEWED.rows('m')}
     on l.ledger_id = m.ledger_id and l.kind = m.kind and l.group_id = m.group_id and l.lane_key = m.lane_key
       and l.lease_token = m.lease_token
     for no key update of l skip locked))`,
);

type DueRow = { group_id: string; failed: boolean };

const toDue = ({ group_id, failed }: DueRow): DueGroup => ({ groupId: group_id, failed });

/** Finds the groups with a due lane, and the milliseconds until a lane of another group is due, if any. */
export async function findDueGroups(
  db: Db,
  kind: string,
): Promise<{ groups: DueGroup[]; nextInMs: number | undefined }> {
  const rows = await db.query<(DueRow | { group_id: null }) & { in_ms: number | null }>(DUE_GROUPS, [kind]);
  const groups = rows.flatMap((row) => (row.group_id === null ? [] : [toDue(row)]));
  return { groups, nextInMs: rows.find((row) => row.group_id === null)?.in_ms ?? undefined };
}

/** Finds the groups of one ledger with a due lane, by the kinds of lanes. */
export async function findDueLedgerGroups(db: Db, ledgerId: number): Promise<Map<string, DueGroup[]>> {
  const rows = await db.query<DueRow & { kind: string }>(DUE_GROUPS_OF_LEDGER, [ledgerId]);
  const byKind = Map.groupBy(rows, ({ kind }) => kind);
  return new Map([...byKind].map(([kind, found]) => [kind, found.map(toDue)]));
}

type Claim = {
  readonly shares: readonly Share[];
  /** True: the share counts either failed or healthy lanes. False: it counts all lanes of its group. */
  readonly apart?: boolean;
  readonly leaseMs: number;
  readonly leaseToken: string;
};

export type ClaimedLanes = { readonly lanes: Lane[]; readonly found: Found[] };

/** Claims due lanes, in each group the longest due first. `found` has no entry for groups without due lanes. */
export async function claimLanes(
  db: Db,
  kind: string,
  { shares, apart = false, leaseMs, leaseToken }: Claim,
): Promise<ClaimedLanes> {
  const values = { kind, shares, lease_token: leaseToken, lease_ms: leaseMs };
  const rows = await db.query(apart ? CLAIM_APART : CLAIM, values);
  const lanes: Lane[] = [];
  const found: Found[] = [];
  for (const row of rows) {
    const groupId = row.group_id;
    if (row.failed !== null) {
      found.push({ groupId, failed: row.failed, count: row.count, untilMs: row.until_ms });
    } else {
      const { ledger_id: ledgerId, lane_key: laneKey, failures } = row;
      lanes.push({ ledgerId, kind, groupId, laneKey, failures, leaseToken, leaseMs });
    }
  }
  return { lanes, found };
}

/** Releases the lanes of a claim whose answer was lost. The token is the token of that claim. */
export async function releaseLostLanes(
  db: Db,
  kind: string,
  { shares, leaseToken, leaseMs }: Omit<Claim, 'apart'>,
): Promise<void> {
  const groups = shares.map(({ groupId }) => groupId);
  await db.query(RELEASE_TOKEN, [kind, groups, leaseToken, leaseMs]);
}

/** Renews leases: they end `leaseMs` from now. */
export async function renewLanes(db: Db, lanes: readonly Lane[], leaseMs: number): Promise<void> {
  await db.query(RENEW, { renewed_lanes: lanes, lease_ms: leaseMs });
}
