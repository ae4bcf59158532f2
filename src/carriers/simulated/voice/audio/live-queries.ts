/** What live audio reads and stores of simulated calls. */
import type { Db } from '../../../../db/database.ts';
import { statement } from '../../../../db/statement.ts';
import type { Leg, Sound } from '../call.ts';
import type { LiveAudio } from './rendering.ts';

/** The parties and the sounds of a call at one moment. */
export type LiveState = {
  /** Ledger time. */
  readonly now: Date;
  readonly bridged: boolean;
  /** True while a recording runs. */
  readonly recorded: boolean;
  readonly legs: readonly Pick<Leg, 'leg_ref' | 'party' | 'address' | 'state' | 'leaves_message'>[];
  readonly sounds: readonly Sound[];
};

const READ = statement(
  'simulated_calls_read_live',
  `select c.call_ref, ledger_now(c.ledger_id) as now, c.bridged_at is not null as bridged,
     exists (select 1 from simulated_recordings r
       where r.ledger_id = c.ledger_id and r.call_ref = c.call_ref and r.ended_at is null) as recorded,
     coalesce((select json_agg(json_build_object('leg_ref', l.leg_ref, 'party', l.party, 'address', l.address,
         'state', l.state, 'leaves_message', l.leaves_message) order by l.leg_ref)
       from simulated_legs l where l.ledger_id = c.ledger_id and l.call_ref = c.call_ref), '[]') as legs,
     coalesce((select json_agg(json_build_object('ref', s.ref, 'said_by', s.said_by, 'played_to', s.played_to,
         'kind', s.kind, 'content', s.content, 'starts_at', s.starts_at, 'duration_ms', s.duration_ms)
         order by s.starts_at, s.ref)
       from simulated_sounds s where s.ledger_id = c.ledger_id and s.call_ref = c.call_ref), '[]') as sounds
   from unnest($1::int[], $2::text[]) as w (ledger_id, call_ref)
   join simulated_calls c on c.ledger_id = w.ledger_id and c.call_ref = w.call_ref`,
);

export type WatchedCall = { readonly ledgerId: number; readonly callRef: string };

/** Reads the state of several calls, by call ref. A call that does not exist is left out. */
export async function readLiveStates(db: Db, calls: readonly WatchedCall[]): Promise<Map<string, LiveState>> {
  type Row = Omit<LiveState, 'sounds'> & {
    call_ref: string;
    sounds: (Omit<Sound, 'starts_at'> & { starts_at: string })[];
  };
  const rows = await db.query<Row>(READ, [calls.map(({ ledgerId }) => ledgerId), calls.map(({ callRef }) => callRef)]);
  return new Map(
    rows.map(({ call_ref, sounds, ...state }) => [
      call_ref,
      { ...state, sounds: sounds.map((sound) => ({ ...sound, starts_at: new Date(sound.starts_at) })) },
    ]),
  );
}

const KEEP = statement(
  'simulated_audio_keep',
  `insert into simulated_audio (ledger_id, call_ref, starts_at, audio)
   select $1, $2, $3, $4
   where exists (select 1 from simulated_calls where ledger_id = $1 and call_ref = $2)
   on conflict do nothing`,
);

/** Stores what was heard live from a moment on (mu-law). */
export async function keepLiveAudio(db: Db, { ledgerId, callRef }: WatchedCall, heard: LiveAudio): Promise<void> {
  await db.query(KEEP, [ledgerId, callRef, heard.starts_at, heard.audio]);
}

const LIST = statement(
  'simulated_audio_list',
  `select starts_at, audio from simulated_audio where ledger_id = $1 and call_ref = $2 order by starts_at`,
);

export async function listLiveAudio(db: Db, { ledgerId, callRef }: WatchedCall): Promise<LiveAudio[]> {
  return db.query<LiveAudio>(LIST, [ledgerId, callRef]);
}
