import type { Database, Db, Tx } from '../../../db/database.ts';
import { defineDeletion, type Sweep } from '../../../queue/worker/sweep.ts';
import { keepRetentionProgress, type RetentionKind, type RetentionRound } from '../../tenants/index.ts';
import { deleteAudio } from '../deletion/delete-audio.ts';
import { deleteTranscripts } from '../deletion/delete-transcript.ts';
import { findOldRecordings, findOldTranscripts, findOldVoicemails, type OldRow } from './queries.ts';

/** The most rows of a round. They are found without a lock. */
const ROWS_MAX = 500;
/** Rows of a transaction: a transcript has many segments and events. */
const BATCH_ROWS = { recording_days: 100, voicemail_days: 100, transcript_days: 10 } as const;

type VoiceKind = keyof typeof BATCH_ROWS & RetentionKind;

type Kind = {
  readonly kind: VoiceKind;
  /** True if the sweep leaves rows that it has handled, so that it must record how far it has come. */
  readonly passesRows: boolean;
  find(db: Db, round: RetentionRound): Promise<OldRow[]>;
  remove(tx: Tx, ledger: { readonly ledgerId: number }, ids: readonly string[]): Promise<unknown>;
};

const KINDS: readonly Kind[] = [
  { kind: 'recording_days', passesRows: true, find: findOldRecordings, remove: deleteAudio },
  { kind: 'voicemail_days', passesRows: false, find: findOldVoicemails, remove: deleteAudio },
  { kind: 'transcript_days', passesRows: true, find: findOldTranscripts, remove: deleteTranscripts },
];

/** Returns the sweeps that delete recordings, voicemails and transcripts past the retention of their tenants. */
export function voiceRetention({ db }: { readonly db: Database }): Sweep[] {
  return KINDS.map((kind) => {
    const name = `${kind.kind.replace('_days', '')}_retention`;
    return defineDeletion({ db, name, rowsMax: ROWS_MAX, remove: (rowsMax) => sweepKind(db, kind, { rowsMax }) });
  });
}

/** Deletes audio and transcripts past their retention in short transactions. @returns how many rows were looked at */
export async function sweepVoice(db: Database, round: RetentionRound): Promise<number> {
  let rows = 0;
  for (const kind of KINDS) rows += await sweepKind(db, kind, round);
  return rows;
}

async function sweepKind(db: Database, kind: Kind, round: RetentionRound): Promise<number> {
  const old = await kind.find(db, round);
  for (const rows of Map.groupBy(old, (row) => `${row.ledger_id} ${row.tenant_id}`).values()) {
    for (let at = 0; at < rows.length; at += BATCH_ROWS[kind.kind]) {
      await db.transaction((tx) => removeBatch(tx, kind, rows.slice(at, at + BATCH_ROWS[kind.kind])));
    }
  }
  return old.length;
}

async function removeBatch(tx: Tx, { kind, passesRows, remove }: Kind, rows: readonly OldRow[]): Promise<void> {
  const last = rows.at(-1);
  if (last === undefined) return;
  const { ledger_id: ledgerId, tenant_id: tenantId } = last;
  const due = rows.filter((row) => row.is_due).map(({ id }) => id);
  if (due.length > 0) await remove(tx, { ledgerId }, due);
  if (passesRows) await keepRetentionProgress(tx, { ledgerId, tenantId, kind }, last);
}
