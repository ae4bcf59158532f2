import type { Db, Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Scope } from '../../lib/scope.ts';
import { insertJobsSql } from '../../queue/jobs/job-sql.ts';
import type { OutboundMessage } from '../ports/messaging.ts';
import { MAGIC } from './magic-numbers.ts';

export const RECEIPT_KIND = 'simulated.receipt';

export type AcceptedText = {
  readonly ledgerId: number;
  readonly message: OutboundMessage;
  readonly receiptInMs: number | null;
  /** The number, if it is one of the ledger, is for calls alone: a text to it reaches nobody. */
  readonly voiceOnly: boolean;
};

function localNumber(ledgerId: string, phoneNumber: string): string {
  return `exists (select 1 from simulated_numbers n
    where n.ledger_id = ${ledgerId} and n.phone_number = ${phoneNumber} and n.released_at is null)`;
}

// A text handed over twice is the same text: only a new one is given a receipt.
const ACCEPT = statement(
  'simulated_messages_accept',
  `with input as (
     select * from unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::float8[],
         $8::boolean[])
       as i (ledger_id, ref, sender, recipient, body, media_urls, receipt_in_ms, voice_only)
   ), accepted as (
     insert into simulated_messages (ledger_id, id, ref, "from", "to", body, media_urls, status, at)
     select i.ledger_id, 'sim_' || ref, ref, sender, recipient, body, media_urls::json,
       case when voice_only and ${localNumber('i.ledger_id', 'recipient')} then 'failed' else 'accepted' end,
       ledger_now(i.ledger_id)
     from input i order by i.ledger_id, ref
     on conflict do nothing returning ledger_id, ref
   )
   ${insertJobsSql({
     ledgerId: 'a.ledger_id',
     id: `'${RECEIPT_KIND}:' || a.ref`,
     queue: 'messaging',
     kind: `'${RECEIPT_KIND}'`,
     payload: `json_build_object('ref', a.ref)`,
     inMs: 'i.receipt_in_ms',
     from: `from accepted a join input i on i.ledger_id = a.ledger_id and i.ref = a.ref
     where i.receipt_in_ms is not null`,
   })}`,
);

/** Takes texts over, each with the job that will report on it; null for no report at all. */
export async function acceptTexts(db: Db, texts: readonly AcceptedText[]): Promise<void> {
  await db.query(ACCEPT, [
    texts.map((text) => text.ledgerId),
    texts.map((text) => text.message.ref),
    texts.map((text) => text.message.from),
    texts.map((text) => text.message.to),
    texts.map((text) => text.message.body),
    texts.map((text) => JSON.stringify(text.message.mediaUrls)),
    texts.map((text) => text.receiptInMs),
    texts.map((text) => text.voiceOnly),
  ]);
}

export type TextOnItsWay = {
  ref: string;
  from: string;
  to: string;
  body: string;
  media_urls: string[];
  /** The recipient is a number of this ledger. */
  local: boolean;
  /** It reaches nobody, which was settled when it was taken. */
  unreachable: boolean;
};

const LIST = statement(
  'simulated_messages_list_on_their_way',
  `select s.ref, s."from", s."to", s.body, s.media_urls,
     ${localNumber('s.ledger_id', 's."to"')} as local, s.status = 'failed' as unreachable
   from simulated_messages s where s.ledger_id = $1 and s.ref = any($2::text[]) order by s.id`,
);

export async function listTextsOnTheirWay(db: Db, ledgerId: number, refs: readonly string[]): Promise<TextOnItsWay[]> {
  return db.query(LIST, [ledgerId, refs]);
}

const SETTLE = statement(
  'simulated_messages_settle',
  `update simulated_messages set status = u.status from unnest($2::text[], $3::text[]) as u (ref, status)
   where ledger_id = $1 and simulated_messages.ref = u.ref`,
);

export async function settleTexts(
  tx: Tx,
  ledgerId: number,
  ends: readonly { ref: string; status: 'delivered' | 'failed' }[],
): Promise<void> {
  await tx.query(SETTLE, [ledgerId, ends.map((end) => end.ref), ends.map((end) => end.status)]);
}

const KNOWN = statement(
  'simulated_messages_known',
  'select 1 from simulated_messages where ledger_id = $1 and ref = $2',
);

export async function isTextKnown(db: Db, ledgerId: number, ref: string): Promise<boolean> {
  return (await db.query(KNOWN, [ledgerId, ref])).length > 0;
}

export type OutboxItem = { message_id: string; from: string; to: string; body: string; media_urls: string[]; at: Date };

// Texts reach their handset when they are taken; only the report follows later. Whose they are is not in the carrier's
// books, so that a key of one tenant is answered by way of the messages.
const OUTBOX = statement(
  'simulated_messages_outbox',
  `select s.ref as message_id, s."from", s."to", s.body, s.media_urls, s.at from simulated_messages s
   where s.ledger_id = $1 and ($2::text is null or s."to" = $2) and s."to" <> '${MAGIC.deliveryFails}'
     and s.status <> 'failed' and ($3::text is null or exists (
       select 1 from messages m where m.ledger_id = s.ledger_id and m.id = s.ref and m.tenant_id = $3))
   order by s.id desc limit 100`,
);

/** The latest texts that reached a handset (or all), newest first; with a tenant only what it sent. */
export async function listOutbox(
  db: Db,
  { ledgerId, tenantId }: Pick<Scope, 'ledgerId' | 'tenantId'>,
  to: string | null,
): Promise<OutboxItem[]> {
  return db.query(OUTBOX, [ledgerId, to, tenantId]);
}
