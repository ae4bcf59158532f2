import type { Tx } from '../../../db/database.ts';
import { nowOf } from '../../../db/ledgers.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { SET_ACTIVITY } from '../conversations/activity-queries.ts';
import { historyEntry } from '../messages/queries.ts';

// Rows of conversations are locked in the same order as in every batch. `confirmation`: such a text is sent in spite of
// an opt-out, or a suspension of the campaign or the account.
const INSERT = statement(
  'messages_insert_emergency',
  `with number as materialized (
     select id, phone_number, messaging_connection_id from phone_numbers
     where ledger_id = $1::int and tenant_id = $2::text and status = 'active' and 'sms' = any(capabilities)
     order by id <> $3::text, id limit 1
   ), contacts as materialized (
     select c.message_id, c.conversation_id, c.contact, n.id as number_id, n.phone_number, n.messaging_connection_id
     from unnest($4::text[], $5::text[], $6::text[]) as c (message_id, conversation_id, contact)
     cross join number n where c.contact <> n.phone_number
   ), threads as (
     insert into conversations as c (ledger_id, id, tenant_id, phone_number_id, external_number, last_activity_at,
       last_message_preview, opted_out)
     select $1::int, conversation_id, $2::text, number_id, contact, ledger_now($1::int), $8::text, exists (
       select 1 from opt_outs where ledger_id = $1::int and tenant_id = $2::text and external_number = contact
         and 'text' = any(channels))
     from contacts order by contact
     on conflict (ledger_id, phone_number_id, external_number) do update
       set ${SET_ACTIVITY}
     returning id, external_number
   )
   insert into messages (ledger_id, id, tenant_id, conversation_id, direction, origin, "from", "to", body, status,
     segments, status_history, created_at, connection_id)
   select $1::int, c.message_id, $2::text, t.id, 'outbound', 'confirmation', c.phone_number, c.contact, $7::text, 'queued',
     $9::int, json_build_array(${historyEntry(`'queued'`, 'l.at')}), l.at, c.messaging_connection_id
   from contacts c join threads t on t.external_number = c.contact
   cross join ${nowOf('$1::int')} l
   order by c.contact
   returning id`,
);

export type EmergencyText = {
  readonly tenantId: string;
  /** The number that the call is made from. If it cannot send the text, another number of the tenant does. */
  readonly numberId: string;
  readonly body: string;
  readonly preview: string;
  readonly segments: number;
  readonly recipients: readonly { readonly messageId: string; readonly conversationId: string; readonly to: string }[];
};

/** Stores a text to each recipient. Returns the ids of the texts; none if the tenant has no number for texts. */
export async function insertEmergencyTexts(tx: Tx, { ledgerId }: Ledger, text: EmergencyText): Promise<string[]> {
  const { tenantId, numberId, body, preview, segments, recipients } = text;
  const rows = await tx.query<{ id: string }>(INSERT, [
    ...[ledgerId, tenantId, numberId],
    recipients.map(({ messageId }) => messageId),
    recipients.map(({ conversationId }) => conversationId),
    recipients.map(({ to }) => to),
    ...[body, preview, segments],
  ]);
  return rows.map(({ id }) => id);
}
