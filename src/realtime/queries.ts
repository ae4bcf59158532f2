import type { Db } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import type { CommittedEvent, EventEnvelope } from '../domain/events/index.ts';

const LOAD = statement(
  'realtime_load',
  `select e.ledger_id, e.id, 'event' as object, e.type, e.event_version, e.created_at, e.tenant_id, e.resource_id,
          e.sequence, e.data
   from unnest($1::integer[], $2::text[]) with ordinality as r (ledger_id, id, n)
   join events e on e.ledger_id = r.ledger_id and e.id = r.id
   order by r.n`,
);

/** A reference to a stored event. */
export type EventRef = { readonly ledgerId: number; readonly id: string };

/** Loads events in the order of `refs`, with the fields of their commit. Skips events that no longer exist. */
export async function loadEvents(db: Db, refs: readonly EventRef[]): Promise<CommittedEvent[]> {
  const rows = await db.query<EventEnvelope & { ledger_id: number }>(LOAD, [
    refs.map((ref) => ref.ledgerId),
    refs.map((ref) => ref.id),
  ]);
  return rows.map(({ ledger_id, ...envelope }) => ({ ledgerId: ledger_id, envelope }));
}
