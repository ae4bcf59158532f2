import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Unreported } from '../../../queue/worker/heal.ts';
import { submitJobSql } from './submit-queries.ts';

/** SQL of the texts of one status and one window of ages, which count from the column `since`. */
function windowSql(since: 'created_at' | 'send_at', condition: string): string {
  return `(select ledger_id, id, connection_id, status from messages n
     where ledger_id = l.id and status = s.status and ${condition}
       and ${since} > statement_timestamp() - make_interval(secs => (w.age_ms + $2::float8) / 1000)
       and ${since} <= statement_timestamp() - make_interval(secs => w.age_ms / 1000)
       and (s.status = 'sent' or not exists (
         select 1 from conversations t cross join lateral ${submitJobSql({
           ledgerId: 'n.ledger_id',
           numberId: 't.phone_number_id',
           messageId: 'n.id',
         })} j
         where t.ledger_id = n.ledger_id and t.id = n.conversation_id
       ) and not exists (
         select 1 from campaigns c
         join paced_messages p on p.ledger_id = c.ledger_id and p.campaign_id = c.id and p.message_id = n.id
         where c.ledger_id = n.ledger_id and c.tenant_id = n.tenant_id))
     order by ${since} limit $3)`;
}

// Two ranges of messages_status and two of messages_due for each live ledger and window. A live ledger's clock is the
// wall clock. A text whose carrier does not report `sent` is queued until its receipt. It is with the carrier once it
// waits for no submission.
const LIST = statement(
  'messages_list_unreported',
  `select m.ledger_id, l.account_id, m.id, m.connection_id, m.status
   from ledgers l
   cross join unnest($1::float8[]) as w (age_ms)
   cross join unnest('{queued,sent}'::text[]) as s (status)
   cross join lateral (
     ${windowSql('created_at', 'send_at is null')}
     union all
     ${windowSql('send_at', `send_at is not null and status in ('queued', 'sent')`)}) m
   where l.mode = 'live'`,
);

export type UnreportedText = Unreported & { readonly status: 'queued' | 'sent' };

/**
 * Returns texts of live ledgers that their carrier has, that have no receipt, and whose age is in one of the windows:
 * from `windows` (milliseconds) on, `widthMs` wide. The age of a scheduled text counts from its time. Returns at most
 * `rows` texts of each ledger, window and status, and at most `rows` scheduled texts.
 */
export function listUnreported(
  db: Db,
  { windows, widthMs, rows }: { windows: readonly number[]; widthMs: number; rows: number },
): Promise<UnreportedText[]> {
  return db.query(LIST, [windows, widthMs, rows]);
}
