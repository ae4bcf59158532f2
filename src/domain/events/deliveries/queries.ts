import type { Db, Tx } from '../../../db/database.ts';
import { joinKeys, listReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { KEPT } from '../events/queries.ts';
import { DELIVERY_STATUSES, type DeliveryStatus } from './rules.ts';
import type { WebhookDelivery } from './schema.ts';

const LIST = {
  name: 'deliveries_list',
  from: ['deliveries', 'd'],
  columns: `d.id, 'webhook_delivery' as object, d.event_id, (
      select e.type from events e where e.ledger_id = d.ledger_id and e.id = d.event_id
    ) as event_type, d.status, d.next_attempt_at, d.attempts`,
  shown: `(select e.${KEPT} from events e where e.ledger_id = d.ledger_id and e.id = d.event_id)`,
  filters: { endpointId: 'd.endpoint_id = ?', status: 'd.status = ?' },
} as const;

const readEndpoint = listReader<WebhookDelivery>(LIST, {
  name: 'endpoint',
  keys: [{ sql: joinKeys('d.endpoint_id', 'd.status') }],
});
// An event has few deliveries.
const readEvent = listReader<WebhookDelivery>(LIST, { name: 'event', keys: [{ sql: 'd.event_id' }] });

const COLUMNS = `d.id, 'webhook_delivery' as object, d.event_id, e.type as event_type, d.status, d.next_attempt_at,
  d.attempts`;

export type DeliveryPage = {
  endpointId: string;
  status: DeliveryStatus | null;
  eventId: string | null;
  before: string | null;
  rows: number;
};

export function listDeliveries(db: Db, { ledgerId }: Ledger, page: DeliveryPage): Promise<WebhookDelivery[]> {
  const { endpointId, status, eventId, before, rows } = page;
  if (eventId !== null) {
    return readEvent(db, ledgerId, { before, rows, arms: [[eventId]], filters: { endpointId, status } });
  }
  const statuses = status === null ? DELIVERY_STATUSES : [status];
  return readEndpoint(db, ledgerId, { before, rows, arms: statuses.map((each) => [`${endpointId}/${each}`]) });
}

const FIND = statement(
  'deliveries_find',
  `select ${COLUMNS}, e.resource_id from deliveries d
   join events e on e.ledger_id = d.ledger_id and e.id = d.event_id
   where d.ledger_id = $1 and d.endpoint_id = $2 and d.id = $3 and e.${KEPT}`,
);

/** Returns the delivery, with the resource whose lane it is in. */
export async function findDelivery(
  db: Db,
  { ledgerId }: Ledger,
  endpointId: string,
  id: string,
): Promise<(WebhookDelivery & { resource_id: string }) | undefined> {
  const [row] = await db.query<WebhookDelivery & { resource_id: string }>(FIND, [ledgerId, endpointId, id]);
  return row;
}

const RESTART = statement(
  'deliveries_restart',
  `with restarted as (
     update deliveries set status = 'pending', next_attempt_at = null
     where ledger_id = $1 and endpoint_id = $2 and id = $3 returning event_id)
   insert into waiting_deliveries as w (ledger_id, endpoint_id, resource_id, sequence, delivery_id, event_id)
   select $1, $2, e.resource_id, e.sequence, $3, e.id
   from restarted r join events e on e.ledger_id = $1 and e.id = r.event_id
   on conflict (ledger_id, endpoint_id, resource_id, sequence, delivery_id) do update set attempt_count = 0
   returning w.xmax = 0 as added`,
);

/** Starts a new round of attempts. @returns true if the delivery was not waiting, so that its lane has one item more */
export async function restartDelivery(tx: Tx, { ledgerId }: Ledger, endpointId: string, id: string): Promise<boolean> {
  const [row] = await tx.query<{ added: boolean }>(RESTART, [ledgerId, endpointId, id]);
  return row?.added ?? false;
}

const GIVE_UP = statement(
  'deliveries_give_up',
  `with gone as (
     delete from waiting_deliveries where ledger_id = $1 and endpoint_id = $2 returning delivery_id)
   update deliveries d set status = 'given_up', next_attempt_at = null
   from gone where d.ledger_id = $1 and d.endpoint_id = $2 and d.id = gone.delivery_id`,
);

/** Gives up all waiting deliveries of an endpoint. */
export async function giveUpDeliveries(tx: Tx, ledgerId: number, endpointId: string): Promise<void> {
  await tx.query(GIVE_UP, [ledgerId, endpointId]);
}
