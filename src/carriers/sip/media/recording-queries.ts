/** Recordings at engines. */
import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';

export type SipRecording = {
  readonly ledgerId: number;
  readonly connectionId: string;
  /** The reference is also the recording's name at the engine. */
  readonly recordingRef: string;
  readonly callRef: string;
  readonly legRef: string;
  readonly engine: string;
  /** The helper channel that is recorded. */
  readonly helperId: string;
  /** Null while it runs; 0 for a recording without audio. */
  readonly durationMs: number | null;
  readonly muted: boolean;
};

export type RecordingName = Pick<SipRecording, 'ledgerId' | 'connectionId' | 'recordingRef'>;

const FIELDS = `ledger_id as "ledgerId", connection_id as "connectionId", recording_ref as "recordingRef",
  call_ref as "callRef", leg_ref as "legRef", engine, helper_id as "helperId", duration_ms as "durationMs",
  muted`;
const OWN = 'ledger_id = $1 and connection_id = $2 and recording_ref = $3';

/** The most running recordings of one leg. */
const RUNNING_MAX = 8;

const OPEN = statement(
  'sip_recordings_open',
  `insert into sip_recordings as r
     (ledger_id, connection_id, recording_ref, call_ref, leg_ref, engine, helper_id)
   select $1, $2, $3, $4, $5, $6, $7
   where (select count(*) from sip_recordings where ledger_id = $1 and connection_id = $2 and leg_ref = $5
     and duration_ms is null and recording_ref <> $3) < ${RUNNING_MAX}
   on conflict (ledger_id, connection_id, recording_ref) do update set call_ref = r.call_ref
   returning ${FIELDS}`,
);

/** Stores a recording, and returns the stored row. Returns undefined if the leg has too many running recordings. */
export async function openRecording(db: Db, recording: SipRecording): Promise<SipRecording | undefined> {
  const { ledgerId, connectionId, recordingRef, callRef, legRef, engine, helperId } = recording;
  const values = [ledgerId, connectionId, recordingRef, callRef, legRef, engine, helperId];
  const [row] = await db.query<SipRecording>(OPEN, values);
  return row;
}

const FIND = statement('sip_recordings_find', `select ${FIELDS} from sip_recordings where ${OWN}`);

export async function findRecordingRow(db: Db, name: RecordingName): Promise<SipRecording | undefined> {
  const [row] = await db.query<SipRecording>(FIND, [name.ledgerId, name.connectionId, name.recordingRef]);
  return row;
}

const FIND_BY_NAME = statement(
  'sip_recordings_find_by_name',
  `select ${FIELDS} from sip_recordings where connection_id = $1 and recording_ref = $2`,
);

/** Finds a recording by its name at the engine. */
export async function findRecordingByName(
  db: Db,
  connectionId: string,
  recordingRef: string,
): Promise<SipRecording | undefined> {
  const [row] = await db.query<SipRecording>(FIND_BY_NAME, [connectionId, recordingRef]);
  return row;
}

const LIST_RUNNING = statement(
  'sip_recordings_list_running',
  `select ${FIELDS} from sip_recordings
   where ledger_id = $1 and connection_id = $2 and leg_ref = $3 and duration_ms is null`,
);

/** Returns the recordings of a leg that have not ended. */
export async function listRunningRecordings(
  db: Db,
  { ledgerId, connectionId, legRef }: Omit<RecordingName, 'recordingRef'> & { readonly legRef: string },
): Promise<SipRecording[]> {
  return await db.query<SipRecording>(LIST_RUNNING, [ledgerId, connectionId, legRef]);
}

const END = statement(
  'sip_recordings_end',
  `update sip_recordings set duration_ms = coalesce(duration_ms, $4) where ${OWN}`,
);

/** Records that a recording has ended. */
export async function endRecording(db: Db, name: RecordingName, durationMs: number): Promise<void> {
  const { ledgerId, connectionId, recordingRef } = name;
  await db.query(END, [ledgerId, connectionId, recordingRef, durationMs]);
}

const FETCHED = statement(
  'sip_recordings_fetched',
  `update sip_recordings set fetched_at = clock_timestamp() where ${OWN}`,
);

/** Records that the audio was read. The file at the engine is deleted some minutes later. */
export async function noteFetched(db: Db, name: RecordingName): Promise<void> {
  await db.query(FETCHED, [name.ledgerId, name.connectionId, name.recordingRef]);
}

const MUTED = statement('sip_recordings_muted', `update sip_recordings set muted = $4 where ${OWN}`);

/** Records that the engine has muted or unmuted a recording. */
export async function noteMuted(db: Db, name: RecordingName, muted: boolean): Promise<void> {
  await db.query(MUTED, [name.ledgerId, name.connectionId, name.recordingRef, muted]);
}

const LIST_OPEN = statement(
  'sip_recordings_list_open',
  `select ${FIELDS}, created_at < clock_timestamp() - interval '1 minute' as "isOld" from sip_recordings
   where connection_id = $1 and engine = $2 and duration_ms is null
     and created_at < clock_timestamp() - interval '2 seconds'
   order by created_at limit $3`,
);

/**
 * Returns recordings that an engine should be making, the oldest first. `isOld`: the recording must have begun by now.
 */
export async function listOpenRecordings(
  db: Db,
  { connectionId, engine, rows }: { readonly connectionId: string; readonly engine: string; readonly rows: number },
): Promise<(SipRecording & { readonly isOld: boolean })[]> {
  return await db.query(LIST_OPEN, [connectionId, engine, rows]);
}

// If a recording was never fetched, its file is deleted before its row.
const LIST_REMOVABLE = statement(
  'sip_recordings_list_removable',
  `(select ${FIELDS} from sip_recordings
    where removed_at is null and fetched_at < clock_timestamp() - interval '10 minutes' order by fetched_at limit $1)
   union all
   (select ${FIELDS} from sip_recordings
    where removed_at is null and fetched_at is null and created_at < clock_timestamp() - interval '6 days'
    order by created_at limit $1)`,
);

/** Returns recordings of all connections whose files at the engines are no longer needed. */
export async function listRemovableRecordings(db: Db, rows: number): Promise<SipRecording[]> {
  return await db.query<SipRecording>(LIST_REMOVABLE, [rows]);
}

const REMOVED = statement(
  'sip_recordings_removed',
  `update sip_recordings set removed_at = clock_timestamp() where ${OWN}`,
);

export async function noteRemoved(db: Db, name: RecordingName): Promise<void> {
  await db.query(REMOVED, [name.ledgerId, name.connectionId, name.recordingRef]);
}
