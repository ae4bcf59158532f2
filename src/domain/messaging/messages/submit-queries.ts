/** The statements of a text's submission, and the SQL of its jobs. */
import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import { insertJobsSql, jobSql, jobsNamingSql } from '../../../queue/jobs/job-sql.ts';
import { USAGE_COLUMNS } from '../../billing/index.ts';

export const SUBMIT_KIND = 'message.submit';
/** Jobs that submit texts which one number has sent together. */
export const SUBMIT_BATCH_KIND = 'message.submit_batch';

/** Most texts of a job: a run that follows a lost one asks the carrier about all of them. */
const BATCH_TEXTS_MAX = 32;

/**
 * Returns a statement that inserts the jobs for submitting texts. Texts that a number sends together share a job, in
 * the order of `position`, which counts from 1. The job of a single text names the text.
 * @param from the statement from `from` on, with its conditions
 */
export function submitJobsSql({
  ledgerId,
  numberId,
  messageId,
  position,
  from,
}: Record<'ledgerId' | 'numberId' | 'messageId' | 'position' | 'from', string>): string {
  const byCount = (singular: string, several: string) => `case count(*) when 1 then ${singular} else ${several} end`;
  return insertJobsSql({
    ledgerId,
    id: byCount(
      `'${SUBMIT_KIND}:' || min(${messageId})`,
      `'${SUBMIT_BATCH_KIND}:' || ${numberId} || ':' || min(${messageId})`,
    ),
    queue: 'messaging',
    kind: byCount(`'${SUBMIT_KIND}'`, `'${SUBMIT_BATCH_KIND}'`),
    payload: byCount(
      `json_build_object('message_id', min(${messageId}))`,
      `json_build_object('message_ids', json_agg(${messageId} order by ${position}))`,
    ),
    from: `${from} group by ${ledgerId}, ${numberId}, (${position} - 1) / ${BATCH_TEXTS_MAX} order by min(${position})`,
  });
}

export type WaitingMessage = {
  id: string;
  from: string;
  to: string;
  body: string;
  media: { url: string }[];
  connectionId: ConnectionId;
  /** The obstacle to sending the text; null if it may be sent. */
  obstacle: 'recipient_opted_out' | 'campaign_suspended' | 'send_failed' | null;
};

// `offset 0` keeps the look-ups apart, so that each reads its primary key. A joint plan that was made while the tables
// were small may read all conversations of a number for each text.
const LIST_WAITING = statement(
  'messages_list_waiting',
  `select m.id, m."from", m."to", m.body, m.media, m.connection_id as "connectionId",
     case
       when p.status <> 'active' then 'send_failed'
       when m.origin = 'api' and a.status <> 'active' then 'send_failed'
       when m.origin = 'api' and k.status = 'suspended' then 'campaign_suspended'
       when m.origin = 'api' and exists (
         select 1 from opt_outs o
         where o.ledger_id = m.ledger_id and o.tenant_id = m.tenant_id and o.external_number = m."to"
           and 'text' = any(o.channels)
       ) then 'recipient_opted_out'
     end as obstacle
   from (select * from messages where ledger_id = $1 and id = any($2::text[]) offset 0) m
   cross join lateral (
     select phone_number_id from conversations where ledger_id = $1 and id = m.conversation_id offset 0) c
   cross join lateral (
     select status, campaign_id from phone_numbers where ledger_id = $1 and id = c.phone_number_id offset 0) p
   left join lateral (
     select status from campaigns where ledger_id = $1 and id = p.campaign_id offset 0) k on true
   join ledgers l on l.id = $1 join accounts a on a.id = l.account_id
   where m.status = 'queued'
   order by m.id`,
);

/** Returns the messages that are still queued, judged again: a STOP, a release or a suspension may have come. */
export function listWaitingMessages(db: Db, ledgerId: number, ids: readonly string[]): Promise<WaitingMessage[]> {
  return db.query(LIST_WAITING, [ledgerId, ids]);
}

/** Returns a subquery for the job that submits a text of a number, alone or with others; see `jobSql`. */
export function submitJobSql({ ledgerId, numberId, messageId }: Record<'ledgerId' | 'numberId' | 'messageId', string>) {
  return `(select * from ${jobSql({ ledgerId, id: `'${SUBMIT_KIND}:' || ${messageId}` })} alone
     union all
     select * from ${jobsNamingSql({
       ledgerId,
       prefix: `'${SUBMIT_BATCH_KIND}:' || ${numberId} || ':'`,
       value: messageId,
     })} together)`;
}

const SUBMITTED_ALONE = statement(
  'messages_list_submitted_alone',
  `select i.id from unnest($2::text[]) as i (id)
   where exists (select 1 from ${jobSql({ ledgerId: '$1', id: `'${SUBMIT_KIND}:' || i.id` })} j)`,
);

/** Returns the messages that have a separate submit job. */
export async function listSubmittedAlone(db: Db, ledgerId: number, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(SUBMITTED_ALONE, [ledgerId, ids]);
  return new Set(rows.map(({ id }) => id));
}

// A message that failed before it reached the carrier costs nothing, even if its job ran several times.
const METER = statement(
  'messages_meter_accepted',
  `insert into usage_entries ${USAGE_COLUMNS}
   select m.ledger_id, case when json_array_length(m.media) > 0 then 'mms_outbound' else 'sms_segment_outbound' end, m.id,
     m.tenant_id, case when json_array_length(m.media) > 0 then 1 else m.segments end, (select ledger_now($1))
   from messages m
   where m.ledger_id = $1 and m.id = any($2::text[])
     and (m.status <> 'failed' or m.error_code in ('carrier_rejected', 'unreachable', 'spam_blocked', 'daily_cap_exceeded'))
   order by 1, 2, 3
   on conflict do nothing`,
);

/** Meters texts that the carrier has accepted, each at most once. */
export async function meterAccepted(tx: Tx, ledgerId: number, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length > 0) await tx.query(METER, [ledgerId, messageIds]);
}
