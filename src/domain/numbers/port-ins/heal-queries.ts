import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Unreported } from '../../../queue/worker/heal.ts';
import { type PortInStatus, SUBMITTED_STATUSES } from './rules.ts';

// One range of port_ins_status for each live ledger and status.
const LIST = statement(
  'port_ins_list_under_way',
  `select p.ledger_id, l.account_id, p.id, p.connection_id, p.status, p.attempt
   from ledgers l
   cross join unnest($1::text[]) as s (status)
   cross join lateral (
     select ledger_id, id, connection_id, status, attempt from port_ins
     where ledger_id = l.id and status = s.status and id > $2
     order by id limit $3) p
   where l.mode = 'live'
   order by p.id limit $3`,
);

/** A port-in that the carrier has, and that has not ended. */
export type PortInUnderWay = Unreported & { readonly status: PortInStatus; readonly attempt: number };

/** Returns port-ins of all live ledgers whose id follows `after`, in the order of their ids, at most `rows`. */
export function listUnderWay(db: Db, { after, rows }: { after: string; rows: number }): Promise<PortInUnderWay[]> {
  return db.query(LIST, [SUBMITTED_STATUSES, after, rows]);
}
