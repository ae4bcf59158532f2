import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { byMoment, listReader, type Positioned, tenantReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import type { Position, Range } from '../../../http/schemas/pagination.ts';
import type { InLedger } from '../calls/queries.ts';
import type { Recording } from './schema.ts';

/** A recording without the link to its audio, which is signed for each reply. */
export type StoredRecording = Omit<Recording, 'audio_url'>;

const COLUMNS = `id, 'recording' as object, tenant_id, call_id, round(duration_ms / 1000.0)::int as duration_seconds,
  consent_announced, created_at`;

const FIND = statement('recordings_find', `select ${COLUMNS} from recordings where ledger_id = $1 and id = $2`);

export async function findRecording(db: Db, { ledgerId }: InLedger, id: string): Promise<StoredRecording | undefined> {
  const [row] = await db.query<StoredRecording>(FIND, [ledgerId, id]);
  return row;
}

const FIND_BLOB = statement(
  'recordings_find_blob',
  'select tenant_id, blob_key from recordings where ledger_id = $1 and id = $2',
);

export type StoredAudio = { tenant_id: string; blob_key: string };

/** Returns the blob key of a recording. */
export async function findRecordingAudio(db: Db, { ledgerId }: InLedger, id: string): Promise<StoredAudio | undefined> {
  const [row] = await db.query<StoredAudio>(FIND_BLOB, [ledgerId, id]);
  return row;
}

const FIND_SOURCE = statement(
  'recordings_find_source',
  `select c.connection_id, exists (select 1 from recordings where ledger_id = $1 and id = $3) as is_kept
   from calls c where c.ledger_id = $1 and c.id = $2`,
);

/** Returns the connection that has the audio of a recording, and whether it is kept already; undefined of no call. */
export async function findSource(
  db: Db,
  { ledgerId }: InLedger,
  { callId, recordingId }: { readonly callId: string; readonly recordingId: string },
): Promise<{ readonly connection_id: ConnectionId; readonly is_kept: boolean } | undefined> {
  const [row] = await db.query<{ connection_id: ConnectionId; is_kept: boolean }>(FIND_SOURCE, [
    ledgerId,
    callId,
    recordingId,
  ]);
  return row;
}

export type RecordingFilter = {
  tenantId: string | null;
  callId: string | null;
  range: Range;
  before: Position;
  rows: number;
};

export type ListedRecording = Positioned<StoredRecording>;

// An id is made at the start of its call, so the order is that of `created_at`, when the audio was kept.
const LIST = {
  name: 'recordings_list',
  from: ['recordings', 'r'],
  columns: COLUMNS,
  order: byMoment('r.created_at'),
  filters: { tenantId: 'r.tenant_id = ?' },
} as const;

const readList = tenantReader<ListedRecording>(LIST);
const readCall = listReader<ListedRecording>(LIST, { name: 'call', keys: [{ sql: 'r.call_id' }] });

export function listRecordings(
  db: Db,
  { ledgerId }: InLedger,
  { tenantId, callId, ...page }: RecordingFilter,
): Promise<ListedRecording[]> {
  return callId === null
    ? readList(db, ledgerId, { tenantId, ...page })
    : readCall(db, ledgerId, { ...page, arms: [[callId]], filters: { tenantId } });
}

export type NewRecording = {
  readonly id: string;
  readonly tenantId: string;
  readonly callId: string;
  readonly durationMs: number;
  readonly consentAnnounced: boolean;
  readonly blobKey: string;
  /** True for the recording that its call shows: a voicemail's message is none. */
  readonly isOfCall: boolean;
};

const INSERT = statement(
  'recordings_insert',
  `with inserted as (
     insert into recordings (ledger_id, id, tenant_id, call_id, duration_ms, consent_announced, blob_key, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, ledger_now($1))
     on conflict (ledger_id, id) do nothing
     returning ${COLUMNS}
   ), shown as (
     update calls set recording_id = $2 where ledger_id = $1 and id = $4 and $8::boolean and exists (select 1 from inserted)
   )
   select * from inserted`,
);

/**
 * Adds a recording, and names it in its call.
 * @returns undefined if the recording exists
 */
export async function insertRecording(
  tx: Tx,
  { ledgerId }: InLedger,
  recording: NewRecording,
): Promise<StoredRecording | undefined> {
  const { id, tenantId, callId, durationMs, consentAnnounced, blobKey, isOfCall } = recording;
  const values = [ledgerId, id, tenantId, callId, durationMs, consentAnnounced, blobKey, isOfCall];
  const [row] = await tx.query<StoredRecording>(INSERT, values);
  return row;
}

const LIST_BLOBS = statement('recordings_list_blobs', 'select blob_key from recordings where ledger_id = $1');

/** Returns the blob keys of all audio of a ledger. */
export async function listBlobKeys(tx: Tx, { ledgerId }: InLedger): Promise<string[]> {
  const rows = await tx.query<{ blob_key: string }>(LIST_BLOBS, [ledgerId]);
  return rows.map(({ blob_key }) => blob_key);
}
