import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Range } from '../../../http/schemas/pagination.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Call } from './schema.ts';

/** The ledger of a row. Carrier events and jobs have no scope, only a ledger. */
export type InLedger = Pick<Ledger, 'ledgerId'>;

const CALL_COLUMNS = `c.id, 'call' as object, c.tenant_id, c.phone_number_id, c.conversation_id, c.direction,
  c."from", c."to", c.connect_to, c.status, c.outcome, c.answered_by,
  coalesce(c.duration_seconds, 0) as duration_seconds, c.record, c.recording_id, c.voicemail_id, c.summary, c.started_at, c.ended_at,
  (select coalesce(json_agg(json_build_object('type', e.type,
            'at', to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'detail', e.detail)
          order by e.position), '[]')
   from call_events e where e.ledger_id = c.ledger_id and e.call_id = c.id) as events`;

const FIND = statement('calls_find', `select ${CALL_COLUMNS} from calls c where c.ledger_id = $1 and c.id = $2`);

export async function findCall(db: Db, { ledgerId }: InLedger, id: string): Promise<Call | undefined> {
  const [row] = await db.query<Call>(FIND, [ledgerId, id]);
  return row;
}

export type CallFilter = {
  tenantId: string | null;
  phoneNumberId: string | null;
  direction: string | null;
  status: string | null;
  range: Range;
  before: string | null;
  rows: number;
};

const LIST = statement(
  'calls_list',
  `select ${CALL_COLUMNS} from calls c
   where c.ledger_id = $1 and ($2::text is null or c.tenant_id = $2) and ($3::text is null or c.phone_number_id = $3)
     and ($4::text is null or c.direction = $4) and ($5::text is null or c.status = $5)
     and ($6::timestamptz is null or c.started_at >= $6) and ($7::timestamptz is null or c.started_at < $7)
     and ($8::text is null or c.id < $8)
   order by c.id desc limit $9`,
);

export function listCalls(db: Db, { ledgerId }: InLedger, filter: CallFilter): Promise<Call[]> {
  const { tenantId, phoneNumberId, direction, status, range, before, rows } = filter;
  return db.query(LIST, [ledgerId, tenantId, phoneNumberId, direction, status, range.start, range.end, before, rows]);
}

const LIST_OF_CONVERSATION = statement(
  'calls_list_of_conversation',
  `select ${CALL_COLUMNS} from calls c
   where c.ledger_id = $1 and c.conversation_id = $2 and ($3::text is null or c.id < $3)
   order by c.id desc limit $4`,
);

/** Returns calls of a conversation, newest first, starting before the call `before`. */
export function listCallsOfConversation(
  db: Db,
  { ledgerId }: InLedger,
  { conversationId, before, rows }: { conversationId: string; before: string | null; rows: number },
): Promise<Call[]> {
  return db.query(LIST_OF_CONVERSATION, [ledgerId, conversationId, before, rows]);
}
