import type { Db, Tx } from '../../db/database.ts';
import { wake } from '../../queue/worker/wake.ts';
import { type EventEnvelope, type NewEvent, WEBHOOK_LANES } from './catalog.ts';
import { type EmittedRow, insertEvents, type PlannedEvent, type WrittenEvent } from './emit-queries.ts';
import { EVENT_VERSION } from './types/entry.ts';

/** Topic of the signal that carries `CommittedEvent`s to the realtime sockets. */
export const EVENTS_TOPIC = 'events';
export type CommittedEvent = { readonly ledgerId: number; readonly envelope: EventEnvelope };

/**
 * Writes events with their sequence number within the resource, a delivery per subscribed endpoint and the lanes of
 * those deliveries, all in the caller's transaction. The events in the list about the same resource keep their order.
 * Endpoints that a user disabled collect deliveries until they are enabled. Endpoints that were disabled after repeated
 * failures get none. Deliveries carry the trace context of the request that caused the event.
 * @returns the envelopes as written, in the order given
 */
export async function emitEvents(tx: Tx, ledgerId: number, events: readonly NewEvent[]): Promise<EventEnvelope[]> {
  if (events.length === 0) return [];
  const rows = await insertEvents(tx, ledgerId, events);
  const envelopes = rows.map((row, index) => envelopeOf(row, events[index] as NewEvent));
  announce(tx, ledgerId, { envelopes, lanes: rows[0]?.lanes ?? 0 });
  return envelopes;
}

/** Passes on the events that a statement with `emittingSql` wrote, once the transaction has committed. */
export function announceWritten(
  db: Db,
  ledgerId: number,
  planned: readonly PlannedEvent[],
  written: readonly WrittenEvent[],
): void {
  const envelopes = written.map(({ data, created_at, ...row }, index) => {
    return envelopeOf({ ...row, created_at: new Date(created_at) }, { ...(planned[index] as PlannedEvent), data });
  });
  announce(db, ledgerId, { envelopes, lanes: written[0]?.lanes ?? 0 });
}

type Announced = { readonly envelopes: readonly EventEnvelope[]; readonly lanes: number };

function announce(db: Db, ledgerId: number, { envelopes, lanes }: Announced): void {
  if (lanes > 0) wake(db, 'lanes', WEBHOOK_LANES);
  const committed: CommittedEvent[] = envelopes.map((envelope) => ({ ledgerId, envelope }));
  db.signal({ topic: EVENTS_TOPIC, payload: committed });
}

/** Emits one event; see `emitEvents`. */
export async function emitEvent(tx: Tx, ledgerId: number, event: NewEvent): Promise<EventEnvelope> {
  const [envelope] = await emitEvents(tx, ledgerId, [event]);
  return envelope as EventEnvelope;
}

function envelopeOf(row: EmittedRow, event: NewEvent): EventEnvelope {
  return {
    id: row.id,
    object: 'event',
    type: event.type,
    event_version: EVENT_VERSION,
    created_at: row.created_at,
    tenant_id: event.tenantId,
    resource_id: event.resourceId,
    sequence: row.sequence,
    data: event.data,
  };
}
