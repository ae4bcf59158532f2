import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { CarrierMedia } from '../../../carriers/ports/messaging.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { inputOf } from '../../../db/input.ts';
import { statement } from '../../../db/statement.ts';

type InLedger = { readonly ledgerId: number };

/** Names a file of a message. */
export type MediaName = { readonly messageId: string; readonly position: number };

const MEDIA = inputOf<CarrierMedia>('media', {
  ref: ['text', ({ ref }) => ref],
  content_type: ['text', ({ contentType }) => contentType],
});

type InsertValues = {
  readonly ledger_id: number;
  readonly message_id: string;
  readonly media: readonly CarrierMedia[];
};

const INSERT = statement<InsertValues>(
  'message_media_insert',
  `insert into message_media (ledger_id, message_id, position, carrier_ref, content_type, created_at)
   select :ledger_id::int, :message_id, n - 1, ref, content_type, ledger_now(:ledger_id)
   from ${MEDIA.rows('m', 'n')}`,
);

/** Stores the names of the files of a message. */
export async function insertMedia(
  tx: Tx,
  { ledgerId }: InLedger,
  messageId: string,
  media: readonly CarrierMedia[],
): Promise<void> {
  await tx.query(INSERT, { ledger_id: ledgerId, message_id: messageId, media });
}

const FIND = statement(
  'message_media_find',
  `select d.carrier_ref, d.blob_key, d.content_type, m.connection_id
   from message_media d join messages m on m.ledger_id = d.ledger_id and m.id = d.message_id
   where d.ledger_id = $1 and d.message_id = $2 and d.position = $3`,
);

export type MediaRow = {
  carrier_ref: string;
  blob_key: string | null;
  content_type: string | null;
  /** The connection that the message came over. */
  connection_id: ConnectionId;
};

export async function findMedia(
  db: Db,
  { ledgerId }: InLedger,
  { messageId, position }: MediaName,
): Promise<MediaRow | undefined> {
  const [row] = await db.query<MediaRow>(FIND, [ledgerId, messageId, position]);
  return row;
}

const KEEP = statement(
  'message_media_keep',
  `update message_media set blob_key = $4, content_type = coalesce($5, content_type)
   where ledger_id = $1 and message_id = $2 and position = $3 and blob_key is null returning 1 as kept`,
);

/** Stores where a file is. Returns false if it is stored already, or its message is gone. */
export async function keepMedia(
  tx: Tx,
  { ledgerId }: InLedger,
  { messageId, position }: MediaName,
  { key, contentType }: { readonly key: string; readonly contentType: string | null },
): Promise<boolean> {
  return (await tx.query(KEEP, [ledgerId, messageId, position, key, contentType])).length > 0;
}

const LIST_BLOBS = statement(
  'message_media_list_blobs',
  'select blob_key from message_media where ledger_id = $1 and blob_key is not null',
);

/** Returns the blob keys of all files of a ledger. */
export async function listMediaBlobs(tx: Tx, ledgerId: number): Promise<string[]> {
  return (await tx.query<{ blob_key: string }>(LIST_BLOBS, [ledgerId])).map(({ blob_key }) => blob_key);
}
