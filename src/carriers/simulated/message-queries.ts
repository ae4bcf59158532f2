import type { Db, Tx } from '../../db/database.ts';
import { inputOf } from '../../db/input.ts';
import { statement } from '../../db/statement.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import { insertJobsSql } from '../../queue/jobs/job-sql.ts';
import type { OutboundMessage } from '../ports/messaging.ts';
import { MAGIC } from './magic-numbers.ts';

export const RECEIPT_KIND = 'simulated.receipt';
/** The kind of jobs that report receipts. One job reports the receipts of several texts. */
export const RECEIPTS_KIND = 'simulated.receipts';

export type AcceptedText = {
  readonly ledgerId: number;
  readonly message: OutboundMessage;
  readonly receiptInMs: number | null;
  /** True if the recipient is a voice-only number of the ledger, so the text is not delivered. */
  readonly voiceOnly: boolean;
};

function localNumber(ledgerId: string, phoneNumber: string): string {
  return `exists (select 1 from simulated_numbers n
    where n.ledger_id = ${ledgerId} and n.phone_number = ${phoneNumber} and n.released_at is null)`;
}

const byCount = (singular: string, several: string) => `case count(*) when 1 then ${singular} else ${several} end`;

const ACCEPTED = inputOf<AcceptedText>('accepted_texts', {
  ledger_id: ['int', ({ ledgerId }) => ledgerId],
  ref: ['text', ({ message }) => message.ref],
  sender: ['text', ({ message }) => message.from],
  recipient: ['text', ({ message }) => message.to],
  body: ['text', ({ message }) => message.body],
  media_urls: ['json', ({ message }) => message.mediaUrls],
  receipt_in_ms: ['float8', ({ receiptInMs }) => receiptInMs],
  voice_only: ['boolean', ({ voiceOnly }) => voiceOnly],
  id: ['text', () => `sim_${newId('message')}`],
});

// A text that arrives twice is stored once and gets one receipt. The carrier's ids ascend in the order of arrival. The
// API may have accepted the texts in another order: a scheduled text arrives long after its request.
const ACCEPT = statement<{ readonly accepted_texts: readonly AcceptedText[] }>(
  'simulated_messages_accept',
  `with input as (
     select * from ${ACCEPTED.rows('i')}
   ), accepted as (
     insert into simulated_messages (ledger_id, id, ref, "from", "to", body, media_urls, status, at)
     select i.ledger_id, i.id, ref, sender, recipient, body, media_urls,
       case when voice_only and ${localNumber('i.ledger_id', 'recipient')} then 'failed' else 'accepted' end,
       clock_timestamp() + (select l.clock_offset from ledgers l where l.id = i.ledger_id)
     from input i order by i.ledger_id, ref
     on conflict do nothing returning ledger_id, ref
   )
   ${insertJobsSql({
     ledgerId: 'a.ledger_id',
     id: `${byCount(`'${RECEIPT_KIND}:'`, `'${RECEIPTS_KIND}:'`)} || min(a.ref)`,
     queue: 'messaging',
     kind: byCount(`'${RECEIPT_KIND}'`, `'${RECEIPTS_KIND}'`),
     payload: byCount(`json_build_object('ref', min(a.ref))`, `json_build_object('refs', json_agg(a.ref))`),
     inMs: 'i.receipt_in_ms',
     from: `from accepted a join input i on i.ledger_id = a.ledger_id and i.ref = a.ref
     where i.receipt_in_ms is not null group by a.ledger_id, i.receipt_in_ms`,
   })}`,
);

/**
 * Accepts texts. One job reports the receipts of all texts with the same `receiptInMs`. A text with null gets no
 * receipt.
 */
export async function acceptTexts(db: Db, texts: readonly AcceptedText[]): Promise<void> {
  await db.query(ACCEPT, { accepted_texts: texts });
}

export type TextInTransit = {
  ref: string;
  from: string;
  to: string;
  body: string;
  media_urls: string[];
  /** True if the recipient is a number of this ledger. */
  local: boolean;
  /** True if the text will not be delivered. This is decided when the text is accepted. */
  unreachable: boolean;
};

const LIST = statement(
  'simulated_messages_list_in_transit',
  `select s.ref, s."from", s."to", s.body, s.media_urls,
     ${localNumber('s.ledger_id', 's."to"')} as local, s.status = 'failed' as unreachable
   from simulated_messages s where s.ledger_id = $1 and s.ref = any($2::text[]) order by s.id`,
);

export function listTextsInTransit(db: Db, ledgerId: number, refs: readonly string[]): Promise<TextInTransit[]> {
  return db.query(LIST, [ledgerId, refs]);
}

type TextEnd = { readonly ref: string; readonly status: 'delivered' | 'failed' };

const ENDS = inputOf<TextEnd>('text_ends', {
  ref: ['text', ({ ref }) => ref],
  status: ['text', ({ status }) => status],
});

const SETTLE = statement<{ readonly ledger_id: number; readonly text_ends: readonly TextEnd[] }>(
  'simulated_messages_settle',
  `update simulated_messages set status = u.status from ${ENDS.rows('u')}
   where ledger_id = :ledger_id and simulated_messages.ref = u.ref`,
);

export async function settleTexts(tx: Tx, ledgerId: number, ends: readonly TextEnd[]): Promise<void> {
  await tx.query(SETTLE, { ledger_id: ledgerId, text_ends: ends });
}

const FIND_STATUS = statement(
  'simulated_messages_find_status',
  'select status from simulated_messages where ledger_id = $1 and ref = $2',
);

type TextStatus = 'accepted' | 'delivered' | 'failed';

/** Returns the status of a text; undefined if the carrier never had it. */
export async function findTextStatus(db: Db, ledgerId: number, ref: string): Promise<TextStatus | undefined> {
  const [row] = await db.query<{ status: TextStatus }>(FIND_STATUS, [ledgerId, ref]);
  return row?.status;
}

export type OutboxItem = { message_id: string; from: string; to: string; body: string; media_urls: string[]; at: Date };

/** The most texts that an outbox returns. */
export const OUTBOX_ROWS_MAX = 100;

// A text reaches its handset when it is accepted, before its receipt. The carrier does not store the tenant of a text.
// So the table of messages decides which texts the key of a tenant may see.
const outboxSql = (handset: string) => `
   select s.ref as message_id, s."from", s."to", s.body, s.media_urls, s.at from simulated_messages s
   where s.ledger_id = $1 and ${handset} and s."to" <> '${MAGIC.deliveryFails}'
     and s.status <> 'failed' and ($2::text is null or exists (
       select 1 from messages m where m.ledger_id = s.ledger_id and m.id = s.ref and m.tenant_id = $2))
   order by s.id desc limit ${OUTBOX_ROWS_MAX}`;
const OUTBOX = statement('simulated_messages_outbox', outboxSql('true'));
const OUTBOX_OF = statement('simulated_messages_outbox_of', outboxSql('s."to" = $3'));

/**
 * Returns the latest texts that reached the handset, newest first. Null means any handset. A tenant gets only its own
 * texts.
 */
export function listOutbox(
  db: Db,
  { ledgerId, tenantId }: Pick<Scope, 'ledgerId' | 'tenantId'>,
  to: string | null,
): Promise<OutboxItem[]> {
  return to === null ? db.query(OUTBOX, [ledgerId, tenantId]) : db.query(OUTBOX_OF, [ledgerId, tenantId, to]);
}
