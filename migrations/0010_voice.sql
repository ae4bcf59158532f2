-- Calls, and what they produce: recordings, voicemails and transcripts.

-- One row per call. The state column holds the state of the call's machine. The other columns are what the API shows;
-- the same statement writes both.
create table calls (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  phone_number_id text collate "C" not null,
  -- Null for a caller who hides the number.
  conversation_id text collate "C",
  direction text not null check (direction in ('inbound', 'outbound')),
  -- E.164; of an inbound call also a short code or 'anonymous'.
  "from" text collate "C" not null,
  "to" text collate "C" not null,
  -- The agent of a click-to-call.
  connect_to text collate "C",
  -- Whether the conversation is to be recorded.
  record boolean not null,
  status text not null check (status in ('dialing', 'ringing', 'in_progress', 'completed', 'failed', 'missed')),
  -- Null until the call has ended.
  outcome text
    check (outcome in ('answered', 'voicemail', 'missed', 'no_answer', 'busy', 'canceled', 'failed')),
  -- E.164 of the party that answered, 'web_client:' and an id, or 'voicemail'; null until then.
  answered_by text collate "C",
  -- Connected time; null until the call has ended.
  duration_seconds integer,
  recording_id text collate "C",
  voicemail_id text collate "C",
  summary text,
  started_at timestamptz not null,
  ended_at timestamptz,
  state jsonb not null,
  -- Commands for the carrier and entries of the log so far: the latest positions in call_commands and call_events.
  commands integer not null,
  log_entries integer not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id),
  foreign key (ledger_id, phone_number_id) references phone_numbers (ledger_id, id),
  foreign key (ledger_id, conversation_id) references conversations (ledger_id, id)
) with (fillfactor = 60);

create index calls_tenant on calls (ledger_id, tenant_id, id);
-- Lists of one number, newest first.
create index calls_number on calls (ledger_id, phone_number_id, id);
-- Lists of one conversation, newest first.
create index calls_conversation on calls (ledger_id, conversation_id, id) where conversation_id is not null;

-- One row per entry of a call's log.
create table call_events (
  ledger_id integer not null,
  call_id text collate "C" not null,
  -- From 1.
  position integer not null,
  type text not null,
  at timestamptz not null,
  detail json not null,
  primary key (ledger_id, call_id, position),
  foreign key (ledger_id, call_id) references calls (ledger_id, id)
);

-- One row per command that the carrier has not accepted yet: the items of the call's lane. No foreign key, because a
-- call to no number of the ledger is hung up without a row in calls.
create table call_commands (
  ledger_id integer not null,
  call_id text collate "C" not null,
  -- From 1.
  position integer not null,
  command json not null,
  -- True if the carrier may have the command: it is asked before the command is sent again.
  unsure boolean not null default false,
  primary key (ledger_id, call_id, position)
) with (autovacuum_vacuum_scale_factor = 0.02);

-- One row per stored audio: the recording of a call, or the message of a voicemail.
create table recordings (
  ledger_id integer not null,
  -- Made when the call begins, so ids are not in the order of created_at.
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  call_id text collate "C" not null,
  duration_ms integer not null,
  -- Whether both parties heard the announcement to its end.
  consent_announced boolean not null,
  -- Key of the audio in the blob store.
  blob_key text not null,
  -- When the audio was stored.
  created_at timestamptz not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id),
  foreign key (ledger_id, call_id) references calls (ledger_id, id)
);

-- Lists of the whole ledger and of one tenant, latest stored first.
create index recordings_age on recordings (ledger_id, created_at, id);
create index recordings_tenant_age on recordings (ledger_id, tenant_id, created_at, id);
-- Lists of one call.
create index recordings_call on recordings (ledger_id, call_id);

-- One row per voicemail.
create table voicemails (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  call_id text collate "C" not null,
  -- The message.
  recording_id text collate "C" not null,
  "from" text collate "C" not null,
  duration_ms integer not null,
  transcript text,
  created_at timestamptz not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id),
  foreign key (ledger_id, call_id) references calls (ledger_id, id),
  foreign key (ledger_id, recording_id) references recordings (ledger_id, id)
);

create index voicemails_tenant on voicemails (ledger_id, tenant_id, id);
-- The voicemails of a call.
create index voicemails_call on voicemails (ledger_id, call_id);

-- One row per utterance that is not part of the transcript yet, because its text or that of an earlier one is missing.
create table call_utterances (
  ledger_id integer not null,
  call_id text collate "C" not null,
  -- The carrier's id of the utterance.
  ref text collate "C" not null,
  speaker text not null check (speaker in ('agent', 'customer')),
  -- Null until it is transcribed; present from the start where the carrier transcribes. Empty if there will be no text.
  text text,
  ended_at timestamptz not null,
  primary key (ledger_id, call_id, ref),
  foreign key (ledger_id, call_id) references calls (ledger_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02);

-- One row per utterance of a transcript.
create table transcript_segments (
  ledger_id integer not null,
  call_id text collate "C" not null,
  ref text collate "C" not null,
  speaker text not null check (speaker in ('agent', 'customer')),
  text text not null,
  -- End of the utterance.
  occurred_at timestamptz not null,
  primary key (ledger_id, call_id, ref),
  foreign key (ledger_id, call_id) references calls (ledger_id, id)
);

-- The transcript of a call, in order.
create index transcript_segments_order on transcript_segments (ledger_id, call_id, occurred_at, ref);
