import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { BookedRecording, Sound } from './books.ts';

export const SOUND_COLUMNS = 'ref, said_by, played_to, kind, content, starts_at, duration_ms';

const LIST = statement(
  'simulated_sounds_list',
  `select ${SOUND_COLUMNS} from simulated_sounds where ledger_id = $1 and call_ref = $2 order by starts_at, ref`,
);

export async function listSounds(db: Db, ledgerId: number, callRef: string): Promise<Sound[]> {
  return db.query<Sound>(LIST, [ledgerId, callRef]);
}

const FIND = statement(
  'simulated_sounds_find',
  `select ${SOUND_COLUMNS}, call_ref from simulated_sounds where ledger_id = $1 and ref = $2 and call_ref = $3`,
);

export async function findSound(db: Db, ledgerId: number, callRef: string, ref: string): Promise<Sound | undefined> {
  const [row] = await db.query<Sound>(FIND, [ledgerId, ref, callRef]);
  return row;
}

export type Recording = BookedRecording & { readonly call_ref: string };

const FIND_RECORDING = statement(
  'simulated_recordings_find',
  `select recording_ref, call_ref, leg_refs, starts_at, ended_at from simulated_recordings
   where ledger_id = $1 and recording_ref = $2`,
);

export async function findRecording(db: Db, ledgerId: number, ref: string): Promise<Recording | undefined> {
  const [row] = await db.query<Recording>(FIND_RECORDING, [ledgerId, ref]);
  return row;
}
