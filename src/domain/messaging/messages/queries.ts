import type { ErrorDetail } from '../../../carriers/ports/outcome.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { inputOf } from '../../../db/input.ts';
import { statement } from '../../../db/statement.ts';
import { sourcesOf } from '../../../lib/machine.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { type MessageErrorCode, messageMachine } from './rules.ts';
import { Message } from './schema.ts';

/** The body of a row `m` as readers see it: nothing once it is redacted. */
export const SHOWN_BODY = `case when m.redacted_at is null then m.body else '' end`;

/** Fields that are no columns of a row `m`, or are shown in another way. */
const MADE_FIELDS: Partial<Record<string, string>> = {
  object: `'message'`,
  group: `m.other_recipients <> '{}'`,
  body: SHOWN_BODY,
  media: `case when m.redacted_at is null then m.media else '[]' end`,
};

/**
 * The columns of a row `m` of `messages` that the API shows: each field of the schema is the column with the same name.
 */
export const MESSAGE_COLUMNS = Object.keys(Message.properties)
  .map((field) => `${MADE_FIELDS[field] ?? `m."${field}"`} as "${field}"`)
  .join(', ');

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
  /**
   * Set if a text failed because the carrier blocks all texts to the person. It says when the carrier reported this: in
   * its answer to the request (`at_once`), or later.
   */
  readonly blocked?: 'at_once' | 'later';
  /** The carrier's own error, if the text failed. */
  readonly errorDetail?: ErrorDetail | undefined;
};

const SOURCES = {
  sent: sourcesOf(messageMachine, 'sent'),
  delivered: sourcesOf(messageMachine, 'delivered'),
  failed: sourcesOf(messageMachine, 'failed'),
};

// Three statements update a message's status: this one, the release and the end of a scheduled text. This one takes one
// receipt per message, in one order, so that batches of two workers wait for each other. If another receipt changed the
// row concurrently, the new status decides. The history is appended as text, because making jsonb of it costs more.
const RECEIPTS = inputOf<Receipt>('receipts', {
  id: ['text', ({ messageId }) => messageId],
  status: ['text', ({ status }) => status],
  error_code: ['text', ({ errorCode }) => errorCode],
  error_detail: ['json', ({ errorDetail = null }) => errorDetail],
});

const sourcesSql = (status: keyof typeof SOURCES) => `'{${SOURCES[status].join()}}'::text[]`;

const MOVE = statement<{ readonly ledger_id: number; readonly receipts: readonly Receipt[] }, Message>(
  'messages_move',
  `update messages m set status = r.status, error_code = r.error_code, error_detail = r.error_detail,
     status_history = (left(m.status_history::text, -1) || ', ' || ${historyEntry('r.status', 'r.at')}::text || ']')::json
   from (
     select id, status, error_code, error_detail, (select ledger_now(:ledger_id::int)) as at
     from ${RECEIPTS.rows('r')}
     order by id offset 0) r
   where m.ledger_id = :ledger_id::int and m.id = r.id
     and m.status = any(case r.status when 'sent' then ${sourcesSql('sent')}
       when 'delivered' then ${sourcesSql('delivered')} else ${sourcesSql('failed')} end)
   returning ${MESSAGE_COLUMNS}`,
);

/**
 * Applies one receipt to each message. Returns the messages that changed; a transition that is not allowed is skipped.
 */
export function moveMessages(tx: Tx, ledgerId: number, receipts: readonly Receipt[]): Promise<Message[]> {
  return tx.query(MOVE, { ledger_id: ledgerId, receipts });
}
