import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { activateLanesCtes } from '../../../queue/lanes/standing-lanes.ts';
import { wake } from '../../../queue/worker/wake.ts';
import type { QuietHours } from '../../tenants/index.ts';
import { CAMPAIGN_LANES } from '../dispatch/rules.ts';
import { historyEntry, MESSAGE_COLUMNS } from '../messages/queries.ts';
import type { MessageErrorCode } from '../messages/rules.ts';
import type { Media, Message } from '../messages/schema.ts';
import { sendingNumberSql } from '../messages/send-queries.ts';

/** How long after a person's text an answer counts as a reply. */
const REPLY_WINDOW = '10 minutes';

const FACTS = statement(
  'messages_number_facts',
  `select i.now, case when p.id is not null then json_build_object('tenant_id', p.tenant_id, 'timezone', t.timezone,
       'quiet_hours', t.quiet_hours,
       'use_case', (select use_case from campaigns where ledger_id = i.ledger_id and id = p.campaign_id), 'is_reply', coalesce((
         select m.created_at > i.now - interval '${REPLY_WINDOW}' from conversations c
         join messages m on m.ledger_id = c.ledger_id and m.conversation_id = c.id and m.direction = 'inbound'
         where c.ledger_id = i.ledger_id and c.phone_number_id = p.id and c.external_number = $3
         order by m.created_at desc limit 1), false)) end as number
   from (select $1::integer as ledger_id, $2::text as from_ref, ledger_now($1) as now) i
   left join lateral (${sendingNumberSql('i')} limit 1) p on true
   left join tenants t on t.ledger_id = i.ledger_id and t.id = p.tenant_id`,
);

/** The facts of a number that decide the time of a text. */
export type NumberFacts = {
  readonly tenant_id: string;
  readonly timezone: string;
  readonly quiet_hours: QuietHours | null;
  /** The use case of the number's campaign; null without one. */
  readonly use_case: string | null;
  /** True if the recipient has just sent a text to the number. */
  readonly is_reply: boolean;
};

/** Returns the ledger's time, and the facts of the sending number, found by its id or E.164; null if there is none. */
export async function readNumberFacts(
  db: Db,
  { ledgerId }: Ledger,
  { from, to }: { from: string; to: string },
): Promise<{ now: Date; number: NumberFacts | null }> {
  const [row] = await db.query<{ now: Date; number: NumberFacts | null }>(FACTS, [ledgerId, from, to]);
  return row as { now: Date; number: NumberFacts | null };
}

// A text that may not be sent any more fails with the reason. Its number may have moved to another connection. Rows are
// locked as everywhere: the texts, then their conversations, then the lanes of their campaigns. `offset 0` separates
// the look-ups, so that each reads its primary key. The table of scheduled texts fills and empties within minutes, so
// its statistics are often wrong. A joint plan may then read all texts of the ledger for each text.
const RELEASE = statement(
  'messages_release',
  `with next as materialized (
     select message_id from scheduled_messages where ledger_id = $1 and send_at = $2 order by message_id limit $3
     for update
   ), due as (
     delete from scheduled_messages where ledger_id = $1 and send_at = $2
       and message_id = any(array(select message_id from next))
   ), checked_texts as materialized (
     select m.id, m.conversation_id, case when m.redacted_at is null then m.body else '' end as body,
       case when m.redacted_at is null then m.media else '[]' end as media, p.campaign_id, p.messaging_connection_id, ledger_now($1) as at,
       case
         when p.status <> 'active' or a.status <> 'active' then 'send_failed'
         when case when p.campaign_id is null then l.mode = 'live' else p.campaign_pending or not exists (
             select 1 from campaigns k where k.ledger_id = $1 and k.id = p.campaign_id and k.status = 'approved')
           end then 'campaign_suspended'
         when exists (select 1 from opt_outs o where o.ledger_id = $1 and o.tenant_id = m.tenant_id
                      and o.external_number = m."to" and 'text' = any(o.channels)) then 'recipient_opted_out'
         when l.mode = 'live' and not exists (
           select 1 from balances b where b.ledger_id = $1 and b.amount_micros > 0) then 'insufficient_balance'
       end as obstacle
     from next n
     cross join lateral (
       select * from messages where ledger_id = $1 and id = n.message_id offset 0) m
     cross join lateral (
       select phone_number_id from conversations where ledger_id = $1 and id = m.conversation_id offset 0) c
     cross join lateral (
       select status, campaign_id, campaign_pending, messaging_connection_id from phone_numbers
       where ledger_id = $1 and id = c.phone_number_id offset 0) p
     join ledgers l on l.id = $1 join accounts a on a.id = l.account_id
     where m.status = 'scheduled'
   ), released as (
     update messages m set status = 'queued', connection_id = j.messaging_connection_id,
       status_history = (m.status_history::jsonb || ${historyEntry(`'queued'`, 'j.at')})::json
     from checked_texts j where m.ledger_id = $1 and m.id = j.id and j.obstacle is null
     returning m.id, m.conversation_id, j.campaign_id
   ), campaign_queue as (
     insert into paced_messages (ledger_id, campaign_id, message_id, conversation_id)
     select $1, campaign_id, id, conversation_id from released where campaign_id is not null order by 2, 3
     returning ledger_id, campaign_id
   ), ${activateLanesCtes(CAMPAIGN_LANES, 'select ledger_id, campaign_id from campaign_queue')}
   select j.id, j.conversation_id, j.body, j.media, j.obstacle, j.campaign_id is not null as is_paced,
     exists (select 1 from activated) as activated
   from checked_texts j order by j.id`,
);

export type ReleasedText = {
  readonly id: string;
  readonly conversation_id: string;
  readonly body: string;
  readonly media: readonly Media[];
  /** The reason why the text is not sent; null if it was released. */
  readonly obstacle: MessageErrorCode | null;
  /** True if it was added to the queue of its campaign; false if the caller submits it. */
  readonly is_paced: boolean;
};

type ReleaseRow = ReleasedText & { activated: boolean };

/** Releases at most `textsMax` texts of one moment, in the order of their acceptance. Returns them, judged now. */
export async function releaseTexts(
  tx: Tx,
  ledgerId: number,
  { sendAt, textsMax }: { sendAt: Date; textsMax: number },
): Promise<ReleasedText[]> {
  const rows = await tx.query<ReleaseRow>(RELEASE, [ledgerId, sendAt, textsMax]);
  if (rows.some(({ activated }) => activated)) wake(tx, 'lanes', CAMPAIGN_LANES);
  return rows;
}

const ANY_LEFT = statement(
  'scheduled_messages_any',
  'select 1 as found from scheduled_messages where ledger_id = $1 and send_at = $2 limit 1',
);

/** Returns true if a text still waits for this moment. */
export async function hasTextsFor(tx: Tx, ledgerId: number, sendAt: Date): Promise<boolean> {
  return (await tx.query(ANY_LEFT, [ledgerId, sendAt])).length > 0;
}

const CANCEL = statement(
  'messages_cancel',
  `with gone as (
     delete from scheduled_messages where ledger_id = $1 and send_at = $3 and message_id = $2 returning message_id
   )
   update messages m set status = 'canceled',
     status_history = (m.status_history::jsonb || ${historyEntry(`'canceled'`, 'ledger_now($1)')})::json
   from gone where m.ledger_id = $1 and m.id = gone.message_id and m.status = 'scheduled'
   returning ${MESSAGE_COLUMNS}`,
);

/** Cancels a text that waits for its time. Returns it, or undefined if it no longer waits. */
export async function cancelScheduled(
  tx: Tx,
  { ledgerId }: Ledger,
  { id, sendAt }: { id: string; sendAt: Date },
): Promise<Message | undefined> {
  const [row] = await tx.query<Message>(CANCEL, [ledgerId, id, sendAt]);
  return row;
}
