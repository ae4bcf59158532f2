import type { Db } from '../../../../db/database.ts';
import { statement } from '../../../../db/statement.ts';
import type { Unreported } from '../../../../queue/worker/heal.ts';
import { STATE_KEY } from '../queries.ts';
import type { Leg } from '../state/call.ts';

// One range of calls_joined_state for each live ledger, direction and status. A live ledger's clock is the wall clock.
const LIST = statement(
  'calls_list_running',
  `select c.ledger_id, l.account_id, c.id, c.connection_id, c.state -> 'legs' as legs
   from ledgers l
   cross join unnest('{inbound,outbound}'::text[]) as d (direction)
   cross join unnest('{dialing,ringing,in_progress}'::text[]) as s (status)
   cross join lateral (
     select ledger_id, id, connection_id, state from calls
     where ledger_id = l.id and ${STATE_KEY} = d.direction || '/' || s.status || '/'
       and started_at <= statement_timestamp() - make_interval(secs => $1::float8 / 1000)
     order by started_at limit $2) c
   where l.mode = 'live'`,
);

/** A call that has not ended. */
export type RunningCall = Unreported & { readonly legs: readonly Leg[] };

/** Returns running calls of live ledgers that are at least this old, at most `rows` of each direction and status. */
export function listRunning(db: Db, { ageMinMs, rows }: { ageMinMs: number; rows: number }): Promise<RunningCall[]> {
  return db.query(LIST, [ageMinMs, rows]);
}
