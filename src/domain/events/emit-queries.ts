import type { Db, Tx } from '../../db/database.ts';
import { inputOf } from '../../db/input.ts';
import { statement } from '../../db/statement.ts';
import { newId } from '../../lib/ids.ts';
import { addToLanesSql } from '../../queue/lanes/lane-sql.ts';
import { type NewEvent, WEBHOOK_LANES } from './catalog.ts';
import { EVENT_VERSION } from './types/entry.ts';

/**
 * Returns an SQL condition: the endpoint `e` gets the events of the tenant in `tenantId`, an SQL expression that is
 * null for events of the account. The index `webhook_endpoints_of_tenant` answers it.
 */
export function takesTenantSql(tenantId: string): string {
  return `e.ledger_id = :ledger_id::int and e.deleted_at is null
      and coalesce(e.tenant_id, '') = any(array['', coalesce(${tenantId}, '')])`;
}

/**
 * CTEs that store the rows of `new_deliveries` as deliveries and add them to their lanes; `written_lanes` has a row for
 * each lane. `new_deliveries` has the columns id, endpoint_id, event_id, resource_id and sequence.
 */
export const DELIVER_CTES = `kept as (
     insert into deliveries (ledger_id, endpoint_id, id, event_id)
     select :ledger_id::int, endpoint_id, id, event_id from new_deliveries
   ), waiting as (
     insert into waiting_deliveries (ledger_id, endpoint_id, resource_id, sequence, delivery_id, event_id)
     select :ledger_id::int, endpoint_id, resource_id, sequence, id, event_id from new_deliveries
   ), written_lanes as (
     ${addToLanesSql({
       ledgerId: ':ledger_id::int',
       kind: `'${WEBHOOK_LANES}'`,
       groupId: 'endpoint_id',
       laneKey: 'resource_id',
       items: 'count(*)',
       from: 'from new_deliveries group by endpoint_id, resource_id order by endpoint_id, resource_id',
     })}
     returning 1
   )`;

/**
 * SQL condition on `resource_id`: later events of the resource carry the trace context of the latest request for it,
 * because they follow from that request. Other resources live for years.
 */
const KEEPS_TRACE = `resource_id ~ '^(call|cmp|port)_'`;

/**
 * Returns a statement that stores trace contexts for the later events of resources that have no event yet, such as a
 * message.
 * @param from the statement from `from` on
 */
export function rememberTracesSql({
  ledgerId,
  resourceId,
  traceparent,
  from,
}: {
  ledgerId: string;
  resourceId: string;
  traceparent: string;
  from: string;
}): string {
  return `insert into event_sequences (ledger_id, resource_id, last, traceparent)
     select ${ledgerId}, ${resourceId}, 0, ${traceparent} ${from}
     on conflict (ledger_id, resource_id) do update set traceparent = excluded.traceparent`;
}

const REMEMBER = statement<{ readonly ledger_id: number; readonly resource_id: string; readonly traceparent: string }>(
  'events_remember_trace',
  rememberTracesSql({
    ledgerId: ':ledger_id::int',
    resourceId: ':resource_id::text',
    traceparent: ':traceparent::text',
    from: '',
  }),
);

/**
 * Makes later events of a resource carry the trace context of the request that this transaction is part of. Does
 * nothing without a trace context.
 */
export async function rememberTrace(tx: Tx, ledgerId: number, resourceId: string): Promise<void> {
  const { traceparent } = tx;
  if (traceparent !== null) await tx.query(REMEMBER, { ledger_id: ledgerId, resource_id: resourceId, traceparent });
}

// Only this statement knows how many deliveries there are, so it makes their ids. An id is the time-ordered head of the
// event's id and 48 bits of a digest over event and endpoint, which carries the event id's randomness. The only event
// of a resource needs no counter: it takes the trace context that was remembered for it, and removes it.
const emitCtes = (source: string) =>
  `input as (
     select id, type, tenant_id, resource_id, data, is_only, n,
            row_number() over (partition by resource_id order by n) as position,
            count(*) over (partition by resource_id) as together
     from ${source}
   ), remembered as (
     delete from event_sequences where ctid = any(array(
       select s.row_id from input i cross join lateral (
         select ctid as row_id from event_sequences
         where ledger_id = :ledger_id::int and resource_id = i.resource_id limit 1) s
       where i.is_only))
     returning resource_id, traceparent
   ), numbered as (
     insert into event_sequences (ledger_id, resource_id, last, traceparent)
     select :ledger_id::int, resource_id, count(*), case when :traceparent::text is not null and ${KEEPS_TRACE} then :traceparent::text end
     from input where not is_only group by resource_id order by resource_id
     on conflict (ledger_id, resource_id) do update
       set last = event_sequences.last + excluded.last,
           traceparent = coalesce(excluded.traceparent, event_sequences.traceparent)
     returning resource_id, last, traceparent
   ), written as (
     insert into events (ledger_id, id, type, event_version, tenant_id, resource_id, sequence, data, created_at,
       traceparent)
     select :ledger_id::int, i.id, i.type, '${EVENT_VERSION}', i.tenant_id, i.resource_id,
            coalesce(s.last, i.together) - i.together + i.position, i.data::json, (select ledger_now(:ledger_id::int)),
            coalesce(:traceparent::text, s.traceparent, r.traceparent)
     from input i left join numbered s using (resource_id) left join remembered r using (resource_id)
     returning id, type, tenant_id, resource_id, sequence, created_at
   ), new_deliveries as (
     select 'whd_' || substr(w.id, 5, 14) || substr(md5(w.id || e.id), 1, 12) as id, e.id as endpoint_id,
            w.id as event_id, w.resource_id, w.sequence
     from written w
     join webhook_endpoints e on ${takesTenantSql('w.tenant_id')}
      and (e.status = 'active' or e.disabled_reason = 'manual')
      and (e.enabled_events is null or w.type = any(e.enabled_events))
   ), ${DELIVER_CTES}`;

/** An event of a statement with `emittingSql`; null data are filled in there. */
export type PlannedEvent = Omit<NewEvent, 'data'> & { readonly data: NewEvent['data'] | null };

const NEW_EVENTS = inputOf<PlannedEvent>('events', {
  id: ['text', () => newId('event')],
  type: ['text', ({ type }) => type],
  tenant_id: ['text', ({ tenantId }) => tenantId],
  resource_id: ['text', ({ resourceId }) => resourceId],
  data: ['text', ({ data }) => (data === null ? null : JSON.stringify(data))],
  is_only: ['boolean', ({ isOnly }) => isOnly === true],
}).rows('i', 'n');

/** The values of a statement that emits events. */
export type EmittingValues = {
  readonly ledger_id: number;
  readonly events: readonly PlannedEvent[];
  readonly traceparent: string | null;
};

const EMIT = statement<EmittingValues, EmittedRow>(
  'events_emit',
  `with ${emitCtes(NEW_EVENTS)}
   select w.id, w.sequence, w.created_at, (select count(*)::integer from written_lanes) as lanes
   from written w join input i using (id) order by i.n`,
);

export type EmittedRow = { id: string; sequence: number; created_at: Date; lanes: number };

/**
 * Returns the parts of a statement that writes a resource and emits its events: CTEs, and a column for its result, an
 * array of `WrittenEvent`. Their values are `emittingValues`. `emitCtes` defines the names of the CTEs.
 * @param condition the events are only emitted if it holds
 * @param data SQL of the JSON, as text, of an event that has no data
 */
export function emittingSql({ condition, data }: { condition: string; data: string }): {
  ctes: string;
  result: string;
} {
  const source = `(select id, type, tenant_id, resource_id, coalesce(data, ${data}) as data, is_only, n
       from ${NEW_EVENTS} where ${condition}) i`;
  const result = `(select json_agg(json_build_object('id', w.id, 'sequence', w.sequence, 'created_at', w.created_at,
       'lanes', (select count(*) from written_lanes), 'data', i.data::json) order by i.n)
     from written w join input i using (id))`;
  return { ctes: emitCtes(source), result };
}

/** An event as `emittingSql` returns it. */
export type WrittenEvent = Omit<EmittedRow, 'created_at'> & {
  readonly created_at: string;
  readonly data: NewEvent['data'];
};

export function emittingValues(db: Db, ledgerId: number, events: readonly PlannedEvent[]): EmittingValues {
  return { ledger_id: ledgerId, events, traceparent: 'traceparent' in db ? (db as Tx).traceparent : null };
}

/** Writes events, their deliveries and the lanes of the deliveries. */
export function insertEvents(tx: Tx, ledgerId: number, events: readonly NewEvent[]): Promise<EmittedRow[]> {
  return tx.query(EMIT, emittingValues(tx, ledgerId, events));
}
