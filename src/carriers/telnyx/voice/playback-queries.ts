/** Sounds that Telnyx fetches and plays to legs. */
import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';

export type Playback = {
  /** Telnyx fetches the sound from an address that contains this id. */
  readonly id: string;
  readonly legRef: string;
  /** The speech that the sound belongs to; null for hold audio. */
  readonly speechRef: string | null;
  /** The spoken text; null for hold audio. */
  readonly spoken: string | null;
  readonly audioRef: string | null;
  readonly isOverlay: boolean;
};

type OfCall = { readonly ledgerId: number; readonly connectionId: string; readonly callRef: string };

const FIELDS = `id, leg_ref as "legRef", speech_ref as "speechRef", spoken, audio_ref as "audioRef",
  is_overlay as "isOverlay"`;

const INSERT = statement(
  'telnyx_playbacks_insert',
  `insert into telnyx_playbacks (connection_id, id, ledger_id, call_ref, leg_ref, speech_ref, spoken, audio_ref, is_overlay)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (connection_id, id) do nothing`,
);

/** Stores a sound before Telnyx fetches it. A repeat changes nothing. */
export async function insertPlayback(db: Db, ofCall: OfCall, playback: Playback): Promise<void> {
  const { ledgerId, connectionId, callRef } = ofCall;
  const { id, legRef, speechRef, spoken, audioRef, isOverlay } = playback;
  const values = [connectionId, id, ledgerId, callRef, legRef, speechRef, spoken, audioRef, isOverlay];
  await db.query(INSERT, values);
}

const FIND = statement(
  'telnyx_playbacks_find',
  `select ${FIELDS} from telnyx_playbacks where connection_id = $1 and id = $2 and ended_at is null`,
);

/** Returns a sound that has not ended. */
export async function findPlayback(db: Db, connectionId: string, id: string): Promise<Playback | undefined> {
  const [row] = await db.query<Playback>(FIND, [connectionId, id]);
  return row;
}

const LIST_OPEN = statement(
  'telnyx_playbacks_list_open',
  `select ${FIELDS} from telnyx_playbacks
   where ledger_id = $1 and connection_id = $2 and call_ref = $3 and speech_ref = $4 and ended_at is null`,
);

/** Returns the sounds of a speech that have not ended. A leg that hears the speech separately has a separate sound. */
export async function listOpenPlaybacks(
  db: Db,
  { ledgerId, connectionId, callRef }: OfCall,
  speechRef: string,
): Promise<Playback[]> {
  return await db.query<Playback>(LIST_OPEN, [ledgerId, connectionId, callRef, speechRef]);
}

// The subquery reads the rows as they were before this statement. So the statement excludes the row that it ends.
const END = statement(
  'telnyx_playbacks_end',
  `with ended as (
     update telnyx_playbacks set ended_at = coalesce(ended_at, clock_timestamp())
     where connection_id = $1 and id = $2
     returning id, ledger_id, connection_id, call_ref, speech_ref)
   select e.speech_ref as "speechRef", e.call_ref as "callRef", e.ledger_id as "ledgerId", not exists (
     select 1 from telnyx_playbacks o
     where o.ledger_id = e.ledger_id and o.connection_id = e.connection_id and o.call_ref = e.call_ref
       and o.speech_ref = e.speech_ref and o.id <> e.id and o.ended_at is null) as "isLast"
   from ended e`,
);

type Ended = {
  readonly ledgerId: number;
  readonly callRef: string;
  readonly speechRef: string | null;
  /** True if the speech has no other sound that plays. */
  readonly isLast: boolean;
};

/** Records that a sound has ended. Returns its speech or hold. */
export async function endPlayback(db: Db, connectionId: string, id: string): Promise<Ended | undefined> {
  const [row] = await db.query<Ended>(END, [connectionId, id]);
  return row;
}
