import type { Db, Tx } from '../../../db/database.ts';
import { listReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { DELIVER_CTES } from '../emit-queries.ts';
import { LONGEST_EMIT } from '../events/queries.ts';
import { EVENTS_KEPT } from '../events/rules.ts';
import { EVENTS_PER_STEP, WAITING_MAX } from './rules.ts';
import type { WebhookReplay } from './schema.ts';

export const REPLAY_COLUMNS = `id, 'webhook_replay' as object, endpoint_id, range_start as start, range_end as "end", event_types,
  only_missed, retries_failed, status, delivery_count, total_count, created_at, ended_at`;

// The end is at most the start of this transaction. A transaction has its number before its events have their time, so
// all events of the range are of transactions before this one.
const INSERT = statement(
  'webhook_replays_insert',
  `insert into webhook_replays (ledger_id, endpoint_id, id, range_start, range_end, event_types, only_missed,
     written_before, created_at)
   select $1::integer, $2, $3, $4::timestamptz, least($5::timestamptz, now.at), $6::text[], $7,
     pg_current_xact_id(), now.at
   from (select now() + clock_offset as at from ledgers where id = $1) now where $4::timestamptz < now.at
   returning ${REPLAY_COLUMNS}`,
);

export type NewReplay = Readonly<
  Pick<WebhookReplay, 'event_types' | 'only_missed'> & { endpointId: string; id: string; start: Date; end: Date | null }
>;

/** Inserts a replay, which ends at the present if its range ends later; undefined if the range begins in the future. */
export async function insertReplay(tx: Tx, { ledgerId }: Ledger, made: NewReplay): Promise<WebhookReplay | undefined> {
  const { endpointId, id, start, end, event_types, only_missed } = made;
  const values = [ledgerId, endpointId, id, start, end, event_types, only_missed];
  const [row] = await tx.query<WebhookReplay>(INSERT, values);
  return row;
}

const FIND_SQL = `select ${REPLAY_COLUMNS} from webhook_replays where ledger_id = $1 and endpoint_id = $2 and id = $3`;
const FIND = statement('webhook_replays_find', FIND_SQL);
const LOCK = statement('webhook_replays_lock', `${FIND_SQL} for update`);

export async function findReplay(
  db: Db,
  { ledgerId }: Pick<Ledger, 'ledgerId'>,
  endpointId: string,
  id: string,
): Promise<WebhookReplay | undefined> {
  const [row] = await db.query<WebhookReplay>(FIND, [ledgerId, endpointId, id]);
  return row;
}

export async function lockReplay(
  tx: Tx,
  { ledgerId }: Pick<Ledger, 'ledgerId'>,
  endpointId: string,
  id: string,
): Promise<WebhookReplay | undefined> {
  const [row] = await tx.query<WebhookReplay>(LOCK, [ledgerId, endpointId, id]);
  return row;
}

const readEndpoint = listReader<WebhookReplay>(
  { name: 'webhook_replays_list', from: ['webhook_replays', 'r'], columns: REPLAY_COLUMNS },
  { name: 'endpoint', keys: [{ sql: 'r.endpoint_id' }] },
);

export function listReplays(
  db: Db,
  { ledgerId }: Ledger,
  { endpointId, ...page }: { endpointId: string; before: string | null; rows: number },
): Promise<WebhookReplay[]> {
  return readEndpoint(db, ledgerId, { ...page, arms: [[endpointId]] });
}

const END = statement(
  'webhook_replays_end',
  `update webhook_replays set status = $4, ended_at = ledger_now($1)
   where ledger_id = $1 and endpoint_id = $2 and id = $3 returning ${REPLAY_COLUMNS}`,
);

export async function endReplayRow(
  tx: Tx,
  { ledgerId }: Pick<Ledger, 'ledgerId'>,
  { endpoint_id, id }: WebhookReplay,
  status: 'completed' | 'canceled',
): Promise<WebhookReplay> {
  const [row] = await tx.query<WebhookReplay>(END, [ledgerId, endpoint_id, id, status]);
  return row as WebhookReplay;
}

const COUNT_WAITING = statement(
  'webhook_replays_count_waiting',
  `select count(*)::int as waiting from (
     select 1 from waiting_deliveries where ledger_id = $1 and endpoint_id = $2 limit ${WAITING_MAX}) w`,
);

/** Returns true if the endpoint has as many waiting deliveries as a replay may leave it. */
export async function isCrowded(db: Db, ledgerId: number, endpointId: string): Promise<boolean> {
  const [row] = await db.query<{ waiting: number }>(COUNT_WAITING, [ledgerId, endpointId]);
  return (row?.waiting ?? 0) >= WAITING_MAX;
}

/** Returns SQL for the next events of a replay that meet a condition; see "page". */
const nextEventsSql = (condition: string) =>
  `select id, type, resource_id, sequence, created_at, written_by from events
       where ledger_id = :ledger_id::int and ${condition}
         and (written_by, id) > (b.after, b.after_id) and written_by < b.before
       order by written_by, id limit ${EVENTS_PER_STEP}`;

// "page" are the next events in the order of writing. Its bounds are read from events in each step and not stored,
// because the numbers of transactions change when a dump is restored. The page stops before the oldest open
// transaction, so an event that commits late is not passed over. Only one of its two parts has rows. Each part is a
// range of an index.
const STEP = statement<StepValues, ReplayStep>(
  'webhook_replays_step',
  `with replay as materialized (
     select r.*, e.tenant_id from webhook_replays r
     join webhook_endpoints e on e.ledger_id = r.ledger_id and e.id = r.endpoint_id
     where r.ledger_id = :ledger_id::int and r.endpoint_id = :endpoint_id and r.id = :replay_id
   ), bounds as materialized (
     select r.tenant_id, coalesce(done.written_by, (
         select written_by from events
         where ledger_id = :ledger_id::int and created_at <
           greatest(r.range_start, ledger_now(:ledger_id::int) - interval '${EVENTS_KEPT}') - ${LONGEST_EMIT}
         order by created_at desc limit 1), '0'::xid8) as after,
       coalesce(r.last_event_id, '') as after_id,
       least(pg_snapshot_xmin(pg_current_snapshot()), coalesce((
         select written_by from events
         where ledger_id = :ledger_id::int and created_at >= r.range_end + ${LONGEST_EMIT}
         order by created_at limit 1), '18446744073709551615'::xid8)) as before
     from replay r left join events done on done.ledger_id = :ledger_id::int and done.id = r.last_event_id
   ), page as materialized (
     select v.id, v.type, v.resource_id, v.sequence, v.created_at, v.written_by
     from bounds b cross join lateral (
       (${nextEventsSql('b.tenant_id is null')}) union all (${nextEventsSql('tenant_id = b.tenant_id')})) v
   ), new_deliveries as materialized (
     select 'whd_' || substr(:first_id, 5, 14) || substr(md5(:first_id || v.id), 1, 12) as id, :endpoint_id::text as endpoint_id,
       v.id as event_id, v.resource_id, v.sequence
     from page v cross join replay r
     where v.created_at >= r.range_start and v.created_at < r.range_end
       and v.created_at > ledger_now(:ledger_id::int) - interval '${EVENTS_KEPT}'
       and (r.event_types is null or v.type = any(r.event_types))
       and not (r.only_missed and exists (
         select 1 from deliveries d
         where d.ledger_id = :ledger_id::int and d.event_id = v.id and d.endpoint_id = :endpoint_id and d.status <> 'given_up'))
   ), ${DELIVER_CTES}, counted as (
     update webhook_replays r set delivery_count = r.delivery_count + (select count(*) from new_deliveries),
       last_event_id = coalesce((select id from page order by written_by desc, id desc limit 1), r.last_event_id)
     where r.ledger_id = :ledger_id::int and r.endpoint_id = :endpoint_id and r.id = :replay_id
   )
   select (select count(*) from new_deliveries)::int as added,
     (select count(*) from page) < ${EVENTS_PER_STEP} as at_end,
     pg_snapshot_xmin(pg_current_snapshot()) >= r.written_before
       or r.created_at < ledger_now(:ledger_id::int) - ${LONGEST_EMIT} as settled
   from replay r`,
);

/** The result of one step of a replay. */
export type ReplayStep = {
  /** Deliveries that it made. */
  readonly added: number;
  /** True if no later event of the range is visible. */
  readonly at_end: boolean;
  /** True if no more events of the range can become visible. */
  readonly settled: boolean;
};

type StepValues = {
  readonly ledger_id: number;
  readonly endpoint_id: string;
  readonly replay_id: string;
  /** The ids of the deliveries are derived from this one. */
  readonly first_id: string;
};

/** Makes the deliveries of the next events of a replay, which is locked, and moves its position behind them. */
export async function stepReplay(
  tx: Tx,
  ledgerId: number,
  { endpoint_id, id }: Pick<WebhookReplay, 'endpoint_id' | 'id'>,
): Promise<ReplayStep> {
  const values = { ledger_id: ledgerId, endpoint_id, replay_id: id };
  const [row] = await tx.query(STEP, { ...values, first_id: newId('webhook_delivery') });
  return row as ReplayStep;
}

const SWEEP = statement(
  'webhook_replays_sweep',
  `with old as materialized (
     select r.ledger_id, r.endpoint_id, r.id from ledgers l cross join lateral (
       select ledger_id, endpoint_id, id from webhook_replays
       where ledger_id = l.id and created_at < clock_timestamp() + l.clock_offset - interval '${EVENTS_KEPT}'
       order by created_at limit $1::int) r
     limit $1::int)
   delete from webhook_replays r using old
   where r.ledger_id = old.ledger_id and r.endpoint_id = old.endpoint_id and r.id = old.id returning 1 as gone`,
);

/** Deletes replays that are older than every event. @returns how many */
export async function sweepReplays(db: Db, rowsMax: number): Promise<number> {
  return (await db.query(SWEEP, [rowsMax])).length;
}
