import type { Db, Tx } from '../../../db/database.ts';
import { type ListOrder, type ListTable, listReader, type Positioned, tenantReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import type { Range } from '../../../http/schemas/pagination.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { DELIVER_CTES, takesTenantSql } from '../emit-queries.ts';
import { EVENTS_KEPT, SEQUENCES_ENDED } from './rules.ts';
import type { Event } from './schema.ts';

const COLUMNS = `id, 'event' as object, type, event_version, created_at, tenant_id, resource_id, sequence, data`;

/**
 * SQL condition: the event is within its retention. An event past it is never shown, even before a sweep deletes it.
 * The limit is a subquery, so that it is computed once.
 */
export const KEPT = `created_at > (select ledger_now(:ledger_id) - interval '${EVENTS_KEPT}')`;

type OneEvent = { readonly ledger_id: number; readonly id: string };

const FIND = statement<OneEvent, Event>(
  'events_find',
  `select ${COLUMNS} from events where ledger_id = :ledger_id and id = :id and ${KEPT}`,
);

export async function findEvent(db: Db, { ledgerId }: Ledger, id: string): Promise<Event | undefined> {
  const [row] = await db.query(FIND, { ledger_id: ledgerId, id });
  return row;
}

// In both orders the position of an event is the time of its writing. A transaction that emits lasts seconds. So an
// event that was written five minutes before a moment comes before all events from that moment on. Such an event gives
// the position for a moment. Events within the five minutes are read and filtered, so the interval is short.
export const LONGEST_EMIT = `interval '5 minutes'`;
const ORDER: ListOrder = {
  column: 'e.written_by',
  type: 'xid8',
  extremes: ['0', '18446744073709551615'],
  position: 'e.written_by::text',
  moment: 'e.created_at',
  bounds: (start, end) => [
    `coalesce((select written_by from events where ledger_id = :ledger_id
       and created_at < greatest(${start}, ledger_now(:ledger_id) - interval '${EVENTS_KEPT}') - ${LONGEST_EMIT}
       order by created_at desc limit 1), '0'::xid8)`,
    `coalesce((select written_by from events where ledger_id = :ledger_id and created_at >= ${end} + ${LONGEST_EMIT}
       order by created_at limit 1), '18446744073709551615'::xid8)`,
  ],
};

const NEWEST: ListTable = {
  name: 'events_list_newest',
  from: ['events', 'e'],
  columns: COLUMNS,
  order: ORDER,
  shown: `e.${KEPT}`,
  filters: { tenantId: 'e.tenant_id = ?', type: 'e.type = ?' },
};

// Open transactions have numbers from the snapshot's xmin on. So no event below it can become visible any more, and
// each event that becomes visible later comes after every position that was returned.
const FORWARD: ListTable = {
  ...NEWEST,
  name: 'events_list_forward',
  shown: `${NEWEST.shown} and e.written_by < pg_snapshot_xmin(pg_current_snapshot())`,
  ascending: true,
};

/** An event and the transaction that wrote it. */
export type ListedEvent = Positioned<Event>;

const readersOf = (list: ListTable) => ({
  all: tenantReader<ListedEvent>(list),
  type: listReader<ListedEvent>(list, { name: 'type', keys: [{ sql: 'e.type' }] }),
  tenantType: listReader<ListedEvent>(list, { name: 'tenant_type', keys: [{ sql: 'e.tenant_id' }, { sql: 'e.type' }] }),
  resource: listReader<ListedEvent>(list, { name: 'resource', keys: [{ sql: 'e.resource_id' }] }),
});
const READERS = { desc: readersOf(NEWEST), asc: readersOf(FORWARD) };

export type EventFilter = {
  readonly tenantId: string | null;
  readonly type: string | null;
  readonly resourceId: string | null;
  readonly range: Range;
};

/** Position in the order of writing: the transaction, then the event's id. */
export type EventPosition = { readonly writtenBy: string; readonly id: string };

/** Returns events, newest first, or in the order of writing up to the last event whose position is final. */
export function listEventsIn(
  order: 'asc' | 'desc',
  db: Db,
  { ledgerId }: Ledger,
  { tenantId, type, resourceId, after, ...page }: EventFilter & { after: EventPosition | null; rows: number },
): Promise<ListedEvent[]> {
  const readers = READERS[order];
  const before = after === null ? null : [after.writtenBy, after.id];
  if (resourceId !== null) {
    return readers.resource(db, ledgerId, { ...page, before, arms: [[resourceId]], filters: { tenantId, type } });
  }
  if (type !== null && tenantId !== null) {
    return readers.tenantType(db, ledgerId, { ...page, before, arms: [[tenantId, type]] });
  }
  if (type !== null) return readers.type(db, ledgerId, { ...page, before, arms: [[type]] });
  return readers.all(db, ledgerId, { tenantId, ...page, before });
}

const POSITION = statement<OneEvent, { readonly tenant_id: string | null; readonly written_by: string }>(
  'events_position',
  `select tenant_id, written_by::text as written_by from events where ledger_id = :ledger_id and id = :id and ${KEPT}`,
);

/** Returns an event's position and its tenant. */
export async function findPosition(
  db: Db,
  { ledgerId }: Ledger,
  id: string,
): Promise<(EventPosition & { tenantId: string | null }) | undefined> {
  const [row] = await db.query(POSITION, { ledger_id: ledgerId, id });
  return row && { writtenBy: row.written_by, id, tenantId: row.tenant_id };
}

const RESEND = statement<ResendValues>(
  'events_resend',
  `with new_deliveries as (
     select 'whd_' || substr(:first_id, 5, 14) || substr(md5(:first_id || e.id), 1, 12) as id, e.id as endpoint_id,
       v.id as event_id, v.resource_id, v.sequence
     from events v join webhook_endpoints e on ${takesTenantSql('v.tenant_id')}
     where v.ledger_id = :ledger_id::int and v.id = :event_id and v.${KEPT}
       and case when :endpoint_id::text is null
         then e.status = 'active' and (e.enabled_events is null or v.type = any(e.enabled_events))
         else e.id = :endpoint_id end
   ), ${DELIVER_CTES}
   select 1 as done from written_lanes`,
);

type ResendValues = {
  readonly ledger_id: number;
  readonly event_id: string;
  readonly endpoint_id: string | null;
  /** The ids of the deliveries are derived from this one. */
  readonly first_id: string;
};

/**
 * Adds new deliveries of an event: to one endpoint without regard to its event types, or to all active endpoints that
 * want its type. Endpoints of other tenants get none.
 * @returns how many
 */
export async function insertResends(
  tx: Tx,
  { ledgerId }: Ledger,
  eventId: string,
  endpointId: string | null,
): Promise<number> {
  const values = { ledger_id: ledgerId, event_id: eventId, endpoint_id: endpointId };
  return (await tx.query(RESEND, { ...values, first_id: newId('webhook_delivery') })).length;
}

// Uses each ledger's clock. Events are written in the order of their time, so a ledger whose first event is not past
// the limit is skipped. Lanes that lose deliveries here correct their item count when they are next drained.
const SWEEP = statement(
  'events_sweep',
  `with past as materialized (
     select l.id as ledger_id, clock_timestamp() + l.clock_offset - interval '${EVENTS_KEPT}' as before from ledgers l
   ), old as materialized (
     select e.ledger_id, e.id from past cross join lateral (
       select created_at from events where ledger_id = past.ledger_id order by written_by, id limit 1) first
     cross join lateral (
       select ledger_id, id, created_at from events where ledger_id = past.ledger_id
       order by written_by, id limit $1::int) e
     where first.created_at < past.before and e.created_at < past.before
     limit $1::int
   ), gone as (
     delete from events e using old where e.ledger_id = old.ledger_id and e.id = old.id
     returning e.ledger_id, e.id, e.resource_id, e.sequence
   ), made as (
     delete from deliveries d using old where d.ledger_id = old.ledger_id and d.event_id = old.id
     returning d.ledger_id, d.endpoint_id, d.id, d.event_id
   ), waited as (
     delete from waiting_deliveries w using made d join gone g on g.ledger_id = d.ledger_id and g.id = d.event_id
     where w.ledger_id = d.ledger_id and w.endpoint_id = d.endpoint_id and w.resource_id = g.resource_id
       and w.sequence = g.sequence and w.delivery_id = d.id
   ), ended as (
     delete from event_sequences s using gone
     where s.ledger_id = gone.ledger_id and s.resource_id = gone.resource_id and s.last = gone.sequence
       and s.resource_id ~ '${SEQUENCES_ENDED}'
   )
   select count(*)::int as swept from gone`,
);

/** Deletes events past their retention, with their deliveries. @returns how many */
export async function sweepEvents(db: Db, eventsMax: number): Promise<number> {
  const [row] = await db.query<{ swept: number }>(SWEEP, [eventsMax]);
  return row?.swept ?? 0;
}
