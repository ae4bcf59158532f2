-- The simulated carrier's calls: their legs, and everything that was audible and when. The audio of a recording is made
-- from these rows, so it is the same at every request, and a crash cannot lose it.

-- One row per call.
create table simulated_calls (
  ledger_id integer not null references ledgers (id),
  call_ref text collate "C" not null,
  -- What the simulated caller of an inbound call does, as a list of steps; null for the default behaviour.
  script json,
  -- What the caller says to a voicemail, and for how long; null for the default message.
  message_text text,
  message_ms integer,
  -- When the parties were connected to each other.
  bridged_at timestamptz,
  -- The call's media stream. While there is one, the customer stays on the line.
  stream_ref text collate "C",
  primary key (ledger_id, call_ref)
);

-- One row per leg of a call.
create table simulated_legs (
  ledger_id integer not null,
  leg_ref text collate "C" not null,
  call_ref text collate "C" not null,
  party text not null check (party in ('agent', 'customer')),
  -- Phone number or web client.
  address text collate "C" not null,
  -- False for the caller of an inbound call.
  dialled boolean not null,
  state text not null check (state in ('dialing', 'ringing', 'up', 'ended')),
  answered_at timestamptz,
  ended_at timestamptz,
  -- Why the leg ended, for the web client that it reached.
  end_reason text,
  -- Until then the party listens or thinks, and does not hang up.
  busy_until timestamptz,
  -- The party has reached a voicemail that records its message.
  leaves_message boolean not null default false,
  primary key (ledger_id, leg_ref),
  foreign key (ledger_id, call_ref) references simulated_calls (ledger_id, call_ref)
) with (fillfactor = 80);

-- The legs of a call.
create index simulated_legs_call on simulated_legs (ledger_id, call_ref);
-- The legs of a web client that have not ended.
create index simulated_legs_web_client on simulated_legs (ledger_id, address)
  where address like 'wcl\_%' and state <> 'ended';

-- One row per sound of a call.
create table simulated_sounds (
  ledger_id integer not null,
  call_ref text collate "C" not null,
  ref text collate "C" not null,
  -- The leg whose party made it; null for a sound that the carrier plays.
  said_by text collate "C",
  -- The legs to which the carrier plays it.
  played_to text[] collate "C" not null,
  kind text not null check (kind in ('speech', 'digits', 'beep')),
  -- The text of speech, the digits, '' for a beep.
  content text not null,
  starts_at timestamptz not null,
  duration_ms integer not null,
  -- Whether its end was reported: the text of an utterance, or that a speech is over.
  reported boolean not null default false,
  primary key (ledger_id, call_ref, ref),
  foreign key (ledger_id, call_ref) references simulated_calls (ledger_id, call_ref)
);

-- One row per recording.
create table simulated_recordings (
  ledger_id integer not null,
  recording_ref text collate "C" not null,
  call_ref text collate "C" not null,
  -- The legs that are recorded.
  leg_refs text[] collate "C" not null,
  starts_at timestamptz not null,
  ended_at timestamptz,
  primary key (ledger_id, recording_ref),
  foreign key (ledger_id, call_ref) references simulated_calls (ledger_id, call_ref)
);

-- The recordings of a call.
create index simulated_recordings_call on simulated_recordings (ledger_id, call_ref);

-- One row per stretch of live audio that no other table describes: playback of a stream, the voice of a web client. It
-- is stored while the call is recorded.
create table simulated_audio (
  ledger_id integer not null,
  call_ref text collate "C" not null,
  starts_at timestamptz not null,
  -- mu-law, 8 kHz.
  audio bytea not null,
  primary key (ledger_id, call_ref, starts_at),
  foreign key (ledger_id, call_ref) references simulated_calls (ledger_id, call_ref)
);

-- One row per command that was carried out: a repeat of it has no further effect.
create table simulated_voice_commands (
  ledger_id integer not null,
  call_ref text collate "C" not null,
  command_ref text collate "C" not null,
  primary key (ledger_id, call_ref, command_ref)
);
