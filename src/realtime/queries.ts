import type { Db } from '../db/database.ts';
import { inputOf } from '../db/input.ts';
import { statement } from '../db/statement.ts';
import type { CommittedEvent, EventEnvelope } from '../domain/events/index.ts';

/** A reference to a stored event. */
export type EventRef = { readonly ledgerId: number; readonly id: string };

const REFS = inputOf<EventRef>('event_refs', {
  ledger_id: ['int', ({ ledgerId }) => ledgerId],
  id: ['text', ({ id }) => id],
});

const LOAD = statement<{ readonly event_refs: readonly EventRef[] }, EventEnvelope & { readonly ledger_id: number }>(
  'realtime_load',
  `select e.ledger_id, e.id, 'event' as object, e.type, e.event_version, e.created_at, e.tenant_id, e.resource_id,
          e.sequence, e.data
   from ${REFS.rows('r', 'n')}
   join events e on e.ledger_id = r.ledger_id and e.id = r.id
   order by r.n`,
);

/** Loads events in the order of `refs`, with the fields of their commit. Skips events that no longer exist. */
export async function loadEvents(db: Db, refs: readonly EventRef[]): Promise<CommittedEvent[]> {
  const rows = await db.query(LOAD, { event_refs: refs });
  return rows.map(({ ledger_id, ...envelope }) => ({ ledgerId: ledger_id, envelope }));
}
