import type { Db } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import type { Lane } from './job.ts';

// A skip scan: the first index entry of each group tells whether it has a due lane, and when it will have one, so the
// cost is one probe per group, however many lanes a group has.
const DUE_GROUPS = statement(
  'lanes_due_groups',
  `with recursive heads as (
     (select group_id, run_at from lanes where kind = $1 and run_at < 'infinity'
      order by group_id, run_at limit 1)
     union all
     select next.group_id, next.run_at from heads cross join lateral (
       select group_id, run_at from lanes where kind = $1 and run_at < 'infinity' and group_id > heads.group_id
       order by group_id, run_at limit 1) next)
   select group_id, 0::float8 as in_ms from heads where run_at <= statement_timestamp()
   union all
   select null, extract(epoch from min(run_at) - clock_timestamp())::float8 * 1000 from heads
   where run_at > statement_timestamp()`,
);

// A lane that became held while in hand and whose holder died comes to rest here instead of being claimed. The commit
// is not waited for: a claim that a crash of the database takes back is a due lane, whose holder is fenced out.
const CLAIM = statement(
  'lanes_claim',
  `with claimed as (
     update lanes set lease_token = case when held then null else $4 end,
       run_at = case when held then 'infinity' else clock_timestamp() + make_interval(secs => $5::float8 / 1000) end
     where ctid = any(array(
       select l.place from unnest((select $2::text[]), (select $3::int[])) as w (group_id, slots) cross join lateral (
         select ctid as place from lanes
         where kind = $1 and group_id = w.group_id and run_at <= statement_timestamp() and run_at < 'infinity'
         order by run_at limit w.slots for update skip locked) l))
     returning *)
   select ledger_id, group_id, lane_key, failures from claimed
   where not held and (select set_config('synchronous_commit', 'off', true)) is not null`,
);

const DUE_GROUPS_OF_LEDGER = statement(
  'lanes_due_groups_ledger',
  `select group_id from lanes where ledger_id = $1 and kind = $2 and run_at <= statement_timestamp()
   group by group_id order by min(run_at)`,
);

const RENEW = statement(
  'lanes_renew',
  `update lanes set run_at = clock_timestamp() + make_interval(secs => $6::float8 / 1000)
   where ctid = any(array(
     select l.ctid from lanes l
     join unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[])
       as m (ledger_id, kind, group_id, lane_key, lease_token)
     on l.ledger_id = m.ledger_id and l.kind = m.kind and l.group_id = m.group_id and l.lane_key = m.lane_key
       and l.lease_token = m.lease_token
     for update of l skip locked))`,
);

/** How many lanes to claim at most in each group. */
export type GroupSlots = ReadonlyMap<string, number>;

/** Groups with a due lane, and milliseconds until the next lane of another group falls due, if any. */
export async function findDueGroups(
  db: Db,
  kind: string,
): Promise<{ groupIds: string[]; nextInMs: number | undefined }> {
  const rows = await db.query<{ group_id: string | null; in_ms: number | null }>(DUE_GROUPS, [kind]);
  const groupIds = rows.flatMap((row) => (row.group_id === null ? [] : [row.group_id]));
  return { groupIds, nextInMs: rows.find((row) => row.group_id === null)?.in_ms ?? undefined };
}

/** Groups of one ledger with a due lane, the longest due first. */
export async function findDueLedgerGroups(db: Db, ledgerId: number, kind: string): Promise<string[]> {
  const rows = await db.query<{ group_id: string }>(DUE_GROUPS_OF_LEDGER, [ledgerId, kind]);
  return rows.map((row) => row.group_id);
}

/** Claims due lanes, in each group the longest due first. */
export async function claimLanes(
  db: Db,
  kind: string,
  { slots, leaseMs, leaseToken }: { slots: GroupSlots; leaseMs: number; leaseToken: string },
): Promise<Lane[]> {
  const rows = await db.query<{ ledger_id: number; group_id: string; lane_key: string; failures: number }>(CLAIM, [
    kind,
    [...slots.keys()],
    [...slots.values()],
    leaseToken,
    leaseMs,
  ]);
  return rows.map(({ ledger_id, group_id, lane_key, failures }) => ({
    ledgerId: ledger_id,
    kind,
    groupId: group_id,
    laneKey: lane_key,
    failures,
    leaseToken,
    leaseMs,
  }));
}

/** Moves the end of the leases to `leaseMs` from now. */
export async function renewLanes(db: Db, lanes: readonly Lane[], leaseMs: number): Promise<void> {
  const columns = (['ledgerId', 'kind', 'groupId', 'laneKey', 'leaseToken'] as const).map((column) =>
    lanes.map((lane) => lane[column]),
  );
  await db.query(RENEW, [...columns, leaseMs]);
}
