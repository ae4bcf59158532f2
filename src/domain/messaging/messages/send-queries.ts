/**
 * The statement that accepts sends, many at a time. Each row is judged, and a row that passes is written with its
 * conversation, its job (or its row in the queue of its campaign) and its idempotency key, all in one commit. Rows are
 * locked in one order everywhere (keys, then conversations, then lanes), so batches of several processes wait for each
 * other and never deadlock.
 */
import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Db } from '../../../db/database.ts';
import { type Column, inputOf, readColumns } from '../../../db/input.ts';
import { momentSql } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import { IDEMPOTENCY_WINDOW } from '../../../http/writes/idempotency-queries.ts';
import type { ErrorCode } from '../../../lib/errors/errors.ts';
import type { Scope } from '../../../lib/scope.ts';
import { insertJobsSql } from '../../../queue/jobs/job-sql.ts';
import { activateLanesCtes } from '../../../queue/lanes/standing-lanes.ts';
import { wake } from '../../../queue/worker/wake.ts';
import { rememberTracesSql } from '../../events/index.ts';
import { SET_ACTIVITY } from '../conversations/activity-queries.ts';
import { CAMPAIGN_LANES } from '../dispatch/rules.ts';
import { OPTED_OUT } from '../opt-outs/rules.ts';
import type { Draft } from './draft.ts';
import { historyEntry } from './queries.ts';
import type { Message } from './schema.ts';
import { submitJobsSql } from './submit-queries.ts';

/** Jobs that send the scheduled texts of one moment. */
export const RELEASE_KIND = 'message.release';

/** One send of a batch. Its ids are made beforehand, so that repeating the statement changes nothing. */
export type Send = {
  readonly scope: Scope;
  readonly draft: Draft;
  readonly messageId: string;
  /** The id of the conversation if this send creates it. */
  readonly conversationId: string;
  readonly idempotency: { readonly key: string; readonly fingerprint: Buffer } | undefined;
  /** The trace context of the request, which the events of the message carry. */
  readonly traceparent: string | null;
};

/** Columns that a message has of its send. They are stored and shown under their names. */
const SENT = {
  body: ['text', ({ draft }) => draft.body],
  media: ['json', ({ draft }) => [...draft.media]],
  segments: ['smallint', ({ draft }) => draft.segments],
  metadata: ['json', ({ draft }) => draft.metadata],
  send_at: ['timestamptz', ({ draft }) => draft.sendAt],
} as const satisfies { readonly [Field in keyof Message]?: Column<Send, Message[Field]> };
const SENT_NAMES = Object.keys(SENT);

const SENDS = inputOf<Send>('sends', {
  ...SENT,
  ledger_id: ['int', ({ scope }) => scope.ledgerId],
  key_tenant: ['text', ({ scope }) => scope.tenantId],
  from_ref: ['text', ({ draft }) => draft.from],
  recipient: ['text', ({ draft }) => draft.to],
  message_id: ['text', ({ messageId }) => messageId],
  conversation_id: ['text', ({ conversationId }) => conversationId],
  preview: ['text', ({ draft }) => draft.preview],
  idempotency_key: ['text', ({ idempotency }) => idempotency?.key ?? null],
  fingerprint: ['bytea', ({ idempotency }) => idempotency?.fingerprint ?? null],
  traceparent: ['text', ({ traceparent }) => traceparent],
  planned: ['boolean', ({ draft }) => draft.isPlanned],
});

/** The reason for refusing a send, and the wrong field, if any. `message` replaces the code's own message. */
export type Refusal = { readonly code: ErrorCode; readonly param: string | null; readonly message?: string };

/**
 * The result of a send.
 * - key_taken: its Idempotency-Key already has an answer.
 * - unplanned: quiet hours of its tenant apply to it, and it was not planned with them. Nothing is written.
 */
export type SendVerdict =
  | { verdict: 'accepted'; message: Message }
  | ({ verdict: 'refused' } & Refusal)
  | { verdict: 'key_taken' }
  | { verdict: 'unplanned' };

/**
 * SQL for the sending number of a row with `ledger_id` and `from_ref`. It is looked up by id or by E.164, each by its
 * own index.
 */
export function sendingNumberSql(row: string): string {
  const numberBy = (column: string) => `
  select p.id, p.tenant_id, p.phone_number, p.capabilities, p.campaign_id, p.campaign_pending,
    p.messaging_connection_id from phone_numbers p
  where p.ledger_id = ${row}.ledger_id and p.${column} = ${row}.from_ref and p.status = 'active'`;
  return `${numberBy('id')} union all ${numberBy('phone_number')}`;
}

// Each look-up is a lateral or scalar subquery, so that it reads one key. With an `exists`, the planner may hash all
// opt-outs, by a plan from the time when there were few.
const JUDGED = `
  select i.*, p.id as number_id, p.tenant_id, p.phone_number, p.campaign_id, p.messaging_connection_id as connection_id,
    clock_timestamp() + l.clock_offset as at,
    case
      when p.id is null then 'from_number_not_found'
      when i.key_tenant is not null and p.tenant_id <> i.key_tenant then 'tenant_restricted_key'
      when not 'sms' = any(p.capabilities) then 'number_not_sms_capable'
      when p.phone_number = i.recipient then 'invalid_to'
      when l.mode = 'live' and (select true from carrier_connections
          where id = p.messaging_connection_id and status = 'active' limit 1) is null then 'carrier_unavailable'
      when case
        when p.campaign_id is null then l.mode = 'live'
        else p.campaign_pending or (select true from campaigns
          where ledger_id = i.ledger_id and id = p.campaign_id and status = 'approved' limit 1) is null
      end then 'campaign_not_approved'
      when (select true from opt_outs where ledger_id = i.ledger_id and tenant_id = p.tenant_id
          and external_number = i.recipient and 'text' = any(channels) limit 1) then 'recipient_opted_out'
      when l.mode = 'live' and (select true from balances
          where ledger_id = i.ledger_id and amount_micros > 0 limit 1) is null then 'insufficient_balance'
    end as refusal, not i.planned and coalesce((
      select case quiet_hours ->> 'applies_to' when 'all' then true when 'marketing' then (
          select use_case in ('marketing', 'mixed') from campaigns
          where ledger_id = i.ledger_id and id = p.campaign_id limit 1) end
      from tenants where ledger_id = i.ledger_id and id = p.tenant_id limit 1), false) as unplanned
  from input i
  left join lateral (select mode, clock_offset from ledgers where id = i.ledger_id limit 1) l on true
  left join lateral (${sendingNumberSql('i')} limit 1) p on true`;

/** SQL of the status of a text that has just been accepted. */
const FIRST_STATUS = `case when a.send_at is null then 'queued' else 'scheduled' end`;

/** Returns the status of a text that has just been accepted. `sendAt` is null for a text that is sent at once. */
export function firstStatus(sendAt: Date | null): 'queued' | 'scheduled' {
  return sendAt === null ? 'queued' : 'scheduled';
}

const KEYED = `keyed as (
     insert into idempotency_keys (ledger_id, scope, key, fingerprint, status, resource_id, created_at)
     select ledger_id, coalesce(key_tenant, ''), idempotency_key, fingerprint, 201, message_id, at
     from checked_sends where refusal is null and not unplanned and idempotency_key is not null
     order by ledger_id, 2, idempotency_key
     on conflict (ledger_id, scope, key) do update
       set fingerprint = excluded.fingerprint, status = excluded.status, response = null,
           resource_id = excluded.resource_id, created_at = excluded.created_at
       where idempotency_keys.created_at <= excluded.created_at - interval '${IDEMPOTENCY_WINDOW}'
     returning resource_id
   ), accepted as materialized (
     select j.* from checked_sends j left join keyed k on k.resource_id = j.message_id
     where j.refusal is null and not j.unplanned and (j.idempotency_key is null or k.resource_id is not null)
   )`;

const TRACED = `traced as (
     ${rememberTracesSql({
       ledgerId: 'ledger_id',
       resourceId: 'message_id',
       traceparent: 'traceparent',
       from: 'from accepted where traceparent is not null order by ledger_id, message_id',
     })}
   )`;

const TIMED = `waiting as (
     insert into scheduled_messages (ledger_id, send_at, message_id)
     select w.ledger_id, a.send_at, w.id
     from accepted a cross join lateral (select * from written where id = a.message_id limit 1) w
     where a.send_at is not null order by 1, 2, 3
     returning ledger_id, send_at
   ), timed as (
     ${insertJobsSql({
       ledgerId: 'ledger_id',
       id: `'${RELEASE_KIND}:' || ${momentSql('send_at')}`,
       queue: 'messaging',
       kind: `'${RELEASE_KIND}'`,
       payload: `json_build_object('send_at', ${momentSql('send_at')})`,
       inMs: 'extract(epoch from send_at - ledger_now(ledger_id))::float8 * 1000',
       from: 'from (select distinct ledger_id, send_at from waiting order by 1, 2) t',
       onConflict: 'restart',
     })}
   )`;

type SendRow = {
  readonly refusal: ErrorCode | null;
  readonly unplanned: boolean;
  readonly written: boolean;
  readonly tenant_id: string;
  readonly conversation_id: string;
  readonly from: string;
  readonly created_at: Date;
  /** True if its job is queued; false if it waits for its campaign. */
  readonly queued: boolean;
  /** True if the batch activated the lane of a campaign. */
  readonly activated: boolean;
};

// Rows of a batch are found from `accepted` by lateral subqueries, so that rows which a part does not concern read
// nothing. Exported for the benchmark, which runs it with pgbench.
export const SEND = statement<{ readonly sends: readonly Send[] }, SendRow>(
  'messages_send',
  `with input as materialized (
     select * from ${SENDS.rows('i', 'n')}
   ), checked_sends as materialized (${JUDGED}
   ), ${KEYED}, conversation_rows as (
     insert into conversations as c (ledger_id, id, tenant_id, phone_number_id, external_number, last_activity_at,
       last_message_preview)
     select distinct on (ledger_id, number_id, recipient) ledger_id, conversation_id, tenant_id, number_id, recipient,
       at, preview
     from accepted order by ledger_id, number_id, recipient, n desc
     on conflict (ledger_id, phone_number_id, external_number) do update
       set ${SET_ACTIVITY}
     returning ledger_id, id, phone_number_id, external_number
   ), written as (
     insert into messages (ledger_id, id, tenant_id, conversation_id, direction, origin, "from", "to", status,
       status_history, created_at, connection_id, ${SENT_NAMES.join(', ')})
     select a.ledger_id, a.message_id, a.tenant_id, t.id, 'outbound', 'api', a.phone_number, a.recipient,
       ${FIRST_STATUS}, json_build_array(${historyEntry(FIRST_STATUS, 'a.at')}), a.at, a.connection_id,
       ${SENT_NAMES.map((name) => `a.${name}`).join(', ')}
     from accepted a cross join lateral (
       select id from conversation_rows
       where external_number = a.recipient and phone_number_id = a.number_id and ledger_id = a.ledger_id limit 1) t
     order by a.n
     on conflict (ledger_id, id) do nothing
     returning ledger_id, id, tenant_id, conversation_id, "from", created_at
   ), queued as (
     ${submitJobsSql({
       ledgerId: 'w.ledger_id',
       numberId: 'a.number_id',
       messageId: 'w.id',
       position: 'a.n',
       from: `from accepted a cross join lateral (
       select ledger_id, id from written where id = a.message_id limit 1) w
     where a.campaign_id is null and a.send_at is null`,
     })}
   ), campaign_queue as (
     insert into paced_messages (ledger_id, campaign_id, message_id, conversation_id)
     select w.ledger_id, a.campaign_id, w.id, w.conversation_id
     from accepted a cross join lateral (select * from written where id = a.message_id limit 1) w
     where a.campaign_id is not null and a.send_at is null order by 1, 2, 3
     returning ledger_id, campaign_id
   ), ${TRACED}, ${TIMED}, ${activateLanesCtes(CAMPAIGN_LANES, 'select ledger_id, campaign_id from campaign_queue')}
   select j.refusal, j.unplanned, w.id is not null as written, w.tenant_id, w.conversation_id, w."from", w.created_at,
     w.id is not null and j.campaign_id is null and j.send_at is null as queued, exists (select 1 from activated) as activated
   from checked_sends j left join written w on w.id = j.message_id order by j.n`,
);

/**
 * Judges and stores sends in one statement, and wakes the workers of their jobs and lanes. Returns a verdict for each.
 */
export async function insertSends(db: Db, sends: readonly Send[]): Promise<SendVerdict[]> {
  const rows = await db.query(SEND, { sends });
  if (rows.some((row) => row.queued)) wake(db, 'jobs', 'messaging');
  if (rows.some((row) => row.activated)) wake(db, 'lanes', CAMPAIGN_LANES);
  return rows.map((row, index) => toVerdict(row, sends[index] as Send));
}

const REFUSED_FIELD: Partial<Record<ErrorCode, string | null>> = {
  invalid_to: 'to',
  recipient_opted_out: 'to',
  insufficient_balance: null,
  carrier_unavailable: null,
};

const REFUSAL_MESSAGE: Partial<Record<ErrorCode, string>> = {
  // Every other case of invalid_to is found by `checkDraft`; this one needs the sending number.
  invalid_to: 'A number cannot text itself.',
  recipient_opted_out: OPTED_OUT.text,
};

function toRefusal(code: ErrorCode): Refusal {
  const param = REFUSED_FIELD[code];
  const message = REFUSAL_MESSAGE[code];
  return { code, param: param === undefined ? 'from' : param, ...(message === undefined ? {} : { message }) };
}

function toVerdict(row: SendRow, send: Send): SendVerdict {
  if (row.refusal !== null) return { verdict: 'refused', ...toRefusal(row.refusal) };
  if (row.unplanned) return { verdict: 'unplanned' };
  if (!row.written) return { verdict: 'key_taken' };
  return { verdict: 'accepted', message: acceptedMessage(row, send) };
}

/** Returns the message as it was stored, without reading it. */
function acceptedMessage(row: SendRow, send: Send): Message {
  const status = firstStatus(send.draft.sendAt);
  return {
    ...readColumns(SENT, send),
    id: send.messageId,
    object: 'message',
    tenant_id: row.tenant_id,
    conversation_id: row.conversation_id,
    direction: 'outbound',
    from: row.from,
    to: send.draft.to,
    group: false,
    other_recipients: [],
    redacted_at: null,
    status,
    error_code: null,
    error_detail: null,
    created_at: row.created_at,
    status_history: [{ status, at: row.created_at }],
  };
}

type JudgedValues = {
  readonly ledger_id: number;
  readonly key_tenant: string | null;
  readonly from_ref: string;
  readonly recipient: string;
};

const JUDGE_ONE = statement<JudgedValues, { readonly refusal: ErrorCode | null }>(
  'messages_judge_one',
  `with input as (
     select :ledger_id::int as ledger_id, :key_tenant::text as key_tenant, :from_ref::text as from_ref,
       :recipient::text as recipient, true as planned
   )
   select refusal from (${JUDGED}) checked_sends`,
);

/** Returns the refusal that a send would get now, or null. Writes nothing. */
export async function judgeSend(db: Db, scope: Scope, draft: Draft): Promise<Refusal | null> {
  const { from: from_ref, to: recipient } = draft;
  const values = { ledger_id: scope.ledgerId, key_tenant: scope.tenantId, from_ref, recipient };
  const [row] = await db.query(JUDGE_ONE, values);
  const refusal = row?.refusal ?? null;
  return refusal === null ? null : toRefusal(refusal);
}

const TEXT_CONNECTION = statement(
  'messages_find_text_connection',
  `select p.messaging_connection_id as id from (select $1::integer as ledger_id, $2::text as from_ref) i
   cross join lateral (${sendingNumberSql('i')} limit 1) p`,
);

/** Returns the connection of a number's texts. Finds the number by its id or E.164. Null for none. */
export async function findTextConnection(db: Db, { ledgerId }: Scope, from: string): Promise<ConnectionId> {
  const [row] = await db.query<{ id: ConnectionId }>(TEXT_CONNECTION, [ledgerId, from]);
  return row?.id ?? null;
}
