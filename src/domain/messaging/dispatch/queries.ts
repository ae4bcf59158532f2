import type { Db, Tx } from '../../../db/database.ts';
import { LEDGER_NOW } from '../../../db/ledgers.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Lane } from '../../../queue/lanes/lane.ts';
import { laneWaitsSql, leftJoinLaneSql } from '../../../queue/lanes/lane-sql.ts';
import { activateLanesCtes } from '../../../queue/lanes/standing-lanes.ts';
import { wake } from '../../../queue/worker/wake.ts';
import { submitJobSql, submitJobsSql } from '../messages/submit-queries.ts';
import { CAMPAIGN_LANES, type Candidate, type Pace, SLOT_MS, WINDOW_MS } from './rules.ts';

const ADD_AHEAD = statement(
  'paced_messages_add_ahead',
  `with campaign_queue as (
     insert into paced_messages (ledger_id, campaign_id, message_id, conversation_id, ahead)
     select p.ledger_id, p.campaign_id, $3, $4, true
     from phone_numbers p join campaigns c on c.ledger_id = p.ledger_id and c.id = p.campaign_id and c.status = 'approved'
     where p.ledger_id = $1 and p.id = $2
     returning ledger_id, campaign_id
   ), ${activateLanesCtes(CAMPAIGN_LANES, 'select ledger_id, campaign_id from campaign_queue')}
   select exists (select 1 from activated) as activated from campaign_queue`,
);

/**
 * Adds a confirmation before the waiting texts of the number's campaign.
 * @returns false if the number has no approved campaign; then nothing is added
 */
export async function addPacedConfirmation(
  tx: Tx,
  { ledgerId }: Ledger,
  { numberId, messageId, conversationId }: { numberId: string; messageId: string; conversationId: string },
): Promise<boolean> {
  const [row] = await tx.query<{ activated: boolean }>(ADD_AHEAD, [ledgerId, numberId, messageId, conversationId]);
  if (row?.activated === true) wake(tx, 'lanes', CAMPAIGN_LANES);
  return row !== undefined;
}

/** A campaign's limits and counts now. `day` is the last Pacific day with a text handed over, `segments` its count. */
export type PaceRow = Omit<Pace, 'segmentsToday'> & { readonly day: string | null; readonly segments: number };

const PACE = statement<{ readonly ledger_id: number; readonly campaign_id: string }, PaceRow>(
  'campaigns_pace',
  `select now.at as now, c.messages_per_minute as "messagesPerMinute", c.daily_cap as "dailyCap",
     coalesce(h.messages, 0)::int as "inWindow",
     h.first + make_interval(secs => ${WINDOW_MS / 1000}) as "windowMovesAt",
     d.day::text as day, coalesce(d.segments, 0) as segments
   from ${LEDGER_NOW}
   left join campaigns c on c.ledger_id = :ledger_id and c.id = :campaign_id
   left join lateral (
     select sum(messages) as messages, min(at) as first from campaign_hand_overs
     where ledger_id = :ledger_id and campaign_id = :campaign_id and at > now.at - make_interval(secs => ${WINDOW_MS / 1000})) h on true
   left join lateral (
     select day, segments from campaign_days where ledger_id = :ledger_id and campaign_id = :campaign_id order by day desc limit 1) d
     on true`,
);

export async function readPace(tx: Tx, { ledgerId, groupId }: Lane): Promise<PaceRow> {
  const [row] = await tx.query(PACE, { ledger_id: ledgerId, campaign_id: groupId });
  return row as PaceRow;
}

/** Most texts of a conversation that are passed over because they wait for another time, or were canceled. */
const PASSED_OVER_MAX = 16;

/**
 * SQL for the id of the previous outbound text of the same conversation, null if it has a receipt. The job of that text
 * may still run for other texts.
 */
const TEXT_BEFORE = `(
         select case b.status when 'queued' then b.id end from (
           select id, status from messages b
           where b.ledger_id = $1 and b.conversation_id = n.conversation_id and b.direction = 'outbound'
             and b.created_at <= m.created_at and (b.created_at, b.id) < (m.created_at, m.id)
           order by b.created_at desc, b.id desc limit ${PASSED_OVER_MAX}) b
         where b.status not in ('scheduled', 'canceled') limit 1)`;

// A confirmation is sent even if the recipient has opted out, the account is suspended or the campaign is suspended:
// the carrier decides. A test number that was detached from its campaign sends without one (`exempt`), so its waiting
// texts are sent. A previous text of the conversation whose outcome is unknown (`unsure`) delays nothing. Each look-up
// is lateral, so that it reads one key: the planner takes the limit for a tenth of the queue, and would read all
// conversations of the ledger.
const LIST = statement(
  'paced_messages_list',
  `with next as materialized (
     select message_id, conversation_id, ahead,
       row_number() over (partition by conversation_id, ahead order by message_id) as position
     from (
       (select message_id, conversation_id, ahead from paced_messages
        where ledger_id = $1 and campaign_id = $2 and ahead order by message_id limit $3)
       union all
       (select message_id, conversation_id, ahead from paced_messages
        where ledger_id = $1 and campaign_id = $2 and not ahead order by message_id limit $3)
       order by ahead desc, message_id limit $3) n
   )
   select n.message_id as id, n.conversation_id as "conversationId", coalesce(m.send_at, m.created_at) as "waitsSince",
     case when json_array_length(m.media) > 0 then 1 else m.segments end as segments,
     m.status is distinct from 'queued' as "hasEnded", n.ahead, f.exempt,
     case
       when p.status is distinct from 'active' then 'send_failed'
       when p.campaign_id is distinct from $2 and not f.exempt then 'send_failed'
       when m.origin = 'confirmation' then null
       when a.status <> 'active' then 'send_failed'
       when c.status <> 'approved' and not f.exempt then 'campaign_suspended'
       when exists (
         select 1 from opt_outs o
         where o.ledger_id = m.ledger_id and o.tenant_id = m.tenant_id and o.external_number = m."to"
           and 'text' = any(o.channels)
       ) then 'recipient_opted_out'
     end as obstacle,
     case when n.position = 1 and not n.ahead then (
       select case when j.is_waiting then 250 else 50 end
       from (select ${TEXT_BEFORE} as id offset 0) b cross join lateral ${submitJobSql({
         ledgerId: '$1',
         numberId: 't.phone_number_id',
         messageId: 'b.id',
       })} j
       where j.payload ->> 'unsure' is null limit 1)
     end as "previousMs"
   from next n
   join ledgers l on l.id = $1 join accounts a on a.id = l.account_id
   join campaigns c on c.ledger_id = $1 and c.id = $2
   left join lateral (select * from messages where ledger_id = $1 and id = n.message_id offset 0) m on true
   left join lateral (select * from conversations where ledger_id = $1 and id = n.conversation_id offset 0) t on true
   left join lateral (select * from phone_numbers where ledger_id = $1 and id = t.phone_number_id offset 0) p on true
   cross join lateral (select l.mode = 'test' and p.id is not null and p.campaign_id is null as exempt) f
   order by n.ahead desc, n.message_id`,
);

/** Returns the head of a campaign's queue, judged as of now: confirmations first, then the oldest texts. */
export function listCandidates(tx: Tx, { ledgerId, groupId }: Lane, rows: number): Promise<Candidate[]> {
  return tx.query(LIST, [ledgerId, groupId, rows]);
}

// Computes run_at for each job, so that jobs are claimed in the order of the handover of their texts.
const HAND_OVER = statement(
  'paced_messages_hand_over',
  `with gone as materialized (
     delete from paced_messages where ledger_id = $1 and campaign_id = $2 and message_id = any($3::text[])
     returning message_id, conversation_id, ahead
   ), queued as (
     ${submitJobsSql({
       ledgerId: '$1::integer',
       numberId: 'g.phone_number_id',
       messageId: 'g.message_id',
       position: 'g.position',
       from: `from (
       select message_id, c.phone_number_id, row_number() over (order by ahead desc, message_id) as position
       from gone cross join lateral (
         select phone_number_id from conversations where ledger_id = $1 and id = gone.conversation_id limit 1) c) g`,
     })}
   ), aged as (
     delete from campaign_hand_overs
     where ledger_id = $1 and campaign_id = $2
       and at < ledger_now($1) - make_interval(secs => ${(WINDOW_MS + 2 * SLOT_MS) / 1000})
   ), noted as (
     insert into campaign_hand_overs as h (ledger_id, campaign_id, at, messages)
     select $1, $2, date_bin(step.by, ledger_now($1), 'epoch') + step.by, $6::integer
     from (select make_interval(secs => ${SLOT_MS / 1000}) as by) step where $6::integer > 0
     on conflict (ledger_id, campaign_id, at) do update set messages = h.messages + excluded.messages
   ), past as (
     delete from campaign_days where ledger_id = $1 and campaign_id = $2 and day < $4::text::date
   )
   insert into campaign_days as d (ledger_id, campaign_id, day, segments)
   select $1, $2, $4::text::date, $5::integer where $6::integer > 0
   on conflict (ledger_id, campaign_id, day) do update set segments = d.segments + excluded.segments`,
);

/** Hands texts over to submit jobs, and counts `messages` and their `segments` against the campaign's limits. */
export async function handOver(
  tx: Tx,
  { ledgerId, groupId }: Lane,
  { ids, day, messages, segments }: { ids: readonly string[]; day: string; messages: number; segments: number },
): Promise<void> {
  await tx.query(HAND_OVER, [ledgerId, groupId, ids, day, segments, messages]);
  wake(tx, 'jobs', 'messaging');
}

const DROP = statement(
  'paced_messages_drop',
  'delete from paced_messages where ledger_id = $1 and campaign_id = $2 and message_id = any($3::text[])',
);

/** Removes texts that will not be sent from the queue. */
export async function dropPacedMessages(tx: Tx, { ledgerId, groupId }: Lane, ids: readonly string[]): Promise<void> {
  await tx.query(DROP, [ledgerId, groupId, ids]);
}

const ANY = statement(
  'paced_messages_any',
  'select 1 as found from paced_messages where ledger_id = $1 and campaign_id = $2 limit 1',
);

/** Returns true if a text waits in the queue of the lane's campaign. */
export async function hasPacedMessages(tx: Tx, { ledgerId, groupId }: Lane): Promise<boolean> {
  return (await tx.query(ANY, [ledgerId, groupId])).length > 0;
}

/** Counting stops here, so that a large backlog is cheap to count. */
const COUNT_MAX = 100_000;

const COUNT = statement(
  'paced_messages_count',
  `select s.state, coalesce(sum(w.messages), 0)::int as messages
   from (values ('due'), ('resting')) s (state)
   left join (
     select n.messages, case when ${laneWaitsSql('l')} then 'resting' else 'due' end
       as state
     from (select ledger_id, campaign_id, count(*) as messages
           from (select ledger_id, campaign_id from paced_messages limit ${COUNT_MAX}) p group by 1, 2) n
     ${leftJoinLaneSql({
       ledgerId: 'n.ledger_id',
       kind: `'${CAMPAIGN_LANES}'`,
       groupId: 'n.campaign_id',
       laneKey: 'n.campaign_id',
     })}) w on w.state = s.state
   group by 1`,
);

/** Waiting texts of all campaigns: `resting` until their minute has room, `due` if they could be handed over. */
export type PacedCount = { readonly state: 'due' | 'resting'; readonly messages: number };

export function countPacedMessages(db: Db): Promise<PacedCount[]> {
  return db.query(COUNT, []);
}
