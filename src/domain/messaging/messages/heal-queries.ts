import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';

const isMetered = (table: 'usage_entries' | 'usage_archive') =>
  `exists (select 1 from ${table} u where u.ledger_id = messages.ledger_id
     and u.kind in ('sms_segment_outbound', 'mms_outbound') and u.reference = messages.id)`;

// One range of messages_status for each live ledger, window and status. A live ledger's clock is the wall clock. Some
// carriers do not report that a text is sent: it stays queued, and its usage shows that the carrier has it.
const LIST = statement(
  'messages_list_unreported',
  `select m.ledger_id, l.account_id, m.id, m.connection_id
   from ledgers l
   cross join unnest($1::float8[]) as w (age_ms)
   cross join unnest('{queued,sent}'::text[]) as s (status)
   cross join lateral (
     select ledger_id, id, connection_id from messages
     where ledger_id = l.id and status = s.status
       and created_at > clock_timestamp() - make_interval(secs => (w.age_ms + $2::float8) / 1000)
       and created_at <= clock_timestamp() - make_interval(secs => w.age_ms / 1000)
       and (s.status = 'sent' or ${isMetered('usage_entries')} or ${isMetered('usage_archive')})
     order by created_at limit $3) m
   where l.mode = 'live'`,
);

export type UnreportedText = {
  readonly ledger_id: number;
  readonly account_id: string;
  readonly id: string;
  readonly connection_id: ConnectionId;
};

/**
 * Returns texts of live ledgers that the carrier has, without a receipt, and whose age is in one of the windows: from
 * `windows` (milliseconds) on, `widthMs` wide. At most `rows` of each ledger, window and status.
 */
export function listUnreported(
  db: Db,
  { windows, widthMs, rows }: { windows: readonly number[]; widthMs: number; rows: number },
): Promise<UnreportedText[]> {
  return db.query(LIST, [windows, widthMs, rows]);
}
