import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Range } from '../../../http/schemas/pagination.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Call as CallState } from './call.ts';
import type { Call } from './schema.ts';

/** Only the ledger counts here: what rings is known by its number alone. */
export type InLedger = Pick<Ledger, 'ledgerId'>;

export const CALL_COLUMNS = `c.id, 'call' as object, c.tenant_id, c.phone_number_id, c.conversation_id, c.direction,
  c."from", c."to", c.connect_to, c.status, c.outcome, c.answered_by, coalesce(c.duration_seconds, 0) as duration_seconds, c.record, c.recording_id,
  c.voicemail_id, c.summary, c.started_at, c.ended_at,
  (select coalesce(json_agg(json_build_object('type', e.type,
            'at', to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'detail', e.detail)
          order by e.position), '[]')
   from call_events e where e.ledger_id = c.ledger_id and e.call_id = c.id) as events`;

const FIND = statement('calls_find', `select ${CALL_COLUMNS} from calls c where c.ledger_id = $1 and c.id = $2`);

export async function findCall(db: Db, { ledgerId }: InLedger, id: string): Promise<Call | undefined> {
  const [row] = await db.query<Call>(FIND, [ledgerId, id]);
  return row;
}

const EXISTS = statement('calls_exists', 'select 1 as found from calls where ledger_id = $1 and id = $2');

export async function hasCall(db: Db, { ledgerId }: InLedger, id: string): Promise<boolean> {
  return (await db.query(EXISTS, [ledgerId, id])).length > 0;
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

export async function listCalls(db: Db, { ledgerId }: InLedger, filter: CallFilter): Promise<Call[]> {
  const { tenantId, phoneNumberId, direction, status, range, before, rows } = filter;
  return db.query(LIST, [ledgerId, tenantId, phoneNumberId, direction, status, range.start, range.end, before, rows]);
}

const LIST_OF_CONVERSATION = statement(
  'calls_list_of_conversation',
  `select ${CALL_COLUMNS} from calls c
   where c.ledger_id = $1 and c.conversation_id = $2 and ($3::text is null or c.id < $3)
   order by c.id desc limit $4`,
);

/** Calls of a thread, newest first, from the one before `before` on. */
export async function listCallsOfConversation(
  db: Db,
  { ledgerId }: InLedger,
  { conversationId, before, rows }: { conversationId: string; before: string | null; rows: number },
): Promise<Call[]> {
  return db.query(LIST_OF_CONVERSATION, [ledgerId, conversationId, before, rows]);
}

/** A call as its executor holds it. */
export type HeldCall = {
  readonly id: string;
  readonly tenant_id: string;
  readonly conversation_id: string | null;
  readonly state: CallState;
  readonly commands: number;
  readonly log_entries: number;
  /** Ledger time at which the hold began. */
  readonly now: Date;
};

// ledger_now is read where the row is, so after any wait for its lock.
const HOLD = statement(
  'calls_hold',
  `select c.id, c.tenant_id, c.conversation_id, c.state, c.commands, c.log_entries, ledger_now($1) as now
   from (select * from calls where ledger_id = $1 and id = $2 for update) c`,
);

/** Keeps everybody else from stepping the call until the transaction ends. */
export async function holdCall(tx: Tx, { ledgerId }: InLedger, id: string): Promise<HeldCall | undefined> {
  const [row] = await tx.query<HeldCall>(HOLD, [ledgerId, id]);
  return row;
}
