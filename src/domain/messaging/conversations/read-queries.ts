import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { READERS_MAX } from './rules.ts';

type Values = { readonly ledger_id: number; readonly conversation_id: string; readonly reader: string };

const MARK = statement<Values, { readonly is_new: boolean }>(
  'conversation_reads_mark',
  `insert into conversation_reads as r (ledger_id, conversation_id, reader, inbound_count, read_at)
   select ledger_id, id, :reader, inbound_count, ledger_now(:ledger_id) from conversations
   where ledger_id = :ledger_id and id = :conversation_id
   on conflict (ledger_id, conversation_id, reader) do update
     set inbound_count = greatest(r.inbound_count, excluded.inbound_count), read_at = excluded.read_at
   returning xmax = 0 as is_new`,
);

const FORGET_OLDEST = statement<Omit<Values, 'reader'> & { readonly readers_max: number }>(
  'conversation_reads_forget_oldest',
  `delete from conversation_reads where ledger_id = :ledger_id and conversation_id = :conversation_id
     and reader in (select reader from conversation_reads
       where ledger_id = :ledger_id and conversation_id = :conversation_id
       order by read_at desc, reader offset :readers_max)`,
);

/** Records that a reader has read the conversation up to now. Only the latest READERS_MAX readers are kept. */
export async function markRead(tx: Tx, { ledgerId }: Ledger, conversationId: string, reader: string): Promise<void> {
  const ids = { ledger_id: ledgerId, conversation_id: conversationId };
  const [row] = await tx.query(MARK, { ...ids, reader });
  if (row?.is_new === true) await tx.query(FORGET_OLDEST, { ...ids, readers_max: READERS_MAX });
}

const COUNT = statement<
  { readonly ledger_id: number; readonly ids: readonly string[]; readonly reader: string },
  { readonly id: string; readonly unread: number }
>(
  'conversation_reads_count',
  `select i.id, c.inbound_count - coalesce((
     select r.inbound_count from conversation_reads r
     where r.ledger_id = :ledger_id and r.conversation_id = i.id and r.reader = :reader
   ), 0) as unread
   from unnest(:ids::text[]) as i (id)
   cross join lateral (
     select inbound_count from conversations where ledger_id = :ledger_id and id = i.id offset 0) c`,
);

/** Returns by conversation how many inbound texts, missed calls and voicemails the reader has not read. */
export async function countUnread(
  db: Db,
  { ledgerId }: Ledger,
  ids: readonly string[],
  reader: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = ids.length === 0 ? [] : await db.query(COUNT, { ledger_id: ledgerId, ids, reader });
  return new Map(rows.map(({ id, unread }) => [id, unread]));
}
