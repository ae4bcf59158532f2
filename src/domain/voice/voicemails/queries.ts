import type { Db, Tx } from '../../../db/database.ts';
import { byMoment, listReader, type Positioned, tenantReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import type { Position, Range } from '../../../http/schemas/pagination.ts';
import type { InLedger } from '../calls/queries.ts';
import type { StoredAudio } from '../recordings/queries.ts';
import type { Voicemail } from './schema.ts';

/** A voicemail without the link to its audio, which is signed for each reply. */
export type StoredVoicemail = Omit<Voicemail, 'audio_url'>;

const COLUMNS = `v.id, 'voicemail' as object, v.tenant_id, v.call_id, v.conversation_id, v."from",
  round(v.duration_ms / 1000.0)::int as duration_seconds, v.transcript, v.created_at`;

const FIND = statement('voicemails_find', `select ${COLUMNS} from voicemails v where v.ledger_id = $1 and v.id = $2`);

export async function findVoicemail(db: Db, { ledgerId }: InLedger, id: string): Promise<StoredVoicemail | undefined> {
  const [row] = await db.query<StoredVoicemail>(FIND, [ledgerId, id]);
  return row;
}

const FIND_AUDIO = statement(
  'voicemails_find_audio',
  `select v.tenant_id, r.blob_key from voicemails v
   join recordings r on r.ledger_id = v.ledger_id and r.id = v.recording_id
   where v.ledger_id = $1 and v.id = $2`,
);

/** Returns the blob key of a message. */
export async function findVoicemailAudio(db: Db, { ledgerId }: InLedger, id: string): Promise<StoredAudio | undefined> {
  const [row] = await db.query<StoredAudio>(FIND_AUDIO, [ledgerId, id]);
  return row;
}

/** A voicemail with its position in a list. */
export type ListedVoicemail = Positioned<StoredVoicemail>;

const LIST = {
  name: 'voicemails_list',
  from: ['voicemails', 'v'],
  columns: COLUMNS,
  order: byMoment('v.created_at'),
} as const;

const readList = tenantReader<ListedVoicemail>(LIST);

export type VoicemailFilter = { tenantId: string | null; range: Range; before: Position; rows: number };

export function listVoicemails(db: Db, { ledgerId }: InLedger, filter: VoicemailFilter): Promise<ListedVoicemail[]> {
  return readList(db, ledgerId, filter);
}

const readConversation = listReader<ListedVoicemail>(LIST, {
  name: 'conversation',
  keys: [{ sql: 'v.conversation_id' }],
  where: 'v.conversation_id is not null',
});

/** Returns voicemails of a conversation, newest first. */
export function listVoicemailsOfConversation(
  db: Db,
  { ledgerId }: InLedger,
  { conversationId, ...page }: { conversationId: string; before: Position; rows: number },
): Promise<ListedVoicemail[]> {
  return readConversation(db, ledgerId, { ...page, arms: [[conversationId]] });
}

export type NewVoicemail = {
  readonly id: string;
  readonly tenantId: string;
  readonly callId: string;
  readonly conversationId: string | null;
  readonly recordingId: string;
  readonly from: string;
  readonly durationMs: number;
  readonly transcript: string | null;
};

const INSERT = statement(
  'voicemails_insert',
  `insert into voicemails as v (ledger_id, id, tenant_id, call_id, recording_id, "from", duration_ms, transcript,
     conversation_id, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, ledger_now($1))
   returning ${COLUMNS}`,
);

export async function insertVoicemail(
  tx: Tx,
  { ledgerId }: InLedger,
  voicemail: NewVoicemail,
): Promise<StoredVoicemail> {
  const { id, tenantId, callId, conversationId, recordingId, from, durationMs, transcript } = voicemail;
  const values = [ledgerId, id, tenantId, callId, recordingId, from, durationMs, transcript, conversationId];
  const [row] = await tx.query<StoredVoicemail>(INSERT, values);
  return row as StoredVoicemail;
}
