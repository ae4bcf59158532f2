-- The legs of calls at Telnyx: which of its calls is which leg of ours, and how far it is.
create table telnyx_legs (
  ledger_id integer not null,
  connection_id text collate "C" not null references carrier_connections (id),
  leg_ref text collate "C" not null,
  call_ref text collate "C" not null,
  -- customer or agent; null for a leg that was hung up before it was dialled.
  party text,
  -- Telnyx's names of it; null until they are known.
  call_control_id text collate "C",
  call_leg_id text collate "C",
  state text not null,
  -- When we hung it up. One without a call_control_id is hung up as soon as Telnyx names it.
  hung_up_at timestamptz,
  -- True if Telnyx keeps it when the bridge ends, without being told at the bridge.
  parks boolean not null default false,
  -- The leg that it is bridged with, or will be again when it is held no more.
  joined_ref text collate "C",
  is_held boolean not null default false,
  -- The conference of Telnyx in which a held leg is alone.
  conference_id text,
  -- What the state that Telnyx repeats in its reports names besides the leg.
  recording_ref text collate "C",
  stream_ref text collate "C",
  cause text,
  ended_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (ledger_id, connection_id, leg_ref)
);
create unique index telnyx_legs_control on telnyx_legs (connection_id, call_control_id);
create index telnyx_legs_leg on telnyx_legs (connection_id, call_leg_id) where call_leg_id is not null;
create index telnyx_legs_call on telnyx_legs (ledger_id, connection_id, call_ref);
create index telnyx_legs_hung_up on telnyx_legs (hung_up_at)
  where hung_up_at is not null and state <> 'ended' and call_control_id is not null;
create index telnyx_legs_age on telnyx_legs (created_at);

-- Sounds that Telnyx fetches and plays to a leg: a text that is spoken, or hold audio.
create table telnyx_playbacks (
  connection_id text collate "C" not null references carrier_connections (id),
  -- Stands in the address that Telnyx fetches.
  id text collate "C" not null,
  ledger_id integer not null,
  call_ref text collate "C" not null,
  leg_ref text collate "C" not null,
  -- The speech; null for hold audio.
  speech_ref text collate "C",
  -- What is spoken; null for hold audio.
  spoken text,
  -- The hold audio of the number; null for the built-in pattern.
  audio_ref text,
  -- True if it plays over hold audio.
  is_overlay boolean not null default false,
  ended_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (connection_id, id)
);
create index telnyx_playbacks_speech on telnyx_playbacks (ledger_id, connection_id, call_ref, speech_ref)
  where ended_at is null;
create index telnyx_playbacks_age on telnyx_playbacks (created_at);

create table telnyx_recordings (
  ledger_id integer not null,
  connection_id text collate "C" not null references carrier_connections (id),
  recording_ref text collate "C" not null,
  call_ref text collate "C" not null,
  leg_ref text collate "C" not null,
  call_leg_id text collate "C",
  -- Null while it runs or is being prepared; 0 for one without audio.
  duration_ms integer,
  -- When Telnyx began it, by its own clock: by it a recording is found among those of a leg.
  started_at timestamptz,
  -- Where its audio can be fetched for some minutes from linked_at on.
  link text,
  linked_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (ledger_id, connection_id, recording_ref)
);
create index telnyx_recordings_leg on telnyx_recordings (connection_id, call_leg_id) where duration_ms is null;
create index telnyx_recordings_age on telnyx_recordings (created_at);
