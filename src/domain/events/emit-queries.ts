import type { Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { newId } from '../../lib/ids.ts';
import { addToLanesSql } from '../../queue/lanes/lane-sql.ts';
import { EVENT_VERSION, type NewEvent, WEBHOOK_LANES } from './catalog.ts';

/**
 * CTEs that store the rows of `fanned` as deliveries and add them to their lanes; `laned` has a row for each lane.
 * `fanned` has the columns id, endpoint_id, event_id, resource_id and sequence; $1 is the ledger.
 */
export const DELIVER_CTES = `kept as (
     insert into deliveries (ledger_id, endpoint_id, id, event_id)
     select $1::integer, endpoint_id, id, event_id from fanned
   ), waiting as (
     insert into waiting_deliveries (ledger_id, endpoint_id, resource_id, sequence, delivery_id, event_id)
     select $1::integer, endpoint_id, resource_id, sequence, id, event_id from fanned
   ), laned as (
     ${addToLanesSql({
       ledgerId: '$1::integer',
       kind: `'${WEBHOOK_LANES}'`,
       groupId: 'endpoint_id',
       laneKey: 'resource_id',
       items: 'count(*)',
       from: 'from fanned group by endpoint_id, resource_id order by endpoint_id, resource_id',
     })}
     returning 1
   )`;

// Only this statement knows how many deliveries there are, so it makes their ids: the time-ordered head of the event's
// id, and 48 bits of a digest over event and endpoint, which carries the event id's randomness.
const EMIT = statement(
  'events_emit',
  `with input as (
     select id, type, tenant_id, resource_id, data, n,
            row_number() over (partition by resource_id order by n) as position,
            count(*) over (partition by resource_id) as together
     from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
       with ordinality as i (id, type, tenant_id, resource_id, data, n)
   ), numbered as (
     insert into event_sequences (ledger_id, resource_id, last)
     select $1::integer, resource_id, count(*) from input group by resource_id order by resource_id
     on conflict (ledger_id, resource_id) do update set last = event_sequences.last + excluded.last
     returning resource_id, last
   ), written as (
     insert into events (ledger_id, id, type, event_version, tenant_id, resource_id, sequence, data, created_at)
     select $1::integer, i.id, i.type, $7::text, i.tenant_id, i.resource_id, s.last - i.together + i.position,
            i.data::json, ledger_now($1::integer)
     from input i join numbered s using (resource_id)
     returning id, type, resource_id, sequence, created_at
   ), fanned as (
     select 'whd_' || substr(w.id, 5, 14) || substr(md5(w.id || e.id), 1, 12) as id, e.id as endpoint_id,
            w.id as event_id, w.resource_id, w.sequence
     from written w
     join webhook_endpoints e on e.ledger_id = $1::integer and e.deleted_at is null
      and (e.status = 'active' or e.disabled_reason = 'manual')
      and (e.enabled_events is null or w.type = any(e.enabled_events))
   ), ${DELIVER_CTES}
   select w.id, w.sequence, w.created_at, (select count(*)::integer from laned) as lanes
   from written w join input i using (id) order by i.n`,
);

export type EmittedRow = { id: string; sequence: number; created_at: Date; lanes: number };

/** Writes events, their deliveries and the lanes of the deliveries. */
export function insertEvents(tx: Tx, ledgerId: number, events: readonly NewEvent[]): Promise<EmittedRow[]> {
  return tx.query<EmittedRow>(EMIT, [
    ledgerId,
    events.map(() => newId('event')),
    events.map((event) => event.type),
    events.map((event) => event.tenantId),
    events.map((event) => event.resourceId),
    events.map((event) => JSON.stringify(event.data)),
    EVENT_VERSION,
  ]);
}
