import type { Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';

/** The data of a stored event. */
export type EventData = Readonly<Record<string, unknown>>;

const FIND = statement(
  'events_find_to_redact',
  `select e.id, e.type, e.data from unnest($2::text[]) as r (id)
   cross join lateral (
     select id, type, data from events where ledger_id = $1::integer and resource_id = r.id order by written_by offset 0) e`,
);

type EventToRedact = { readonly id: string; readonly type: string; readonly data: EventData };

export function findEventsToRedact(tx: Tx, ledgerId: number, resourceIds: readonly string[]): Promise<EventToRedact[]> {
  return tx.query(FIND, [ledgerId, resourceIds]);
}

// The column `attempts` is `json`, so it is rewritten as a whole, and only if an attempt has a stored reply.
const UPDATE = statement(
  'events_redact',
  `with redacted as (
     update events e set data = r.data::json
     from (select * from unnest($2::text[], $3::text[]) as u (id, data) order by id) r
     where e.ledger_id = $1::integer and e.id = r.id
     returning e.id
   )
   update deliveries d
   set attempts = (select json_agg(a.attempt || '{"response_body": null}' order by a.n)
                   from jsonb_array_elements(d.attempts::jsonb) with ordinality as a (attempt, n))
   from redacted r
   where d.ledger_id = $1::integer and d.event_id = r.id
     and exists (select 1 from json_array_elements(d.attempts) as a (attempt) where attempt ->> 'response_body' is not null)`,
);

/** Replaces the data of events, and deletes the bodies of the replies to their deliveries. */
export async function updateEventData(
  tx: Tx,
  ledgerId: number,
  events: readonly { readonly id: string; readonly data: EventData }[],
): Promise<void> {
  await tx.query(UPDATE, [ledgerId, events.map(({ id }) => id), events.map(({ data }) => JSON.stringify(data))]);
}
