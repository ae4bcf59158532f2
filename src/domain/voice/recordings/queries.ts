import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { byMoment, listReader, type Positioned, tenantReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import type { Position, Range } from '../../../http/schemas/pagination.ts';
import type { Job } from '../../../queue/jobs/job.ts';
import { COMPLETED, type Completed, completeJobWith } from '../../../queue/jobs/job-claims.ts';
import { COMPLETING_CTES, type CompletingValues } from '../../../queue/jobs/job-sql.ts';
import {
  announceWritten,
  type EmittingValues,
  emittingSql,
  emittingValues,
  type WrittenEvent,
} from '../../events/index.ts';
import { type InLedger, momentSql } from '../calls/queries.ts';
import { audioPath } from './audio-link.ts';
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
  `select c.connection_id, c.tenant_id, c.recording_id is not distinct from $3
     or $4::text = 'voicemail' and c.voicemail_id is not null
     or exists (select 1 from recordings where ledger_id = $1 and id = $3) as is_kept
   from calls c where c.ledger_id = $1 and c.id = $2 and c.erased_at is null`,
);

type Source = { readonly connection_id: ConnectionId; readonly tenant_id: string; readonly is_kept: boolean };

/**
 * Returns the connection with the audio of a recording, and the tenant of its call. `is_kept`: the recording is stored,
 * or was stored and deleted. Returns undefined if there is no such call, or its content was erased.
 */
export async function findSource(
  db: Db,
  { ledgerId }: InLedger,
  { callId, recordingId, purpose }: Record<'callId' | 'recordingId' | 'purpose', string>,
): Promise<Source | undefined> {
  const [row] = await db.query<Source>(FIND_SOURCE, [ledgerId, callId, recordingId, purpose]);
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

// The id of a recording is made at the start of its call, so the list has the order of the calls. `created_at` is the
// time when the audio was kept.
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
  readonly callId: string;
  readonly durationMs: number;
  readonly consentAnnounced: boolean;
  readonly blobKey: string;
};

type NewRecordingValues = {
  readonly ledger_id: number;
  readonly recording_id: string;
  readonly call_id: string;
  readonly duration_ms: number;
  readonly consent_announced: boolean;
  readonly blob_key: string;
};

const valuesOf = ({ id, callId, durationMs, consentAnnounced, blobKey }: NewRecording) => ({
  ...{ recording_id: id, call_id: callId, duration_ms: durationMs },
  ...{ consent_announced: consentAnnounced, blob_key: blobKey },
});

/** @param tenantId SQL of the tenant */
const insertSql = (tenantId: string, from: string) =>
  `insert into recordings (ledger_id, id, tenant_id, call_id, duration_ms, consent_announced, blob_key, created_at)
     select :ledger_id::int, :recording_id::text, ${tenantId}, :call_id::text, :duration_ms::int,
       :consent_announced::boolean, :blob_key::text, ledger_now(:ledger_id::int) ${from}
     on conflict (ledger_id, id) do nothing`;

const INSERT = statement<NewRecordingValues & { readonly tenant_id: string }>(
  'recordings_insert',
  `${insertSql(':tenant_id::text', '')}
   returning 1`,
);

/**
 * Adds the recording of a voicemail. The row of the call does not refer to it.
 * @returns false if the recording exists
 */
export async function insertRecording(
  tx: Tx,
  { ledgerId }: InLedger,
  tenantId: string,
  recording: NewRecording,
): Promise<boolean> {
  const values = { ledger_id: ledgerId, tenant_id: tenantId, ...valuesOf(recording) };
  return (await tx.query(INSERT, values)).length > 0;
}

const EMITTING = emittingSql({
  condition: 'exists (select 1 from recorded)',
  data: '(select data from shown)::text',
});

type KeepValues = EmittingValues & NewRecordingValues & { readonly audio_path: string };

type KeptRow = Completed & { readonly events: readonly WrittenEvent[] | null };

// Locks the call before the job, as every writer does.
const KEEP = statement<CompletingValues & KeepValues, KeptRow>(
  'recordings_keep',
  `with locked as materialized (
     select tenant_id from calls
     where ledger_id = :ledger_id::int and id = :call_id::text and erased_at is null for no key update
   ), ${COMPLETING_CTES}, recorded as (
     ${insertSql('tenant_id', 'from locked where exists (select 1 from own_claim)')}
     returning ${COLUMNS}
   ), named as (
     update calls set recording_id = :recording_id::text
     where ledger_id = :ledger_id::int and id = :call_id::text and exists (select 1 from recorded)
   ), shown as (
     select json_build_object('id', id, 'object', object, 'tenant_id', tenant_id, 'call_id', call_id,
       'duration_seconds', duration_seconds, 'consent_announced', consent_announced,
       'created_at', ${momentSql('created_at')}, 'audio_url', :audio_path::text) as data
     from recorded
   ), ${EMITTING.ctes}
   select ${COMPLETED}, ${EMITTING.result} as events`,
);

/**
 * Adds the recording of a call, stores its id in the call, emits its event and completes the job. Does not add an
 * existing recording again.
 * @returns false, and writes nothing, if the call is gone
 */
export async function keepCallRecording(db: Db, job: Job, tenantId: string, recording: NewRecording): Promise<boolean> {
  const { id } = recording;
  const event = { type: 'recording.created', tenantId, resourceId: id, data: null } as const;
  const recordingValues = { ...valuesOf(recording), audio_path: audioPath('recordings', id) };
  const values: KeepValues = { ...recordingValues, ...emittingValues(db, job.ledgerId, [event]) };
  const kept = await completeJobWith(db, job, { statement: KEEP, values });
  if (kept?.events) announceWritten(db, job.ledgerId, [event], kept.events);
  return kept !== undefined;
}

const LIST_BLOBS = statement('recordings_list_blobs', 'select blob_key from recordings where ledger_id = $1');

/** Returns the blob keys of all audio of a ledger. */
export async function listBlobKeys(tx: Tx, { ledgerId }: InLedger): Promise<string[]> {
  const rows = await tx.query<{ blob_key: string }>(LIST_BLOBS, [ledgerId]);
  return rows.map(({ blob_key }) => blob_key);
}
