/** Sounds that engines fetch and play. */
import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';

export type PlaybackKind = 'speech' | 'hold' | 'beep' | 'copy';

/**
 * The content of a sound: a text, or the hold audio of a number. Without either it is the built-in pattern, or a beep.
 */
export type SoundSource = {
  readonly kind: PlaybackKind;
  readonly spoken: string | null;
  readonly audioRef: string | null;
};

export type Playback = SoundSource & {
  /** The sound's name at the engine. */
  readonly id: string;
  /** The content's name in the address that the engine fetches. */
  readonly sound: string;
  readonly ledgerId: number;
  readonly callRef: string;
  readonly legRef: string;
  readonly engine: string;
  readonly speechRef: string | null;
  /** The helper channel that plays the sound. */
  readonly helperId: string | null;
  readonly durationMs: number;
  readonly isStopped: boolean;
};

export type KnownPlayback = Playback & {
  readonly endedAt: Date | null;
  /** Null until the sound has ended. */
  readonly isCompleted: boolean | null;
};

const FIELDS = `id, sound, ledger_id as "ledgerId", call_ref as "callRef", leg_ref as "legRef", engine, kind,
  speech_ref as "speechRef", spoken, audio_ref as "audioRef", helper_id as "helperId", duration_ms as "durationMs",
  stopped_at is not null as "isStopped", ended_at as "endedAt", is_completed as "isCompleted"`;

/** The most sounds of a leg that have not ended. Further speeches are refused. */
const OPEN_MAX = 32;

const INSERT = statement(
  'sip_playbacks_insert',
  `insert into sip_playbacks as p (connection_id, id, ledger_id, call_ref, leg_ref, engine, kind, speech_ref, spoken,
     audio_ref, helper_id, duration_ms, sound)
   select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13
   where (select count(*) from sip_playbacks
     where ledger_id = $3 and connection_id = $1 and leg_ref = $5 and ended_at is null and id <> $2) < ${OPEN_MAX}
   on conflict (connection_id, id) do update set id = p.id
   returning xmax = 0 as "isNew", ended_at as "endedAt"`,
);

/** The result of storing a sound. The sound may have existed before, and may have ended. */
export type Inserted = { readonly isNew: boolean; readonly endedAt: Date | null };

/** Stores a sound that an engine is about to fetch. Returns undefined if the leg already has too many open sounds. */
export async function insertPlayback(db: Db, connectionId: string, playback: Playback): Promise<Inserted | undefined> {
  const { id, ledgerId, callRef, legRef, engine, kind, speechRef, spoken, audioRef, helperId, durationMs } = playback;
  const [row] = await db.query<Inserted>(INSERT, [
    ...[connectionId, id, ledgerId, callRef, legRef, engine, kind, speechRef, spoken, audioRef, helperId],
    // A speech may end within a millisecond.
    Math.ceil(durationMs),
    playback.sound,
  ]);
  return row;
}

const FIND = statement(
  'sip_playbacks_find',
  `select ${FIELDS} from sip_playbacks where connection_id = $1 and id = $2`,
);

export async function findPlayback(db: Db, connectionId: string, id: string): Promise<KnownPlayback | undefined> {
  const [row] = await db.query<KnownPlayback>(FIND, [connectionId, id]);
  return row;
}

const FIND_SOURCE = statement(
  'sip_playbacks_find_source',
  `select kind, spoken, audio_ref as "audioRef" from sip_playbacks
   where connection_id = $1 and sound = $2 and ended_at is null limit 1`,
);

/** Returns the content of a sound; undefined if no open sound has that name. */
export async function findSource(db: Db, connectionId: string, sound: string): Promise<SoundSource | undefined> {
  const [row] = await db.query<SoundSource>(FIND_SOURCE, [connectionId, sound]);
  return row;
}

const STOP_SPEECH = statement(
  'sip_playbacks_stop_speech',
  `update sip_playbacks set stopped_at = coalesce(stopped_at, clock_timestamp())
   where ledger_id = $1 and connection_id = $2 and call_ref = $3 and speech_ref = $4 and ended_at is null
   returning ${FIELDS}`,
);

type OfCall = { readonly ledgerId: number; readonly connectionId: string; readonly callRef: string };

/** Records that a speech is stopped. Returns its open sounds. */
export async function stopSpeechSounds(db: Db, ofCall: OfCall, speechRef: string): Promise<Playback[]> {
  const { ledgerId, connectionId, callRef } = ofCall;
  return await db.query<Playback>(STOP_SPEECH, [ledgerId, connectionId, callRef, speechRef]);
}

const STOP_OF_LEGS = statement(
  'sip_playbacks_stop_of_legs',
  `update sip_playbacks set stopped_at = coalesce(stopped_at, clock_timestamp())
   where ledger_id = $1 and connection_id = $2 and leg_ref = any($3) and kind = any($4) and helper_id is null
     and ended_at is null
   returning ${FIELDS}`,
);

type OfLegs = { readonly ledgerId: number; readonly connectionId: string; readonly legRefs: readonly string[] };

/** Stops the open sounds of these kinds that the legs play without a helper channel. Returns these sounds. */
export async function stopSoundsOfLegs(
  db: Db,
  { ledgerId, connectionId, legRefs }: OfLegs,
  kinds: readonly PlaybackKind[],
): Promise<Playback[]> {
  return await db.query<Playback>(STOP_OF_LEGS, [ledgerId, connectionId, legRefs, kinds]);
}

const LIST_OF_SPEECH = statement(
  'sip_playbacks_list_of_speech',
  `select ${FIELDS} from sip_playbacks
   where ledger_id = $1 and connection_id = $2 and call_ref = $3 and speech_ref = $4`,
);

/** Returns all sounds of a speech. */
export async function listSpeechSounds(db: Db, ofCall: OfCall, speechRef: string): Promise<KnownPlayback[]> {
  const { ledgerId, connectionId, callRef } = ofCall;
  return await db.query<KnownPlayback>(LIST_OF_SPEECH, [ledgerId, connectionId, callRef, speechRef]);
}

const END = statement(
  'sip_playbacks_end',
  `update sip_playbacks set ended_at = clock_timestamp(), is_completed = $3
   where connection_id = $1 and id = $2 and ended_at is null`,
);

/** The end of a sound, and whether the sound was complete. */
export type SoundEnd = { readonly id: string; readonly isCompleted: boolean };

/** Records that a sound has ended. */
export async function endPlayback(db: Db, connectionId: string, { id, isCompleted }: SoundEnd): Promise<void> {
  await db.query(END, [connectionId, id, isCompleted]);
}

const LIST_OPEN = statement(
  'sip_playbacks_list_open',
  `select ${FIELDS}, clock_timestamp() - created_at >= duration_ms * interval '1 millisecond' as "isOver"
   from sip_playbacks
   where connection_id = $1 and engine = $2 and ended_at is null
     and created_at < clock_timestamp() - interval '2 seconds'
   order by created_at limit $3`,
);

/** Returns sounds that an engine should be playing, the oldest first. `isOver`: the sound should have ended by now. */
export async function listOpenPlaybacks(
  db: Db,
  { connectionId, engine, rows }: { readonly connectionId: string; readonly engine: string; readonly rows: number },
): Promise<(Playback & { readonly isOver: boolean })[]> {
  return await db.query(LIST_OPEN, [connectionId, engine, rows]);
}

const HAS_OWN = statement(
  'sip_playbacks_has_own',
  `select 1 from sip_playbacks
   where ledger_id = $1 and connection_id = $2 and leg_ref = $3 and helper_id is null and ended_at is null limit 1`,
);

type OfLeg = { readonly ledgerId: number; readonly connectionId: string; readonly legRef: string };

/** True while the leg itself, or its bridge, plays a sound. */
export async function hasOwnSound(db: Db, { ledgerId, connectionId, legRef }: OfLeg): Promise<boolean> {
  return (await db.query(HAS_OWN, [ledgerId, connectionId, legRef])).length > 0;
}

const HAS_HOLD = statement(
  'sip_playbacks_has_hold',
  `select 1 from sip_playbacks
   where ledger_id = $1 and connection_id = $2 and leg_ref = $3 and kind = 'hold' and ended_at is null
     and stopped_at is null limit 1`,
);

/** True while hold audio is played to a leg. */
export async function hasHoldAudio(db: Db, { ledgerId, connectionId, legRef }: OfLeg): Promise<boolean> {
  return (await db.query(HAS_HOLD, [ledgerId, connectionId, legRef])).length > 0;
}
