import type { Db, Tx } from '../../../db/database.ts';
import { listReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { KEPT } from '../events/queries.ts';
import { sameHeadersOf } from './attempt.ts';
import type { StoredEvent } from './lane-queries.ts';
import { ATTEMPTS_SHOWN_MAX, type Attempt, DELIVERY_STATUSES, type DeliveryStatus } from './rules.ts';
import type { WebhookDelivery } from './schema.ts';

type StoredDelivery = Omit<WebhookDelivery, 'attempts'> & { attempts: Attempt[] };

/** Returns a row as the API shows it: each attempt with all headers of its request. */
function toShown({ attempts, ...delivery }: StoredDelivery): WebhookDelivery {
  const same = sameHeadersOf(delivery.event_id);
  return {
    ...delivery,
    attempts: attempts
      .slice(-ATTEMPTS_SHOWN_MAX)
      .map(({ at, url = null, request_headers, response_headers = null, ...answer }) => ({
        ...{ at: new Date(at), url, request_headers: { ...same, ...request_headers } },
        ...{ ...answer, response_headers },
      })),
  };
}

const LIST = {
  name: 'deliveries_list',
  from: ['deliveries', 'd'],
  columns: `d.id, 'webhook_delivery' as object, d.event_id, (
      select e.type from events e where e.ledger_id = d.ledger_id and e.id = d.event_id
    ) as event_type, d.status, d.next_attempt_at, d.attempts`,
  shown: `(select e.${KEPT} from events e where e.ledger_id = d.ledger_id and e.id = d.event_id)`,
  filters: { endpointId: 'd.endpoint_id = ?', status: 'd.status = ?' },
} as const;

const readEndpoint = listReader<StoredDelivery>(LIST, {
  name: 'endpoint',
  keys: [{ sql: 'd.endpoint_id' }, { sql: 'd.status' }],
});
// An event has few deliveries.
const readEvent = listReader<StoredDelivery>(LIST, { name: 'event', keys: [{ sql: 'd.event_id' }] });

const COLUMNS = `d.id, 'webhook_delivery' as object, d.event_id, e.type as event_type, d.status, d.next_attempt_at,
  d.attempts`;

export type DeliveryPage = {
  endpointId: string;
  status: DeliveryStatus | null;
  eventId: string | null;
  before: string | null;
  rows: number;
};

export async function listDeliveries(db: Db, ledger: Ledger, page: DeliveryPage): Promise<WebhookDelivery[]> {
  return (await readPage(db, ledger, page)).map(toShown);
}

function readPage(db: Db, { ledgerId }: Ledger, page: DeliveryPage): Promise<StoredDelivery[]> {
  const { endpointId, status, eventId, before, rows } = page;
  if (eventId !== null) {
    return readEvent(db, ledgerId, { before, rows, arms: [[eventId]], filters: { endpointId, status } });
  }
  const statuses = status === null ? DELIVERY_STATUSES : [status];
  return readEndpoint(db, ledgerId, { before, rows, arms: statuses.map((status) => [endpointId, status]) });
}

type OneDelivery = { readonly ledger_id: number; readonly endpoint_id: string; readonly id: string };

const FIND = statement<OneDelivery, StoredDelivery & { readonly resource_id: string }>(
  'deliveries_find',
  `select ${COLUMNS}, e.resource_id from deliveries d
   join events e on e.ledger_id = d.ledger_id and e.id = d.event_id
   where d.ledger_id = :ledger_id and d.endpoint_id = :endpoint_id and d.id = :id and e.${KEPT}`,
);

/** Returns the delivery, with the resource whose lane it is in. */
export async function findDelivery(
  db: Db,
  { ledgerId }: Ledger,
  endpointId: string,
  id: string,
): Promise<(WebhookDelivery & { resource_id: string }) | undefined> {
  const [row] = await db.query(FIND, { ledger_id: ledgerId, endpoint_id: endpointId, id });
  return row && { ...toShown(row), resource_id: row.resource_id };
}

const FIND_EVENT = statement(
  'deliveries_find_event',
  `select e.id as event_id, e.type, e.created_at, e.tenant_id, e.resource_id, e.sequence, e.data::text as payload,
     w.event_version
   from deliveries d
   join events e on e.ledger_id = d.ledger_id and e.id = d.event_id
   join webhook_endpoints w on w.ledger_id = d.ledger_id and w.id = d.endpoint_id
   where d.ledger_id = $1 and d.endpoint_id = $2 and d.id = $3`,
);

/** Returns the event of a delivery as it is sent, with the event version of its endpoint. */
export async function findDeliveredEvent(
  db: Db,
  { ledgerId }: Ledger,
  endpointId: string,
  id: string,
): Promise<(Omit<StoredEvent, 'traceparent'> & { event_version: string }) | undefined> {
  const [row] = await db.query<Omit<StoredEvent, 'traceparent'> & { event_version: string }>(FIND_EVENT, [
    ...[ledgerId, endpointId, id],
  ]);
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
