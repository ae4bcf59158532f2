import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';

type InLedger = { readonly ledgerId: number };

const REQUEST = statement(
  'hold_audio_request',
  `insert into hold_audio as h (ledger_id, id, url, status, created_at)
   values ($1, $2, $3, 'pending', ledger_now($1))
   on conflict (ledger_id, id) do update set status = 'pending', error = null where h.status = 'failed'
   returning 1 as requested`,
);

/**
 * Stores audio that is to be fetched, and locks its row until the transaction ends. Returns false if it is fetched
 * already, or is being fetched.
 */
export async function requestHoldAudio(
  tx: Tx,
  { ledgerId }: InLedger,
  { id, url }: { readonly id: string; readonly url: string },
): Promise<boolean> {
  return (await tx.query(REQUEST, [ledgerId, id, url])).length > 0;
}

const LOCK = statement(
  'hold_audio_lock',
  'select 1 from hold_audio where ledger_id = $1 and id = any($2::text[]) order by id for update',
);

/** Locks audio, in one order for all transactions. */
export async function lockHoldAudio(tx: Tx, { ledgerId }: InLedger, ids: readonly string[]): Promise<void> {
  await tx.query(LOCK, [ledgerId, ids]);
}

const DELETE_UNUSED = statement(
  'hold_audio_delete_unused',
  `delete from hold_audio h where ledger_id = $1 and id = any($2::text[])
     and not exists (select 1 from routing_configs r where r.ledger_id = $1 and r.hold_audio_id = h.id)
   returning blob_key`,
);

/** Deletes the given audio unless a config names it. Returns the keys of the deleted blobs. */
export async function deleteUnusedHoldAudio(tx: Tx, { ledgerId }: InLedger, ids: readonly string[]): Promise<string[]> {
  return keysOf(await tx.query<{ blob_key: string | null }>(DELETE_UNUSED, [ledgerId, ids]));
}

function keysOf(rows: readonly { blob_key: string | null }[]): string[] {
  return rows.flatMap(({ blob_key }) => blob_key ?? []);
}

const FIND_PENDING = statement(
  'hold_audio_find_pending',
  `select url from hold_audio where ledger_id = $1 and id = $2 and status = 'pending'`,
);

/** Returns the address of audio that is to be fetched. */
export async function findPendingUrl(db: Db, { ledgerId }: InLedger, id: string): Promise<string | undefined> {
  const [row] = await db.query<{ url: string }>(FIND_PENDING, [ledgerId, id]);
  return row?.url;
}

const SETTLE = statement(
  'hold_audio_settle',
  `update hold_audio set status = case when $4::text is null then 'ready' else 'failed' end, blob_key = $3, error = $4
   where ledger_id = $1 and id = $2 and status = 'pending' returning 1 as settled`,
);

/** The outcome of a fetch: the place of the audio, or the reason for none. */
type Settled = { readonly blobKey: string } | { readonly error: string };

/** Stores the outcome of a fetch of audio. Returns false if no config waits for it any more. */
export async function settleHoldAudio(tx: Tx, { ledgerId }: InLedger, id: string, settled: Settled): Promise<boolean> {
  const values = 'error' in settled ? [null, settled.error] : [settled.blobKey, null];
  return (await tx.query(SETTLE, [ledgerId, id, ...values])).length > 0;
}

const LIST_BLOBS = statement(
  'hold_audio_list_blobs',
  'select blob_key from hold_audio where ledger_id = $1 and blob_key is not null',
);

/** Returns the blob keys of all hold audio of a ledger. */
export async function listHoldAudioBlobs(tx: Tx, ledgerId: number): Promise<string[]> {
  return keysOf(await tx.query<{ blob_key: string | null }>(LIST_BLOBS, [ledgerId]));
}
