import type { Db, Tx } from '../../../db/database.ts';
import { inputOf } from '../../../db/input.ts';
import { LEDGER_NOW } from '../../../db/ledgers.ts';
import { byMoment, isOf, listReader, type Positioned, tenantReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import type { Position } from '../../../http/schemas/pagination.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Conversation } from './schema.ts';

const COLUMNS = `c.id, 'conversation' as object, c.tenant_id, c.phone_number_id, c.external_number, c.last_activity_at,
  c.last_message_preview, coalesce((
    select true from opt_outs o
    where o.ledger_id = c.ledger_id and o.tenant_id = c.tenant_id and o.external_number = c.external_number
      and 'text' = any(o.channels)
  ), false) as opted_out`;

const FIND = statement(
  'conversations_find',
  `select ${COLUMNS} from conversations c where c.ledger_id = $1 and c.id = $2`,
);

export async function findConversation(db: Db, { ledgerId }: Ledger, id: string): Promise<Conversation | undefined> {
  const [row] = await db.query<Conversation>(FIND, [ledgerId, id]);
  return row;
}

const LIST = {
  name: 'conversations_list',
  from: ['conversations', 'c'],
  columns: COLUMNS,
  order: byMoment('c.last_activity_at'),
  filters: { tenantId: 'c.tenant_id = ?', phoneNumberId: 'c.phone_number_id = ?', optedOut: 'c.opted_out = ?' },
} as const;

const OPTED_OUT = { sql: 'c.opted_out', type: 'boolean' } as const;
const readList = tenantReader<ListedConversation>(LIST, [OPTED_OUT]);
const readNumber = listReader<ListedConversation>(LIST, {
  name: 'number',
  keys: [{ sql: 'c.phone_number_id' }, OPTED_OUT],
});

// A person has few conversations, so all of them are read and sorted.
const readExternal = listReader<ListedConversation>(LIST, {
  name: 'external',
  keys: [{ sql: 'c.external_number' }],
});

/** A conversation with its position in the list: microseconds, so that two activities rarely share one. */
export type ListedConversation = Positioned<Conversation>;

export type ConversationFilter = {
  tenantId: string | null;
  number: { readonly id: string; readonly tenant_id: string } | null;
  externalNumber: string | null;
  optedOut: boolean | null;
  before: Position;
  rows: number;
};

/** Returns conversations, latest activity first. */
export function listConversations(
  db: Db,
  { ledgerId }: Ledger,
  { tenantId, number, externalNumber, optedOut, before, rows }: ConversationFilter,
): Promise<ListedConversation[]> {
  const page = { before, rows };
  if (externalNumber !== null) {
    const filters = { tenantId, phoneNumberId: number?.id, optedOut };
    return readExternal(db, ledgerId, { ...page, arms: [[externalNumber]], filters });
  }
  const flags = optedOut === null ? [true, false] : [optedOut];
  if (number !== null) {
    const arms = isOf(number, tenantId) ? flags.map((flag) => [number.id, flag]) : [];
    return readNumber(db, ledgerId, { ...page, arms });
  }
  return readList(db, ledgerId, { tenantId, ...page, arms: flags.map((flag) => [flag]) });
}

/**
 * SQL for the preview of an existing conversation `c` after the activity `excluded`. Transactions do not lock the row
 * in the order of their times, so the preview of the later time is kept.
 */
export const LATER_PREVIEW = `case when excluded.last_activity_at >= c.last_activity_at then excluded.last_message_preview
             else c.last_message_preview end`;

type ActivitySql = Readonly<Record<'id' | 'tenantId' | 'phoneNumberId' | 'externalNumber' | 'preview', string>>;

/**
 * Returns an insert that does what `touchConversation` does, for a statement that also writes what the
 * activity is. It returns the id of the conversation, and does nothing if `id` is null.
 */
export function touchConversationSql({ id, tenantId, phoneNumberId, externalNumber, preview }: ActivitySql): string {
  return `insert into conversations as c (ledger_id, id, tenant_id, phone_number_id, external_number, last_activity_at,
       last_message_preview, opted_out)
     select :ledger_id::int, ${id}, ${tenantId}, ${phoneNumberId}, ${externalNumber}, ledger_now(:ledger_id::int), ${preview}, exists (
       select 1 from opt_outs
       where ledger_id = :ledger_id::int and tenant_id = ${tenantId} and external_number = ${externalNumber}
         and 'text' = any(channels))
     where ${id} is not null
     on conflict (ledger_id, phone_number_id, external_number) do update
       set last_activity_at = greatest(c.last_activity_at, excluded.last_activity_at),
           last_message_preview = ${LATER_PREVIEW}
     returning id`;
}

const TOUCH = statement<TouchValues, { readonly id: string }>(
  'conversations_touch',
  touchConversationSql({
    id: ':id::text',
    tenantId: ':tenant_id::text',
    phoneNumberId: ':phone_number_id::text',
    externalNumber: ':external_number::text',
    preview: ':preview::text',
  }),
);

type TouchValues = { readonly ledger_id: number } & Readonly<
  Record<'id' | 'tenant_id' | 'phone_number_id' | 'external_number' | 'preview', string>
>;

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
  const ids = { ledger_id: ledgerId, id, tenant_id: tenantId, phone_number_id: phoneNumberId };
  const [row] = await tx.query(TOUCH, { ...ids, external_number: externalNumber, preview });
  return (row as { id: string }).id;
}

type ExistingActivity = Pick<Activity, 'id' | 'preview'>;

const ACTIVITIES = inputOf<ExistingActivity>('activities', {
  id: ['text', ({ id }) => id],
  preview: ['text', ({ preview }) => preview],
});

// Rows are locked in one order, as by every statement that writes several conversations.
const RECORD_ACTIVITIES = statement<{ readonly ledger_id: number; readonly activities: readonly ExistingActivity[] }>(
  'conversations_record_activities',
  `with latest as materialized (
     select distinct on (a.id) a.id, a.preview as last_message_preview, ledger_now(:ledger_id) as last_activity_at
     from ${ACTIVITIES.rows('a', 'n')} order by a.id, a.n desc
   ), locked as materialized (
     select c.id from conversations c join latest l on l.id = c.id where c.ledger_id = :ledger_id
     order by c.phone_number_id, c.external_number for no key update of c
   )
   update conversations c set last_activity_at = greatest(c.last_activity_at, excluded.last_activity_at),
     last_message_preview = ${LATER_PREVIEW}
   from latest excluded join locked on locked.id = excluded.id where c.ledger_id = :ledger_id and c.id = excluded.id`,
);

/**
 * Returns an update that records the activity of one existing conversation, for a statement of another
 * module that also writes what the activity is. It does nothing if `id` is null.
 */
export function recordActivitySql({
  id,
  preview,
  condition,
}: {
  id: string;
  preview: string;
  condition: string;
}): string {
  return `update conversations c set last_activity_at = greatest(c.last_activity_at, excluded.last_activity_at),
       last_message_preview = ${LATER_PREVIEW}
     from (select now.at as last_activity_at, ${preview} as last_message_preview from ${LEDGER_NOW}) excluded
     where c.ledger_id = :ledger_id::int and c.id = ${id} and ${condition}`;
}

/**
 * Records activity of existing conversations: texts that leave, the end of a call, or a voicemail. The last activity of
 * a conversation counts.
 */
export async function recordActivities(
  tx: Tx,
  { ledgerId }: Pick<Ledger, 'ledgerId'>,
  activities: readonly ExistingActivity[],
): Promise<void> {
  if (activities.length === 0) return;
  await tx.query(RECORD_ACTIVITIES, { ledger_id: ledgerId, activities });
}

const FORGET_PREVIEWS = statement(
  'conversations_forget_previews',
  `update conversations c set last_message_preview = ''
   from (select distinct id, preview from unnest($2::text[], $3::text[]) as u (id, preview) where preview <> '' order by id) p
   where c.ledger_id = $1 and c.id = p.id and c.last_message_preview = p.preview`,
);

/** Empties the previews of conversations that show the given lines. */
export async function forgetPreviews(
  tx: Tx,
  ledgerId: number,
  previews: readonly { readonly conversationId: string; readonly preview: string }[],
): Promise<void> {
  if (previews.length === 0) return;
  const ids = previews.map(({ conversationId }) => conversationId);
  await tx.query(FORGET_PREVIEWS, [ledgerId, ids, previews.map(({ preview }) => preview)]);
}
