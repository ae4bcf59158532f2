-- Sounds that SIP engines fetch and play to legs: a text that is spoken, hold audio, or a beep.
create table sip_playbacks (
  connection_id text collate "C" not null references carrier_connections (id),
  -- Its name at the engine. It also stands in the address that the engine fetches, and cannot be guessed.
  id text collate "C" not null,
  ledger_id integer not null,
  call_ref text collate "C" not null,
  leg_ref text collate "C" not null,
  engine text collate "C" not null,
  -- speech, hold, beep, or copy: a speech that a recording would lack otherwise.
  kind text not null,
  -- The speech; null for other kinds.
  speech_ref text collate "C",
  -- What is spoken; null for hold audio and beeps.
  spoken text,
  -- The hold audio of the number; null for the built-in pattern.
  audio_ref text,
  -- The helper channel that plays it; null for a leg that plays it by itself, or a bridge.
  helper_id text collate "C",
  duration_ms integer not null,
  stopped_at timestamptz,
  -- False for one that was stopped or failed.
  is_completed boolean,
  ended_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (connection_id, id)
);
create index sip_playbacks_speech on sip_playbacks (ledger_id, connection_id, call_ref, speech_ref)
  where speech_ref is not null;
create index sip_playbacks_leg on sip_playbacks (ledger_id, connection_id, leg_ref) where ended_at is null;
create index sip_playbacks_open on sip_playbacks (connection_id, engine, created_at) where ended_at is null;
create index sip_playbacks_age on sip_playbacks (created_at);

create table sip_recordings (
  ledger_id integer not null,
  connection_id text collate "C" not null references carrier_connections (id),
  -- Also its name at the engine.
  recording_ref text collate "C" not null,
  call_ref text collate "C" not null,
  leg_ref text collate "C" not null,
  engine text collate "C" not null,
  -- The helper channel that is recorded.
  helper_id text collate "C" not null,
  -- Null while it runs; 0 for one without audio.
  duration_ms integer,
  fetched_at timestamptz,
  -- When its file at the engine was deleted.
  removed_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (ledger_id, connection_id, recording_ref)
);
create unique index sip_recordings_name on sip_recordings (connection_id, recording_ref);
create index sip_recordings_leg on sip_recordings (ledger_id, connection_id, leg_ref) where duration_ms is null;
create index sip_recordings_open on sip_recordings (connection_id, engine, created_at) where duration_ms is null;
create index sip_recordings_fetched on sip_recordings (fetched_at) where removed_at is null and fetched_at is not null;
create index sip_recordings_kept on sip_recordings (created_at) where removed_at is null;
create index sip_recordings_age on sip_recordings (created_at);

-- The audio of legs that engines send to our gateway, one row a track.
create table sip_streams (
  ledger_id integer not null,
  connection_id text collate "C" not null references carrier_connections (id),
  stream_ref text collate "C" not null,
  -- inbound or outbound.
  track text not null,
  call_ref text collate "C" not null,
  leg_ref text collate "C" not null,
  -- The leg's channel.
  leg_channel_id text collate "C" not null,
  engine text collate "C" not null,
  -- The media channel. Each attempt to make it has a name of its own.
  channel_id text collate "C" not null,
  -- True if the party hears what the gateway sends.
  plays boolean not null,
  started_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (ledger_id, connection_id, stream_ref, track)
);
create unique index sip_streams_channel on sip_streams (connection_id, channel_id);
create index sip_streams_leg on sip_streams (connection_id, leg_channel_id) where ended_at is null;
create index sip_streams_open on sip_streams (connection_id, engine, created_at) where ended_at is null;
create index sip_streams_age on sip_streams (created_at);
