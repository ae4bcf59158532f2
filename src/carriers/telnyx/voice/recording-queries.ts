import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';

export type RecordingName = {
  readonly ledgerId: number;
  readonly connectionId: string;
  readonly recordingRef: string;
};

export type TelnyxRecording = {
  readonly ledgerId: number;
  readonly recordingRef: string;
  readonly callRef: string;
  readonly legRef: string;
  readonly callLegId: string | null;
  /** Telnyx's id; null before Telnyx has reported it. */
  readonly carrierId: string | null;
  /** Null before the end of the recording; 0 without audio. */
  readonly durationMs: number | null;
  /** When the recording began at Telnyx. */
  readonly startedAt: Date | null;
  /** The address of the audio at the time `linkedAt`. It is valid for a few minutes. */
  readonly link: string | null;
  readonly linkedAt: Date | null;
  readonly createdAt: Date;
  /** The times come from our clock. */
  readonly pauses: readonly { readonly from: Date; readonly until: Date | null }[];
};

const FIELDS = `ledger_id as "ledgerId", recording_ref as "recordingRef", call_ref as "callRef", leg_ref as "legRef",
  call_leg_id as "callLegId", carrier_id as "carrierId", duration_ms as "durationMs", started_at as "startedAt", link, linked_at as "linkedAt",
  created_at as "createdAt", pauses`;

const OWN = 'ledger_id = $1 and connection_id = $2 and recording_ref = $3';

const OPEN = statement(
  'telnyx_recordings_open',
  `insert into telnyx_recordings (ledger_id, connection_id, recording_ref, call_ref, leg_ref, call_leg_id)
   values ($1, $2, $3, $4, $5, $6) on conflict (ledger_id, connection_id, recording_ref) do nothing`,
);

type NewRecording = Pick<TelnyxRecording, 'callRef' | 'legRef' | 'callLegId'>;

/** Stores a recording before it begins. */
export async function openRecording(db: Db, name: RecordingName, recording: NewRecording): Promise<void> {
  const { callRef, legRef, callLegId } = recording;
  await db.query(OPEN, [name.ledgerId, name.connectionId, name.recordingRef, callRef, legRef, callLegId]);
}

const FIND = statement('telnyx_recordings_find', `select ${FIELDS} from telnyx_recordings where ${OWN}`);

export async function findRecordingRow(db: Db, name: RecordingName): Promise<TelnyxRecording | undefined> {
  const [row] = await db.query<StoredRow>(FIND, [name.ledgerId, name.connectionId, name.recordingRef]);
  if (row === undefined) return undefined;
  const toDate = (ms: number | null) => (ms === null ? null : new Date(ms));
  const pauses = row.pauses.map(({ from, until }) => ({ from: new Date(from), until: toDate(until) }));
  return { ...row, pauses };
}

/** Pauses are stored in milliseconds since the epoch. */
type StoredRow = Omit<TelnyxRecording, 'pauses'> & {
  readonly pauses: readonly { readonly from: number; readonly until: number | null }[];
};

const PAUSE = statement(
  'telnyx_recordings_pause',
  `update telnyx_recordings set pauses = pauses || jsonb_build_array(jsonb_build_object('from', $4::float8, 'until', null))
   where ${OWN} and (jsonb_array_length(pauses) = 0 or pauses -> -1 ->> 'until' is not null)`,
);
const RESUME = statement(
  'telnyx_recordings_resume',
  `update telnyx_recordings
   set pauses = jsonb_set(pauses, array[(jsonb_array_length(pauses) - 1)::text, 'until'], to_jsonb($4::float8))
   where ${OWN} and jsonb_array_length(pauses) > 0 and pauses -> -1 ->> 'until' is null`,
);

/** Records that a recording is paused or resumed. A repeat changes nothing. */
export async function notePause(
  db: Db,
  name: RecordingName,
  { paused, at }: { readonly paused: boolean; readonly at: Date },
): Promise<void> {
  const values = [name.ledgerId, name.connectionId, name.recordingRef, at.getTime()];
  await db.query(paused ? PAUSE : RESUME, values);
}

// Each part of the union reads a separate index range.
const FIND_REPORTED = statement(
  'telnyx_recordings_find_reported',
  `select recording_ref as "recordingRef" from (
     (select recording_ref, 1 as rank from telnyx_recordings where connection_id = $1 and carrier_id = $3 limit 1)
     union all
     (select recording_ref, 2 from telnyx_recordings
      where connection_id = $1 and call_leg_id = $2 and duration_ms is null and carrier_id is null
      order by created_at limit 1)) found
   order by rank limit 1`,
);

/**
 * Returns the recording of a leg (`call_leg_id`) that a report is about. That is the recording with the reported id, or
 * else the oldest recording that has not ended.
 */
export async function findReportedRecording(
  db: Db,
  connectionId: string,
  { callLegId, carrierId }: Pick<TelnyxRecording, 'callLegId' | 'carrierId'>,
): Promise<string | undefined> {
  const [row] = await db.query<{ recordingRef: string }>(FIND_REPORTED, [connectionId, callLegId, carrierId]);
  return row?.recordingRef;
}

const END = statement(
  'telnyx_recordings_end',
  `update telnyx_recordings set duration_ms = coalesce(duration_ms, $4), started_at = coalesce(started_at, $5),
     carrier_id = coalesce(carrier_id, $7), link = coalesce($6, link), linked_at = case when $6::text is null then linked_at else clock_timestamp() end
   where ${OWN} returning duration_ms as "durationMs"`,
);

type RecordingEnd = {
  readonly carrierId: string | null;
  readonly durationMs: number;
  readonly startedAt: Date | null;
  readonly link: string | null;
};

/** Records that a recording has ended. Returns its length in milliseconds. The first known length counts. */
export async function endRecording(db: Db, name: RecordingName, end: RecordingEnd): Promise<number> {
  const key = [name.ledgerId, name.connectionId, name.recordingRef];
  const values = [...key, end.durationMs, end.startedAt, end.link, end.carrierId];
  const [row] = await db.query<{ durationMs: number }>(END, values);
  return row?.durationMs ?? end.durationMs;
}
