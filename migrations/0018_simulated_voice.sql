-- The simulated carrier's books of calls: who is on them, and everything that was audible and when. The audio of a
-- recording is made from these rows, so it is the same whenever it is asked for, and no crash can lose it.

create table simulated_calls (
  ledger_id integer not null references ledgers (id),
  call_ref text collate "C" not null,
  -- What the caller of an inbound call was told to do, as a list of steps; null: behaves as callers do.
  script json,
  -- What the caller will say to a voicemail, if it was told.
  message_text text,
  message_ms integer,
  bridged_at timestamptz,
  primary key (ledger_id, call_ref)
);

create table simulated_legs (
  ledger_id integer not null,
  leg_ref text collate "C" not null,
  call_ref text collate "C" not null,
  party text not null check (party in ('agent', 'customer')),
  address text collate "C" not null,
  -- False for who called us.
  dialled boolean not null,
  state text not null check (state in ('dialing', 'ringing', 'up', 'ended')),
  answered_at timestamptz,
  ended_at timestamptz,
  -- Until then the party listens or thinks, and does not hang up by itself.
  busy_until timestamptz,
  transcribed boolean not null default false,
  -- It has joined a voicemail that takes its message.
  leaves_message boolean not null default false,
  primary key (ledger_id, leg_ref),
  foreign key (ledger_id, call_ref) references simulated_calls (ledger_id, call_ref)
) with (fillfactor = 80);

create index simulated_legs_call on simulated_legs (ledger_id, call_ref);

create table simulated_sounds (
  ledger_id integer not null,
  call_ref text collate "C" not null,
  ref text collate "C" not null,
  -- The leg whose party made it; null for what the carrier plays.
  said_by text collate "C",
  -- The legs that the carrier plays it to.
  played_to text[] collate "C" not null,
  kind text not null check (kind in ('speech', 'keys', 'beep')),
  content text not null,
  starts_at timestamptz not null,
  duration_ms integer not null,
  -- Its end (what was said, or that the speech is over) has been reported.
  reported boolean not null default false,
  primary key (ledger_id, call_ref, ref),
  foreign key (ledger_id, call_ref) references simulated_calls (ledger_id, call_ref)
);

create table simulated_recordings (
  ledger_id integer not null,
  recording_ref text collate "C" not null,
  call_ref text collate "C" not null,
  leg_refs text[] collate "C" not null,
  starts_at timestamptz not null,
  ended_at timestamptz,
  primary key (ledger_id, recording_ref),
  foreign key (ledger_id, call_ref) references simulated_calls (ledger_id, call_ref)
);

create index simulated_recordings_call on simulated_recordings (ledger_id, call_ref);

-- Commands that were carried out: a repeat of one has no further effect.
create table simulated_voice_orders (
  ledger_id integer not null,
  call_ref text collate "C" not null,
  command_ref text collate "C" not null,
  primary key (ledger_id, call_ref, command_ref)
);
