import type { ErrorDetail } from '../../../carriers/ports/outcome.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import { sourcesOf } from '../../../lib/machine.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { type MessageErrorCode, messageMachine } from './rules.ts';
import type { Message } from './schema.ts';

export const MESSAGE_COLUMNS = `m.id, 'message' as object, m.tenant_id, m.conversation_id, m.direction, m."from", m."to",
  m.other_recipients <> '{}' as "group", m.other_recipients, m.body, m.media, m.status, m.error_code, m.error_detail,
  m.segments, m.metadata, m.send_at, m.created_at, m.status_history`;

/**
 * SQL of a `status_history` entry. The time has the format of created_at in replies (UTC, milliseconds), so that a
 * reply rebuilt from the row equals the first one.
 */
export function historyEntry(status: string, at: string): string {
  return `jsonb_build_object('status', ${status}, 'at', to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;
}

const FIND = statement(
  'messages_find',
  `select ${MESSAGE_COLUMNS} from messages m where m.ledger_id = $1 and m.id = $2`,
);

export async function findMessage(
  db: Db,
  { ledgerId }: Pick<Ledger, 'ledgerId'>,
  id: string,
): Promise<Message | undefined> {
  const [row] = await db.query<Message>(FIND, [ledgerId, id]);
  return row;
}

/** A report of a message's status. */
export type Receipt = {
  readonly messageId: string;
  readonly status: 'sent' | 'delivered' | 'failed';
  readonly errorCode: MessageErrorCode | null;
  /** Of a text that failed because the carrier blocks all texts to the person: as the request was made, or later. */
  readonly blocked?: 'at_once' | 'later';
  /** The carrier's own error of a failed one. */
  readonly errorDetail?: ErrorDetail | undefined;
};

const SOURCES = {
  sent: sourcesOf(messageMachine, 'sent'),
  delivered: sourcesOf(messageMachine, 'delivered'),
  failed: sourcesOf(messageMachine, 'failed'),
};

// Apart from the release and the end of a scheduled text, only this statement updates a message's status. It takes one
// receipt per message, in one order, so that batches of two workers wait for each other. A row that another receipt has
// changed meanwhile is judged again by its new status. The history is appended as text: making jsonb of it costs more.
const MOVE = statement(
  'messages_move',
  `update messages m set status = r.status, error_code = r.error_code, error_detail = r.error_detail::json,
     status_history = (left(m.status_history::text, -1) || ', ' || ${historyEntry('r.status', 'r.at')}::text || ']')::json
   from (
     select id, status, error_code, error_detail, (select ledger_now($1::integer)) as at
     from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as r (id, status, error_code, error_detail)
     order by id offset 0) r
   where m.ledger_id = $1::integer and m.id = r.id
     and m.status = any(case r.status when 'sent' then $6::text[] when 'delivered' then $7::text[] else $8::text[] end)
   returning ${MESSAGE_COLUMNS}`,
);

/**
 * Applies one receipt to each message. Returns the messages that changed; a transition that is not allowed is skipped.
 */
export function moveMessages(tx: Tx, ledgerId: number, receipts: readonly Receipt[]): Promise<Message[]> {
  return tx.query(MOVE, [
    ledgerId,
    receipts.map((receipt) => receipt.messageId),
    receipts.map((receipt) => receipt.status),
    receipts.map((receipt) => receipt.errorCode),
    receipts.map(({ errorDetail }) => (errorDetail === undefined ? null : JSON.stringify(errorDetail))),
    SOURCES.sent,
    SOURCES.delivered,
    SOURCES.failed,
  ]);
}
