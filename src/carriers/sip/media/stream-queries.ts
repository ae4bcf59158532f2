/** The audio of legs that engines send to our gateway. Each track has a row. */
import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Track } from '../../ports/call-audio.ts';
import { NEW_MS } from '../leg-queries.ts';

export type SipStream = {
  readonly ledgerId: number;
  readonly connectionId: string;
  readonly streamRef: string;
  readonly track: Track;
  readonly callRef: string;
  readonly legRef: string;
  /** The leg's channel. */
  readonly legChannelId: string;
  readonly engine: string;
  /** The media channel. */
  readonly channelId: string;
  /** True if the party hears the gateway's audio. */
  readonly plays: boolean;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
};

const FIELDS = `ledger_id as "ledgerId", connection_id as "connectionId", stream_ref as "streamRef", track,
  call_ref as "callRef", leg_ref as "legRef", leg_channel_id as "legChannelId", engine, channel_id as "channelId", plays,
  started_at as "startedAt", ended_at as "endedAt"`;
const OWN = 'ledger_id = $1 and connection_id = $2 and stream_ref = $3';

type New = Omit<SipStream, 'startedAt' | 'endedAt'>;

/** The most streams of one leg. Each has up to two tracks. */
const TRACKS_MAX = 8;

const OPEN = statement(
  'sip_streams_open',
  `insert into sip_streams as s (ledger_id, connection_id, stream_ref, track, call_ref, leg_ref, leg_channel_id, engine,
     channel_id, plays)
   select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10
   where (select count(*) from sip_streams where connection_id = $2 and leg_channel_id = $7 and ended_at is null
     and stream_ref <> $3) < ${TRACKS_MAX}
   on conflict (ledger_id, connection_id, stream_ref, track) do update set track = s.track
   returning ${FIELDS}, created_at < clock_timestamp() - interval '10 seconds' as "isOld"`,
);

/**
 * Stores a track whose media channel is about to be made. Returns the stored track, with the channel of an earlier
 * attempt if there was one. Returns undefined if the leg has too many streams. `isOld`: no other attempt is in
 * progress.
 */
export async function openTrack(db: Db, track: New): Promise<(SipStream & { readonly isOld: boolean }) | undefined> {
  const { ledgerId, connectionId, streamRef, callRef, legRef, legChannelId, engine, channelId, plays } = track;
  const values = [
    ledgerId,
    connectionId,
    streamRef,
    track.track,
    callRef,
    legRef,
    legChannelId,
    engine,
    channelId,
    plays,
  ];
  const [row] = await db.query<SipStream & { isOld: boolean }>(OPEN, values);
  return row;
}

const RENAME = statement(
  'sip_streams_rename',
  `update sip_streams set channel_id = $6, created_at = clock_timestamp()
   where ${OWN} and track = $4 and channel_id = $5 and started_at is null and ended_at is null returning 1`,
);

/** Replaces the name of a track's channel that was never made. Returns false if another process has replaced it. */
export async function renameTrack(db: Db, track: SipStream, channelId: string): Promise<boolean> {
  const { ledgerId, connectionId, streamRef } = track;
  const values = [ledgerId, connectionId, streamRef, track.track, track.channelId, channelId];
  return (await db.query(RENAME, values)).length > 0;
}

const FIND = statement(
  'sip_streams_find',
  `select ${FIELDS} from sip_streams where connection_id = $1 and channel_id = $2`,
);

/** Finds the track of a media channel. */
export async function findTrack(db: Db, connectionId: string, channelId: string): Promise<SipStream | undefined> {
  const [row] = await db.query<SipStream>(FIND, [connectionId, channelId]);
  return row;
}

const START = statement(
  'sip_streams_start',
  'update sip_streams set started_at = clock_timestamp() where connection_id = $1 and channel_id = $2 and started_at is null',
);

/** Records that a media channel is connected. */
export async function startTrack(db: Db, { connectionId, channelId }: SipStream): Promise<void> {
  await db.query(START, [connectionId, channelId]);
}

const END = statement(
  'sip_streams_end',
  `update sip_streams set ended_at = clock_timestamp() where ${OWN} and ended_at is null`,
);

type StreamName = Pick<SipStream, 'ledgerId' | 'connectionId' | 'streamRef'>;

/** Records that a stream has ended. */
export async function endStream(db: Db, { ledgerId, connectionId, streamRef }: StreamName): Promise<void> {
  await db.query(END, [ledgerId, connectionId, streamRef]);
}

const LIST_OF_LEGS = statement(
  'sip_streams_list_of_legs',
  `select ${FIELDS} from sip_streams where connection_id = $1 and leg_channel_id = any($2) and ended_at is null and plays`,
);

/** Returns the tracks that carry the gateway's audio to the parties of channels. */
export async function listPlayingTracks(
  db: Db,
  connectionId: string,
  legChannelIds: readonly string[],
): Promise<SipStream[]> {
  return await db.query<SipStream>(LIST_OF_LEGS, [connectionId, legChannelIds]);
}

const LIST_TRACKS = statement(
  'sip_streams_list_tracks',
  `select ${FIELDS} from sip_streams where ${OWN} and ended_at is null`,
);

/** Returns the tracks of a stream that has not ended. */
export async function listTracks(db: Db, { ledgerId, connectionId, streamRef }: StreamName): Promise<SipStream[]> {
  return await db.query<SipStream>(LIST_TRACKS, [ledgerId, connectionId, streamRef]);
}

const LIST_OPEN = statement(
  'sip_streams_list_open',
  `select ${FIELDS},
     started_at is null and created_at > clock_timestamp() - interval '${NEW_MS} milliseconds' as "isNew"
   from sip_streams
   where connection_id = $1 and engine = $2 and ended_at is null
     and created_at < clock_timestamp() - interval '2 seconds'
   order by created_at limit $3`,
);

/** A stored track. `isNew`: the request that makes its channel may be in progress. */
export type OpenTrack = SipStream & { readonly isNew: boolean };

/** Returns tracks that an engine should be sending, the oldest first. */
export async function listOpenTracks(
  db: Db,
  { connectionId, engine, rows }: { readonly connectionId: string; readonly engine: string; readonly rows: number },
): Promise<OpenTrack[]> {
  return await db.query<OpenTrack>(LIST_OPEN, [connectionId, engine, rows]);
}
