import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import { MESSAGE_COLUMNS } from '../messages/queries.ts';
import type { Message } from '../messages/schema.ts';

type InLedger = { readonly ledgerId: number };

const MARK = statement(
  'messages_mark_redacted',
  `update messages m set redacted_at = coalesce(m.redacted_at, ledger_now($1)) where m.ledger_id = $1 and m.id = $2
   returning ${MESSAGE_COLUMNS}`,
);

/** Hides the content of a text. Returns the redacted text, or undefined if there is none. */
export async function markRedacted(tx: Tx, { ledgerId }: InLedger, id: string): Promise<Message | undefined> {
  const [row] = await tx.query<Message>(MARK, [ledgerId, id]);
  return row;
}

const YET_TO_LEAVE = statement(
  'messages_yet_to_leave',
  `select case status when 'scheduled' then extract(epoch from send_at - ledger_now($1))::float8 * 1000 else 0 end as in_ms
   from messages where ledger_id = $1 and id = $2 and status in ('scheduled', 'queued')`,
);

/**
 * Returns the milliseconds until a text is sent to its carrier. Undefined if the text was sent, or will not be sent.
 */
export async function leavesInMs(db: Db, { ledgerId }: InLedger, id: string): Promise<number | undefined> {
  const [row] = await db.query<{ in_ms: number }>(YET_TO_LEAVE, [ledgerId, id]);
  return row?.in_ms;
}

// A text in 'scheduled' or 'queued' is not metered yet, and its media count for its usage, so it is left as it is. The
// copy of the simulated network is emptied too. Its row stays, because the receipt is reported from it.
const EMPTY = statement(
  'messages_empty_redacted',
  `with emptied as (
     update messages set body = '', media = '[]'
     where ledger_id = $1 and id = $2 and redacted_at is not null and status not in ('scheduled', 'queued')
     returning id
   ), emptied_copy as (
     update simulated_messages s set body = '', media_urls = '[]' from emptied e where s.ledger_id = $1 and s.ref = e.id
   )
   delete from message_media d using emptied e where d.ledger_id = $1 and d.message_id = e.id returning d.blob_key`,
);

/** Deletes the content of a redacted text from its row. Returns the keys of its files. */
export async function emptyRedacted(tx: Tx, { ledgerId }: InLedger, id: string): Promise<string[]> {
  const rows = await tx.query<{ blob_key: string | null }>(EMPTY, [ledgerId, id]);
  return rows.flatMap(({ blob_key }) => blob_key ?? []);
}
