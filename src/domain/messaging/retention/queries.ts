import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import { pastRetentionSql, type RetentionRound } from '../../tenants/index.ts';

// A text that waits to be sent is kept. Each other status is one range of the index of tenant, status and time.
const FIND = statement(
  'messages_find_past_retention',
  `with ${pastRetentionSql('message_days')}
   select past.ledger_id, m.id
   from past cross join unnest(array['received', 'delivered', 'failed', 'canceled', 'sent']) as s (status)
   cross join lateral (
     select id from messages
     where ledger_id = past.ledger_id and (tenant_id || '/' || status) = past.tenant_id || '/' || s.status
       and created_at < past.before
     order by created_at limit $1::int) m
   limit $1::int`,
);

export type OldMessage = { readonly ledger_id: number; readonly id: string };

/** Returns texts past the retention of their tenants. Locks nothing. */
export function findOldMessages(db: Db, { rowsMax, ledgerId }: RetentionRound): Promise<OldMessage[]> {
  return db.query(FIND, [rowsMax, ledgerId ?? null]);
}

const DELETE_MEDIA = statement(
  'message_media_delete',
  'delete from message_media where ledger_id = $1 and message_id = any($2::text[]) returning blob_key',
);

// Deletes the simulated network's copies too. A real carrier also keeps a copy.
const DELETE_COPIES = statement(
  'simulated_messages_delete',
  'delete from simulated_messages where ledger_id = $1 and ref = any($2::text[])',
);

const DELETE = statement(
  'messages_delete',
  `delete from messages where ledger_id = $1 and id = any($2::text[])
   returning id, conversation_id, body, json_array_length(media) as media_count, (select ledger_now($1)) as deleted_at`,
);

export type DeletedMessage = {
  readonly id: string;
  readonly conversation_id: string | null;
  readonly body: string;
  readonly media_count: number;
  readonly deleted_at: Date;
};

/** Deletes texts with their files. Returns the deleted texts and the keys of the files. */
export async function deleteMessageRows(
  tx: Tx,
  ledgerId: number,
  ids: readonly string[],
): Promise<{ readonly messages: readonly DeletedMessage[]; readonly blobKeys: readonly string[] }> {
  const media = await tx.query<{ blob_key: string | null }>(DELETE_MEDIA, [ledgerId, ids]);
  const messages = await tx.query<DeletedMessage>(DELETE, [ledgerId, ids]);
  await tx.query(DELETE_COPIES, [ledgerId, ids]);
  return { messages, blobKeys: media.flatMap(({ blob_key }) => blob_key ?? []) };
}
