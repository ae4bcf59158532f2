import type { Tx } from '../../../db/database.ts';
import { LEDGER_NOW } from '../../../db/ledgers.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { historyEntry, MESSAGE_COLUMNS } from './queries.ts';
import type { Media, Message } from './schema.ts';

type NewMessage = {
  readonly id: string;
  readonly tenantId: string;
  readonly phoneNumberId: string;
  readonly conversationId: string | null;
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly segments: number;
};

type NewValues = Pick<NewMessage, 'id' | 'from' | 'to' | 'body' | 'segments'> & {
  readonly ledger_id: number;
  readonly tenant_id: string;
  readonly phone_number_id: string;
  readonly conversation_id: string | null;
};

const valuesOf = ({ ledgerId }: Ledger, message: NewMessage): NewValues => {
  const { id, tenantId, phoneNumberId, conversationId, from, to, body, segments } = message;
  const ids = { ledger_id: ledgerId, tenant_id: tenantId, phone_number_id: phoneNumberId };
  return { ...ids, id, conversation_id: conversationId, from, to, body, segments };
};

/** SQL of the connection of the number's texts. */
const CONNECTION = `(select messaging_connection_id from phone_numbers
       where ledger_id = :ledger_id and id = :phone_number_id)`;

type InboundValues = NewValues & {
  readonly media: string;
  readonly carrier_ref: string;
  readonly other_recipients: readonly string[];
};

// The history starts at created_at.
const INSERT_INBOUND = statement<InboundValues, Message>(
  'messages_insert_inbound',
  `with m as (
     insert into messages (ledger_id, id, tenant_id, conversation_id, direction, origin, "from", "to", body, media,
       status, segments, carrier_ref, other_recipients, status_history, created_at, connection_id)
     select :ledger_id::int, :id, :tenant_id, :conversation_id, 'inbound', 'handset', :from, :to, :body, :media,
       'received', :segments, :carrier_ref, :other_recipients::text[],
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
  ledger: Ledger,
  message: NewMessage & {
    readonly media: readonly Media[];
    readonly carrierRef: string;
    readonly otherRecipients: readonly string[];
  },
): Promise<Message | undefined> {
  const { carrierRef: carrier_ref, otherRecipients: other_recipients } = message;
  const inboundValues = { media: JSON.stringify(message.media), carrier_ref, other_recipients };
  const [row] = await tx.query(INSERT_INBOUND, { ...valuesOf(ledger, message), ...inboundValues });
  return row;
}

const INSERT_CONFIRMATION = statement<NewValues>(
  'messages_insert_confirmation',
  `insert into messages (ledger_id, id, tenant_id, conversation_id, direction, origin, "from", "to", body, status,
     segments, status_history, created_at, connection_id)
   select :ledger_id::int, :id, :tenant_id, :conversation_id, 'outbound', 'confirmation', :from, :to, :body, 'queued',
     :segments, json_build_array(${historyEntry(`'queued'`, 'at')}), at, ${CONNECTION}
   from ${LEDGER_NOW}`,
);

/** Stores the confirmation of a keyword; it is sent even to a person who has just opted out. */
export async function insertConfirmation(
  tx: Tx,
  ledger: Ledger,
  message: NewMessage & { readonly conversationId: string },
): Promise<void> {
  await tx.query(INSERT_CONFIRMATION, valuesOf(ledger, message));
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
