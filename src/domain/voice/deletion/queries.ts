import type { Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { InLedger } from '../calls/queries.ts';

const RECORDING_OF_VOICEMAIL = statement(
  'voicemails_recording',
  'select recording_id from voicemails where ledger_id = $1 and id = $2',
);

/** Returns the id of the recording that contains the audio of a voicemail. */
export async function recordingOfVoicemail(
  tx: Tx,
  { ledgerId }: InLedger,
  voicemailId: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ recording_id: string }>(RECORDING_OF_VOICEMAIL, [ledgerId, voicemailId]);
  return row?.recording_id;
}

const DELETE_VOICEMAILS = statement(
  'voicemails_delete_of_recordings',
  `delete from voicemails v using recordings r
   where r.ledger_id = $1 and r.id = any($2::text[])
     and v.ledger_id = r.ledger_id and v.call_id = r.call_id and v.recording_id = r.id
   returning v.id`,
);

const DELETE_RECORDINGS = statement(
  'recordings_delete',
  `delete from recordings where ledger_id = $1 and id = any($2::text[])
   returning id, blob_key, (select ledger_now($1)) as deleted_at`,
);

type DeletedRow = { readonly id: string; readonly blob_key: string; readonly deleted_at: Date };

export type DeletedAudio = {
  readonly recordingIds: readonly string[];
  readonly voicemailIds: readonly string[];
  readonly blobKeys: readonly string[];
  /** The time of the deletion; null if none of the recordings existed. */
  readonly deletedAt: Date | null;
};

/** Deletes recordings, and the voicemails whose audio they contain. */
export async function deleteAudioRows(
  tx: Tx,
  { ledgerId }: InLedger,
  recordingIds: readonly string[],
): Promise<DeletedAudio> {
  const voicemails = await tx.query<{ id: string }>(DELETE_VOICEMAILS, [ledgerId, recordingIds]);
  const recordings = await tx.query<DeletedRow>(DELETE_RECORDINGS, [ledgerId, recordingIds]);
  return {
    recordingIds: recordings.map(({ id }) => id),
    voicemailIds: voicemails.map(({ id }) => id),
    blobKeys: recordings.map(({ blob_key }) => blob_key),
    deletedAt: recordings[0]?.deleted_at ?? null,
  };
}

// Locks the calls, as every writer does, before the rows that belong to them.
const MARK_TRANSCRIPTS = statement(
  'calls_mark_transcripts_deleted',
  `update calls c set transcript_deleted_at = ledger_now($1::int), summary = null
   from (select id from calls where ledger_id = $1::int and id = any($2::text[]) order by id for no key update) l
   where c.ledger_id = $1::int and c.id = l.id and c.transcript_deleted_at is null
   returning c.id, c.transcript_deleted_at as deleted_at`,
);

const DELETE_SEGMENTS = statement(
  'transcript_segments_delete',
  'delete from transcript_segments where ledger_id = $1 and call_id = any($2::text[])',
);

const DELETE_UTTERANCES = statement(
  'call_utterances_delete',
  'delete from call_utterances where ledger_id = $1 and call_id = any($2::text[]) returning ref',
);

export type DeletedTranscripts = {
  readonly callIds: readonly string[];
  readonly deletedAt: Date | null;
  /** The utterances that waited for their text. */
  readonly utteranceRefs: readonly string[];
};

/** Deletes the transcripts and summaries of calls that still have them. */
export async function deleteTranscriptRows(
  tx: Tx,
  { ledgerId }: InLedger,
  callIds: readonly string[],
): Promise<DeletedTranscripts> {
  const marked = await tx.query<{ id: string; deleted_at: Date }>(MARK_TRANSCRIPTS, [ledgerId, callIds]);
  const ids = marked.map(({ id }) => id);
  if (ids.length === 0) return { callIds: [], deletedAt: null, utteranceRefs: [] };
  await tx.query(DELETE_SEGMENTS, [ledgerId, ids]);
  const utterances = await tx.query<{ ref: string }>(DELETE_UTTERANCES, [ledgerId, ids]);
  return {
    callIds: ids,
    deletedAt: marked[0]?.deleted_at ?? null,
    utteranceRefs: utterances.map(({ ref }) => ref),
  };
}

const IS_DELETED = statement(
  'calls_is_transcript_deleted',
  'select transcript_deleted_at is not null as is_deleted from calls where ledger_id = $1 and id = $2',
);

/** Returns true for a call whose transcript was deleted. */
export async function isTranscriptDeleted(
  db: Pick<Tx, 'query'>,
  { ledgerId }: InLedger,
  callId: string,
): Promise<boolean> {
  const [row] = await db.query<{ is_deleted: boolean }>(IS_DELETED, [ledgerId, callId]);
  return row?.is_deleted ?? false;
}
