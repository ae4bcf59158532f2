import type { Db, Tx } from '../../../db/database.ts';
import { nowOf } from '../../../db/ledgers.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { EVENTS_KEPT } from '../events/rules.ts';
import { REPLAY_COLUMNS } from './queries.ts';
import { FAILED_STATUSES, RETRIES_COUNTED_MAX, RETRIES_PER_STEP } from './rules.ts';
import type { WebhookReplay } from './schema.ts';

const failedSql = (status: string) =>
  `(select 1 from deliveries where ledger_id = $1::int and (endpoint_id || '/' || status) = $2 || '/${status}'
    limit ${RETRIES_COUNTED_MAX})`;

const INSERT = statement(
  'webhook_retries_insert',
  `insert into webhook_replays (ledger_id, endpoint_id, id, range_start, range_end, only_missed, retries_failed,
     total_count, written_before, created_at)
   select $1::int, $2, $3, now.at - interval '${EVENTS_KEPT}', now.at, false, true, (
     select count(*) from (${FAILED_STATUSES.map(failedSql).join(' union all ')} limit ${RETRIES_COUNTED_MAX}) f),
     pg_current_xact_id(), now.at
   from ${nowOf('$1::int')} as now
   returning ${REPLAY_COLUMNS}`,
);

/** Inserts a replay that tries the failed deliveries of an endpoint again. */
export async function insertRetry(
  tx: Tx,
  { ledgerId }: Ledger,
  { endpointId, id }: { readonly endpointId: string; readonly id: string },
): Promise<WebhookReplay> {
  const [row] = await tx.query<WebhookReplay>(INSERT, [ledgerId, endpointId, id]);
  return row as WebhookReplay;
}

export type RetryPosition = { readonly last_status: string | null; readonly last_delivery_id: string | null };

const POSITION = statement(
  'webhook_retries_position',
  'select last_status, last_delivery_id from webhook_replays where ledger_id = $1 and endpoint_id = $2 and id = $3',
);

/** Returns the position of a replay that tries deliveries again. */
export async function readPosition(
  db: Db,
  ledgerId: number,
  { endpoint_id, id }: Pick<WebhookReplay, 'endpoint_id' | 'id'>,
): Promise<RetryPosition> {
  const [row] = await db.query<RetryPosition>(POSITION, [ledgerId, endpoint_id, id]);
  return row as RetryPosition;
}

const NEXT = statement(
  'webhook_retries_next',
  `select d.id, e.resource_id from deliveries d join events e on e.ledger_id = d.ledger_id and e.id = d.event_id
   where d.ledger_id = $1 and (d.endpoint_id || '/' || d.status) = $2 and d.id > $3 and d.id < $4
   order by d.id limit ${RETRIES_PER_STEP}`,
);

/** A failed delivery, with the resource whose lane it is in. */
export type FailedDelivery = { readonly id: string; readonly resource_id: string };

/** Returns the next deliveries with a status that were made before the replay. Ids begin with their time. */
export function findFailed(
  db: Db,
  ledgerId: number,
  { replay, status, after }: { readonly replay: WebhookReplay; readonly status: string; readonly after: string },
): Promise<FailedDelivery[]> {
  const before = replay.id.replace(/^[a-z]+_/, 'whd_');
  return db.query<FailedDelivery>(NEXT, [ledgerId, `${replay.endpoint_id}/${status}`, after, before]);
}

const RESTART = statement(
  'webhook_retries_restart',
  `with restarted as (
     update deliveries set status = 'pending', next_attempt_at = null
     where ledger_id = $1 and endpoint_id = $2 and id = any ($3::text[]) and status in ('failed', 'given_up')
     returning id, event_id
   ), waiting as (
     insert into waiting_deliveries as w (ledger_id, endpoint_id, resource_id, sequence, delivery_id, event_id)
     select $1, $2, e.resource_id, e.sequence, r.id, e.id
     from restarted r join events e on e.ledger_id = $1 and e.id = r.event_id
     on conflict (ledger_id, endpoint_id, resource_id, sequence, delivery_id) do update set attempt_count = 0
     returning w.resource_id, w.xmax = 0 as added)
   select resource_id, count(*) filter (where added)::int as added, count(*)::int as restarted
   from waiting group by resource_id`,
);

/** Deliveries of one lane that were started again; `added` of them were not waiting. */
export type Restarted = { readonly resource_id: string; readonly added: number; readonly restarted: number };

/** Starts a new round of attempts for deliveries that are still failed. */
export function restartFailed(
  tx: Tx,
  ledgerId: number,
  endpointId: string,
  ids: readonly string[],
): Promise<Restarted[]> {
  return tx.query<Restarted>(RESTART, [ledgerId, endpointId, ids]);
}

const MOVE = statement(
  'webhook_retries_move',
  `update webhook_replays set last_status = $4, last_delivery_id = $5, delivery_count = delivery_count + $6::int
   where ledger_id = $1 and endpoint_id = $2 and id = $3`,
);

/** Moves a replay behind the deliveries that were tried again. */
export async function moveRetry(
  tx: Tx,
  ledgerId: number,
  { endpoint_id, id }: WebhookReplay,
  moved: { readonly status: string; readonly last: string; readonly count: number },
): Promise<void> {
  await tx.query(MOVE, [ledgerId, endpoint_id, id, moved.status, moved.last, moved.count]);
}
