import type { Tx } from '../../../db/database.ts';
import { LEDGER_NOW } from '../../../db/ledgers.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { historyEntry, MESSAGE_COLUMNS } from './queries.ts';
import type { Media, Message } from './schema.ts';

type NewMessage = {
  id: string;
  tenantId: string;
  phoneNumberId: string;
  from: string;
  to: string;
  body: string;
  segments: number;
};

/** SQL of the connection by which the texts of number $4 go. */
const CONNECTION = '(select messaging_connection_id from phone_numbers where ledger_id = $1 and id = $4)';

// The history starts at created_at.
const INSERT_INBOUND = statement(
  'messages_insert_inbound',
  `with m as (
     insert into messages (ledger_id, id, tenant_id, conversation_id, direction, origin, "from", "to", body, media,
       status, segments, carrier_ref, other_recipients, status_history, created_at, connection_id)
     select $1::integer, $2, $3, $5, 'inbound', 'handset', $6, $7, $8, $9, 'received', $10, $11, $12::text[],
       json_build_array(${historyEntry(`'received'`, 'at')}), at, ${CONNECTION}
     from ${LEDGER_NOW}
     on conflict (ledger_id, carrier_ref) where carrier_ref is not null do nothing
     returning *
   )
   select ${MESSAGE_COLUMNS} from m`,
);

/** Stores an inbound text; undefined if its carrier reference is stored already. */
export async function insertInbound(
  tx: Tx,
  { ledgerId }: Ledger,
  message: NewMessage & {
    conversationId: string | null;
    media: readonly Media[];
    carrierRef: string;
    otherRecipients: readonly string[];
  },
): Promise<Message | undefined> {
  const { id, tenantId, phoneNumberId, conversationId, from, to, body, media, segments, carrierRef } = message;
  const addressed = [id, tenantId, phoneNumberId, conversationId, from, to, body];
  const values = [ledgerId, ...addressed, JSON.stringify(media), segments, carrierRef, message.otherRecipients];
  const [row] = await tx.query<Message>(INSERT_INBOUND, values);
  return row;
}

const INSERT_CONFIRMATION = statement(
  'messages_insert_confirmation',
  `insert into messages (ledger_id, id, tenant_id, conversation_id, direction, origin, "from", "to", body, status,
     segments, status_history, created_at, connection_id)
   select $1::integer, $2, $3, $5, 'outbound', 'confirmation', $6, $7, $8, 'queued', $9,
     json_build_array(${historyEntry(`'queued'`, 'at')}), at, ${CONNECTION}
   from ${LEDGER_NOW}`,
);

/** Stores the confirmation of a keyword; it is sent even to a person who has just opted out. */
export async function insertConfirmation(
  tx: Tx,
  { ledgerId }: Ledger,
  message: NewMessage & { conversationId: string },
): Promise<void> {
  const { id, tenantId, phoneNumberId, conversationId, from, to, body, segments } = message;
  const addressed = [id, tenantId, phoneNumberId, conversationId, from, to, body];
  await tx.query(INSERT_CONFIRMATION, [ledgerId, ...addressed, segments]);
}

const FIND_BY_CARRIER_REF = statement(
  'messages_find_by_carrier_ref',
  `select ${MESSAGE_COLUMNS} from messages m where m.ledger_id = $1 and m.carrier_ref = $2`,
);

/** Returns the inbound text with this carrier reference. */
export async function findInboundByCarrierRef(
  tx: Pick<Tx, 'query'>,
  { ledgerId }: Ledger,
  carrierRef: string,
): Promise<Message | undefined> {
  const [row] = await tx.query<Message>(FIND_BY_CARRIER_REF, [ledgerId, carrierRef]);
  return row;
}
