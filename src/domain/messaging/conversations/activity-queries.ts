/** The activities that texts, calls and voicemails record in their conversations. */
import type { Tx } from '../../../db/database.ts';
import { inputOf } from '../../../db/input.ts';
import { LEDGER_NOW } from '../../../db/ledgers.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { redactEvents } from '../../events/index.ts';
import { announceReopened } from './announce.ts';
import type { ActivityKind } from './rules.ts';
import type { ConversationField } from './schema.ts';

const later = (column: string) =>
  `${column} = case when excluded.last_activity_at >= c.last_activity_at then excluded.${column} else c.${column} end`;

/**
 * SQL for an existing conversation `c`: it gets the time, the preview and the kind of the activity `excluded`. Writers
 * do not lock the row in the order of their times, so the preview and the kind of the later time are kept.
 */
export const SET_ACTIVITY = `last_activity_at = greatest(c.last_activity_at, excluded.last_activity_at),
           ${later('last_message_preview')}, ${later('last_activity_kind')}`;

/**
 * SQL that sets the state of an existing conversation `c` if `reopens`: an activity of the external person opens it and
 * ends its snooze. `reopened` has the fields that this changed, for the event.
 */
const reopenSql = (reopens: string) => `state = case when ${reopens} then 'open' else c.state end,
           snoozed_until = case when ${reopens} then null else c.snoozed_until end,
           inbound_count = c.inbound_count + (${reopens})::int,
           reopened = case when ${reopens} then nullif(array_remove(array[
             case when c.state <> 'open' then 'state' end,
             case when c.snoozed_until is not null then 'snoozed_until' end], null), '{}') end`;

type ActivitySql = Readonly<
  Record<'id' | 'tenantId' | 'phoneNumberId' | 'externalNumber' | 'preview' | 'kind' | 'reopens', string>
>;

/**
 * Returns an insert that does what `touchConversation` does, for a statement that also writes the activity itself. It
 * returns the id of the conversation with `reopened`, and does nothing if `id` is null.
 */
export function touchConversationSql({
  id,
  tenantId,
  phoneNumberId,
  externalNumber,
  preview,
  kind,
  reopens,
}: ActivitySql): string {
  return `insert into conversations as c (ledger_id, id, tenant_id, phone_number_id, external_number, last_activity_at,
       last_message_preview, last_activity_kind, inbound_count, opted_out)
     select :ledger_id::int, ${id}, ${tenantId}, ${phoneNumberId}, ${externalNumber}, ledger_now(:ledger_id::int), ${preview},
       ${kind}, (${reopens})::int, exists (
       select 1 from opt_outs
       where ledger_id = :ledger_id::int and tenant_id = ${tenantId} and external_number = ${externalNumber}
         and 'text' = any(channels))
     where ${id} is not null
     on conflict (ledger_id, phone_number_id, external_number) do update
       set ${SET_ACTIVITY}, ${reopenSql(reopens)}
     returning id, reopened`;
}

const TOUCH = statement<TouchValues, Touched>(
  'conversations_touch',
  touchConversationSql({
    id: ':id::text',
    tenantId: ':tenant_id::text',
    phoneNumberId: ':phone_number_id::text',
    externalNumber: ':external_number::text',
    preview: ':preview::text',
    kind: `'message'`,
    reopens: ':reopens::boolean',
  }),
);

type TouchValues = { readonly ledger_id: number; readonly reopens: boolean } & Readonly<
  Record<'id' | 'tenant_id' | 'phone_number_id' | 'external_number' | 'preview', string>
>;

export type Activity = {
  /** The id of the conversation if this activity creates it. */
  id: string;
  tenantId: string;
  phoneNumberId: string;
  externalNumber: string;
  preview: string;
  /** True if it is an inbound text. */
  reopens: boolean;
};

/**
 * The conversation of an activity. `reopened` has the fields that the activity has changed; only an activity of the
 * person changes any.
 */
export type Touched = { readonly id: string; readonly reopened: readonly ConversationField[] | null };

/**
 * Records a text in the conversation of a number and an external number. Creates the conversation if there is none. The
 * caller announces a reopened conversation: `announceReopened`.
 */
export async function touchConversation(tx: Tx, { ledgerId }: Ledger, activity: Activity): Promise<Touched> {
  const { id, tenantId, phoneNumberId, externalNumber, preview, reopens } = activity;
  const ids = { ledger_id: ledgerId, id, tenant_id: tenantId, phone_number_id: phoneNumberId };
  const [row] = await tx.query(TOUCH, { ...ids, external_number: externalNumber, preview, reopens });
  return row as Touched;
}

/** `reopens`: it is a missed call or a voicemail. */
export type ExistingActivity = Pick<Activity, 'id' | 'preview' | 'reopens'> & { readonly kind: ActivityKind };

const ACTIVITIES = inputOf<ExistingActivity>('activities', {
  id: ['text', ({ id }) => id],
  preview: ['text', ({ preview }) => preview],
  kind: ['text', ({ kind }) => kind],
  reopens: ['boolean', ({ reopens }) => reopens],
});

// Rows are locked in one order, as by every statement that writes several conversations.
const RECORD_ACTIVITIES = statement<
  { readonly ledger_id: number; readonly activities: readonly ExistingActivity[] },
  Touched
>(
  'conversations_record_activities',
  `with latest as materialized (
     select distinct on (a.id) a.id, a.preview as last_message_preview, a.kind as last_activity_kind, a.reopens,
       ledger_now(:ledger_id) as last_activity_at
     from ${ACTIVITIES.rows('a', 'n')} order by a.id, a.n desc
   ), locked as materialized (
     select c.id from conversations c join latest l on l.id = c.id where c.ledger_id = :ledger_id
     order by c.phone_number_id, c.external_number for no key update of c
   )
   update conversations c set ${SET_ACTIVITY}, ${reopenSql('excluded.reopens')}
   from latest excluded join locked on locked.id = excluded.id where c.ledger_id = :ledger_id and c.id = excluded.id
   returning c.id, c.reopened`,
);

/**
 * Returns an update that records the activity of one existing conversation, for a statement of another module that also
 * writes the activity itself. It does nothing if `id` is null, and returns `reopened`.
 */
export function recordActivitySql({
  id,
  preview,
  kind,
  reopens,
  condition,
}: Record<'id' | 'preview' | 'kind' | 'reopens' | 'condition', string>): string {
  return `update conversations c set ${SET_ACTIVITY}, ${reopenSql(reopens)}
     from (
       select now.at as last_activity_at, ${preview} as last_message_preview, ${kind} as last_activity_kind
       from ${LEDGER_NOW}) excluded
     where c.ledger_id = :ledger_id::int and c.id = ${id} and ${condition} returning c.reopened`;
}

/**
 * Records activity of existing conversations: texts that leave, the end of a call, or a voicemail. If a conversation
 * has several activities, the last one counts.
 */
export async function recordActivities(
  tx: Tx,
  { ledgerId }: Pick<Ledger, 'ledgerId'>,
  activities: readonly ExistingActivity[],
): Promise<void> {
  if (activities.length === 0) return;
  for (const touched of await tx.query(RECORD_ACTIVITIES, { ledger_id: ledgerId, activities }))
    await announceReopened(tx, { ledgerId }, touched);
}

const FORGET_PREVIEWS = statement(
  'conversations_forget_previews',
  `update conversations c set last_message_preview = ''
   from (select distinct id, preview from unnest($2::text[], $3::text[]) as u (id, preview) where preview <> '' order by id) p
   where c.ledger_id = $1 and c.id = p.id and c.last_message_preview = p.preview`,
);

/** Empties the previews of conversations that show the given lines, also in their stored events. */
export async function forgetPreviews(
  tx: Tx,
  ledgerId: number,
  previews: readonly { readonly conversationId: string; readonly preview: string }[],
): Promise<void> {
  if (previews.length === 0) return;
  const ids = previews.map(({ conversationId }) => conversationId);
  await tx.query(FORGET_PREVIEWS, [ledgerId, ids, previews.map(({ preview }) => preview)]);
  const forgotten = new Set(previews.map(({ conversationId, preview }) => `${conversationId} ${preview}`));
  await redactEvents(tx, ledgerId, [...new Set(ids)], (_type, data) =>
    forgotten.has(`${data['id']} ${data['last_message_preview']}`) ? { ...data, last_message_preview: '' } : undefined,
  );
}
