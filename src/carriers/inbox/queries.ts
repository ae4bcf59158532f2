import type { Db } from '../../db/database.ts';
import { inputOf } from '../../db/input.ts';
import { type JoinedWrite, statement } from '../../db/statement.ts';
import { type Lane, laneLost } from '../../queue/lanes/lane.ts';
import { addToLanesSql, type LaneValues, laneValues, OWN_LANE_ROW } from '../../queue/lanes/lane-sql.ts';
import { endLane, settleItems, settlingCtes, settlingStatement } from '../../queue/lanes/lanes.ts';
import { drainNewLane, laneOfOffer } from '../../queue/lanes/new-lanes.ts';
import { SYSTEM_LEDGER } from '../../queue/worker/sweep.ts';
import { wake } from '../../queue/worker/wake.ts';
import type { Notice } from '../adapter.ts';

/** The kind of lanes with notices. The group is the connection. The key is the object of the notices. */
export const NOTICE_LANES = 'carrier-notices';

/** How long notices are kept. */
const KEPT = '7 days';
/** The most notices of a lane that one query reads. */
const NOTICES_MAX = 100;
/** Longer texts would not fit into an index entry. No carrier sends such long ones. */
const TEXT_CHARS_MAX = 500;

/** True if the id, key and type of a notice are short enough to be stored. */
export function isFitNotice({ id, key, type }: Notice): boolean {
  return [id, key, type].every((text) => text.length <= TEXT_CHARS_MAX);
}

const NOTICES = inputOf<Notice>('notices', {
  notice_id: ['text', ({ id }) => id],
  lane_key: ['text', ({ key }) => key],
  type: ['text', ({ type }) => type],
  body: ['text', ({ body }) => JSON.stringify(body)],
});

type StoreValues = {
  readonly connection_id: string;
  readonly notices: readonly Notice[];
  readonly claim_token: string | null;
  readonly claim_ms: number | null;
};
type StoredNotices = { readonly stored: readonly string[]; readonly lease_token: string | null; readonly at: Date };

const STORE = statement<StoreValues, StoredNotices>(
  'carrier_inbox_store',
  `with stored as (
     insert into carrier_inbox (connection_id, notice_id, lane_key, type, body)
     select :connection_id, n.notice_id, n.lane_key, n.type, n.body::json
     from ${NOTICES.rows('n', 'position')} order by n.position
     on conflict (connection_id, notice_id) do nothing
     returning lane_key, notice_id
   ), written_lanes as (
     ${addToLanesSql({
       ledgerId: `${SYSTEM_LEDGER}`,
       kind: `'${NOTICE_LANES}'`,
       groupId: ':connection_id',
       laneKey: 'lane_key',
       items: 'count(*)',
       from: 'from stored group by lane_key order by lane_key',
       claim: { token: ':claim_token::text', leaseMs: ':claim_ms::float8' },
     })}
     returning lease_token
   )
   select array(select notice_id from stored) as stored, (select lease_token from written_lanes limit 1) as lease_token,
     clock_timestamp() as at`,
);

/**
 * Stores notices, each once. If notices about one object create a lane, this process passes them on immediately, if it
 * has capacity. Otherwise the workers are woken. Returns how many notices were new.
 */
export async function storeNotices(db: Db, connectionId: string, notices: readonly Notice[]): Promise<number> {
  const [laneKey, ...others] = new Set(notices.map(({ key }) => key));
  const offer = others.length > 0 ? undefined : db.offers.get(NOTICE_LANES, connectionId);
  const claim = { claim_token: offer?.leaseToken ?? null, claim_ms: offer?.leaseMs ?? null };
  const [row] = await db.query(STORE, { connection_id: connectionId, notices, ...claim });
  // If two notices have the same id, only the first is stored.
  const ids = new Set(row?.stored);
  const stored = notices.filter(({ id }) => ids.delete(id));
  if (stored.length === 0) return 0;
  if (offer !== undefined && row?.lease_token === offer.leaseToken) {
    const key = { ledgerId: SYSTEM_LEDGER, kind: NOTICE_LANES, groupId: connectionId, laneKey: laneKey as string };
    const { at } = row;
    const items = stored.map((notice): WaitingNotice => ({ ...notice, age_ms: 0, at }));
    drainNewLane(db, { lane: laneOfOffer(key, offer), items });
  } else {
    wake(db, 'lanes', NOTICE_LANES);
  }
  return stored.length;
}

// The statement also checks the claim: a worker without the claim reads nothing.
const READ = statement<LaneValues, WaitingNotice | { readonly id: null }>(
  'carrier_inbox_read',
  `select i.notice_id as id, i.lane_key as key, i.type, i.body,
     extract(epoch from clock_timestamp() - i.received_at)::float8 * 1000 as age_ms
   from ${OWN_LANE_ROW} l
   left join lateral (
     select * from carrier_inbox
     where connection_id = l.group_id and lane_key = l.lane_key and state = 'waiting'
     order by position limit ${NOTICES_MAX}) i on true
   order by i.position`,
);

/** `at` is the time when the notice was stored. It is present only if the notice was stored just now. */
export type WaitingNotice = Notice & { readonly age_ms: number; readonly at?: Date };

/** Returns the waiting notices of a lane, in the order of their arrival. Throws LeaseLostError. */
export async function readWaiting(db: Db, lane: Lane): Promise<WaitingNotice[]> {
  const rows = await db.query(READ, laneValues(lane));
  if (rows.length === 0) throw laneLost(lane);
  return rows.filter((row): row is WaitingNotice => row.id !== null);
}

const STATE = statement(
  'carrier_inbox_state',
  'select state from carrier_inbox where connection_id = $1 and notice_id = $2',
);

/** Returns the state of a notice; undefined if the database does not have it. */
export async function findNoticeState(db: Db, connectionId: string, id: string): Promise<string | undefined> {
  const [row] = await db.query<{ state: string }>(STATE, [connectionId, id]);
  return row?.state;
}

const HAS_LEDGER = statement(
  'carrier_inbox_has_ledger',
  `select 1 from ledgers where id = $1 and state in ('active', 'moving')`,
);

/** True if a ledger is in this database. A copy of it, or the remains after a move, do not count. */
export async function hasLedger(db: Db, ledgerId: number): Promise<boolean> {
  return (await db.query(HAS_LEDGER, [ledgerId])).length > 0;
}

type NoticeState = 'done' | 'ignored' | 'dropped';
type MoveValues = { readonly notice_id: string; readonly notice_state: NoticeState };

const MOVE = `update carrier_inbox set state = :notice_state
   where connection_id = :lane_group and notice_id = :notice_id and exists (select 1 from own_claim)
   returning 1`;

const SETTLE = settlingStatement<MoveValues>('carrier_inbox_settle', MOVE);

const SETTLING = settlingCtes(MOVE, 'exists (select 1 from locked)');

/**
 * Records the result of a notice and removes it from its lane, in the transaction of its effects. Throws
 * LeaseLostError.
 */
export async function settleNotice(
  db: Db,
  lane: Lane,
  { id, state }: { id: string; state: NoticeState },
): Promise<void> {
  await settleItems(db, SETTLE, lane, { done: 1, values: { notice_id: id, notice_state: state } });
}

/**
 * Returns the write that records that a notice is completed and removes it from its lane. The write is joined to the
 * statement with the notice's effects.
 */
export function settlingWrite(lane: Lane, id: string): JoinedWrite {
  const values = { ...laneValues(lane), done: 1, notice_id: id, notice_state: 'done' };
  return {
    name: 'carrier_inbox',
    ctes: SETTLING,
    condition: 'exists (select 1 from own_claim)',
    result: '(select remaining from own_claim)',
    values,
  };
}

/** Handles the result of `settlingWrite`. A lane ends with its last notice. */
export function noteSettled(db: Db, lane: Lane, remaining: unknown): void {
  if (remaining === 0) endLane(db, lane);
}

const SWEEP = statement(
  'carrier_inbox_sweep',
  `delete from carrier_inbox where (connection_id, notice_id) in (
     select connection_id, notice_id from carrier_inbox
     where received_at < statement_timestamp() - interval '${KEPT}' and state <> 'waiting'
     order by received_at limit $1)
   returning 1`,
);

/** Deletes up to `rows` expired notices. Returns their number. */
export async function sweepNotices(db: Db, rows: number): Promise<number> {
  return (await db.query(SWEEP, [rows])).length;
}

const LIST = statement(
  'carrier_inbox_list',
  `select i.received_at, i.type, i.lane_key as about, i.state, i.notice_id as id
   from (select * from carrier_inbox order by received_at desc limit 10000) i
   where i.connection_id = $1 order by i.received_at desc limit $2`,
);

type ListedNotice = {
  readonly received_at: Date;
  readonly type: string;
  readonly about: string;
  readonly state: 'waiting' | NoticeState;
  readonly id: string;
};

/**
 * Returns the latest notices of a connection, newest first. Reads only the latest 10,000 notices of all connections.
 */
export async function listNotices(db: Db, connectionId: string, rows: number): Promise<ListedNotice[]> {
  return await db.query<ListedNotice>(LIST, [connectionId, rows]);
}
