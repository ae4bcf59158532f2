import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Position } from '../../../http/schemas/pagination.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Conversation } from './schema.ts';

const COLUMNS = `c.id, 'conversation' as object, c.tenant_id, c.phone_number_id, c.external_number, c.last_activity_at,
  c.last_message_preview, exists (
    select 1 from opt_outs o
    where o.ledger_id = c.ledger_id and o.tenant_id = c.tenant_id and o.external_number = c.external_number
  ) as opted_out`;

const FIND = statement(
  'conversations_find',
  `select ${COLUMNS} from conversations c where c.ledger_id = $1 and c.id = $2`,
);

export async function findConversation(db: Db, { ledgerId }: Ledger, id: string): Promise<Conversation | undefined> {
  const [row] = await db.query<Conversation>(FIND, [ledgerId, id]);
  return row;
}

/** A conversation with its position in the list: microseconds, so that two activities rarely share one. */
export type ListedConversation = Conversation & { position: string };

const LIST = statement(
  'conversations_list',
  `select ${COLUMNS}, to_char(c.last_activity_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as position
   from conversations c
   where c.ledger_id = $1 and ($2::text is null or c.tenant_id = $2) and ($3::text is null or c.phone_number_id = $3)
     and ($4::timestamptz is null or (c.last_activity_at, c.id) < ($4, $5))
   order by c.last_activity_at desc, c.id desc limit $6`,
);

export type ConversationFilter = {
  tenantId: string | null;
  phoneNumberId: string | null;
  before: Position;
  rows: number;
};

export function listConversations(
  db: Db,
  { ledgerId }: Ledger,
  { tenantId, phoneNumberId, before, rows }: ConversationFilter,
): Promise<ListedConversation[]> {
  return db.query(LIST, [ledgerId, tenantId, phoneNumberId, before?.[0] ?? null, before?.[1] ?? null, rows]);
}

/**
 * SQL for the preview of an existing conversation `c` after the activity `excluded`. Transactions do not lock the row
 * in the order of their times, so the preview of the later time is kept.
 */
export const LATER_PREVIEW = `case when excluded.last_activity_at >= c.last_activity_at then excluded.last_message_preview
             else c.last_message_preview end`;

const TOUCH = statement(
  'conversations_touch',
  `insert into conversations as c (ledger_id, id, tenant_id, phone_number_id, external_number, last_activity_at,
     last_message_preview)
   values ($1, $2, $3, $4, $5, ledger_now($1), $6)
   on conflict (ledger_id, phone_number_id, external_number) do update
     set last_activity_at = greatest(c.last_activity_at, excluded.last_activity_at),
         last_message_preview = ${LATER_PREVIEW}
   returning id`,
);

export type Activity = {
  /** The id of the conversation if this activity creates it. */
  id: string;
  tenantId: string;
  phoneNumberId: string;
  externalNumber: string;
  preview: string;
};

/**
 * Records a message or a call in the conversation of a number and an external number. Creates the conversation if there
 * is none.
 * @returns the conversation's id
 */
export async function touchConversation(tx: Tx, { ledgerId }: Ledger, activity: Activity): Promise<string> {
  const { id, tenantId, phoneNumberId, externalNumber, preview } = activity;
  const [row] = await tx.query<{ id: string }>(TOUCH, [ledgerId, id, tenantId, phoneNumberId, externalNumber, preview]);
  return (row as { id: string }).id;
}

const RECORD_ACTIVITY = statement(
  'conversations_record_activity',
  `update conversations c set last_activity_at = greatest(c.last_activity_at, excluded.last_activity_at),
     last_message_preview = ${LATER_PREVIEW}
   from (select ledger_now($1) as last_activity_at, $3::text as last_message_preview) excluded
   where c.ledger_id = $1 and c.id = $2`,
);

/** Records activity of an existing conversation: the end of a call, or a voicemail. */
export async function recordConversationActivity(
  tx: Tx,
  { ledgerId }: Pick<Ledger, 'ledgerId'>,
  { id, preview }: Pick<Activity, 'id' | 'preview'>,
): Promise<void> {
  await tx.query(RECORD_ACTIVITY, [ledgerId, id, preview]);
}
