import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Range } from '../../../http/schemas/pagination.ts';
import { sourcesOf } from '../../../lib/machine.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { type MessageErrorCode, messageMachine } from './rules.ts';
import type { Message } from './schema.ts';

export const MESSAGE_COLUMNS = `m.id, 'message' as object, m.tenant_id, m.conversation_id, m.direction, m."from", m."to",
  m.body, m.media, m.status, m.error_code, m.segments, m.metadata, m.created_at, m.status_history`;

/**
 * SQL of a `status_history` entry. The moment is written as created_at is shown (UTC, milliseconds), so that a reply
 * made again from the row equals the first one.
 */
export function historyEntry(status: string, at: string): string {
  return `jsonb_build_object('status', ${status}, 'at', to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;
}

const FIND = statement(
  'messages_find',
  `select ${MESSAGE_COLUMNS} from messages m where m.ledger_id = $1 and m.id = $2`,
);

export async function findMessage(db: Db, { ledgerId }: Ledger, id: string): Promise<Message | undefined> {
  const [row] = await db.query<Message>(FIND, [ledgerId, id]);
  return row;
}

export type MessageFilter = {
  tenantId: string | null;
  conversationId: string | null;
  direction: string | null;
  range: Range;
  before: string | null;
  rows: number;
};

const LIST = statement(
  'messages_list',
  `select ${MESSAGE_COLUMNS} from messages m
   where m.ledger_id = $1 and ($2::text is null or m.tenant_id = $2) and ($3::text is null or m.conversation_id = $3)
     and ($4::text is null or m.direction = $4) and ($5::timestamptz is null or m.created_at >= $5)
     and ($6::timestamptz is null or m.created_at < $6) and ($7::text is null or m.id < $7)
   order by m.id desc limit $8`,
);

export async function listMessages(db: Db, { ledgerId }: Ledger, filter: MessageFilter): Promise<Message[]> {
  const { tenantId, conversationId, direction, range, before, rows } = filter;
  return db.query(LIST, [ledgerId, tenantId, conversationId, direction, range.start, range.end, before, rows]);
}

/** A report of where a message is. */
export type Receipt = {
  readonly messageId: string;
  readonly status: 'sent' | 'delivered' | 'failed';
  readonly errorCode: MessageErrorCode | null;
};

const SOURCES = {
  sent: sourcesOf(messageMachine, 'sent'),
  delivered: sourcesOf(messageMachine, 'delivered'),
  failed: sourcesOf(messageMachine, 'failed'),
};

// The only statement that writes a message's status; it takes one receipt per message. Rows are locked in one order so
// that batches of two workers wait instead of deadlocking.
const MOVE = statement(
  'messages_move',
  `with receipts as (
     select id, status, error_code from unnest($2::text[], $3::text[], $4::text[]) as r (id, status, error_code)
   ), held as materialized (
     select m.id, r.status, r.error_code, ledger_now($1::integer) as at
     from messages m join receipts r on r.id = m.id
     where m.ledger_id = $1::integer
       and m.status = any(case r.status when 'sent' then $5::text[] when 'delivered' then $6::text[] else $7::text[] end)
     order by m.id for update of m
   )
   update messages m set status = h.status, error_code = h.error_code,
     status_history = (m.status_history::jsonb || ${historyEntry('h.status', 'h.at')})::json
   from held h where m.ledger_id = $1::integer and m.id = h.id
   returning ${MESSAGE_COLUMNS}`,
);

/** Moves messages, each named once, along their machine; those that cannot move so are left out of the result. */
export async function moveMessages(tx: Tx, ledgerId: number, receipts: readonly Receipt[]): Promise<Message[]> {
  return tx.query(MOVE, [
    ledgerId,
    receipts.map((receipt) => receipt.messageId),
    receipts.map((receipt) => receipt.status),
    receipts.map((receipt) => receipt.errorCode),
    SOURCES.sent,
    SOURCES.delivered,
    SOURCES.failed,
  ]);
}

export type WaitingMessage = {
  id: string;
  from: string;
  to: string;
  body: string;
  media: { url: string }[];
  /** Why it must not go out any more, if so. */
  obstacle: 'recipient_opted_out' | 'send_failed' | null;
};

const LIST_WAITING = statement(
  'messages_list_waiting',
  `select m.id, m."from", m."to", m.body, m.media,
     case
       when p.status <> 'active' then 'send_failed'
       when m.origin = 'api' and a.status <> 'active' then 'send_failed'
       when m.origin = 'api' and exists (
         select 1 from opt_outs o
         where o.ledger_id = m.ledger_id and o.tenant_id = m.tenant_id and o.external_number = m."to"
       ) then 'recipient_opted_out'
     end as obstacle
   from messages m
   join conversations c on c.ledger_id = m.ledger_id and c.id = m.conversation_id
   join phone_numbers p on p.ledger_id = m.ledger_id and p.id = c.phone_number_id
   join ledgers l on l.id = m.ledger_id join accounts a on a.id = l.account_id
   where m.ledger_id = $1 and m.id = any($2::text[]) and m.status = 'queued'
   order by m.id`,
);

/** Those of the messages that are still queued, judged again: what waits may be overtaken by a STOP or a release. */
export async function listWaitingMessages(db: Db, ledgerId: number, ids: readonly string[]): Promise<WaitingMessage[]> {
  return db.query(LIST_WAITING, [ledgerId, ids]);
}
