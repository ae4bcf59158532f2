-- Calls, and what comes of them. A call's machine keeps its state as it is in `state`; the columns beside it are what
-- callers see of it, written by the same statement.

create table calls (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  phone_number_id text collate "C" not null,
  -- Null for a caller who hides the number.
  conversation_id text collate "C",
  direction text not null check (direction in ('inbound', 'outbound')),
  "from" text collate "C" not null,
  "to" text collate "C" not null,
  connect_to text collate "C",
  record boolean not null,
  status text not null check (status in ('dialing', 'ringing', 'in_progress', 'completed', 'failed', 'missed')),
  outcome text
    check (outcome in ('answered', 'voicemail', 'missed', 'no_answer', 'busy', 'canceled', 'failed')),
  answered_by text collate "C",
  -- Null until the call has ended.
  duration_seconds integer,
  recording_id text collate "C",
  voicemail_id text collate "C",
  summary text,
  started_at timestamptz not null,
  ended_at timestamptz,
  state jsonb not null,
  -- How many commands the carrier was given, and entries the log has: what the next one is named by.
  commands integer not null,
  log_entries integer not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id),
  foreign key (ledger_id, phone_number_id) references phone_numbers (ledger_id, id),
  foreign key (ledger_id, conversation_id) references conversations (ledger_id, id)
) with (fillfactor = 60);

create index calls_tenant on calls (ledger_id, tenant_id, id);
create index calls_number on calls (ledger_id, phone_number_id, id);
create index calls_conversation on calls (ledger_id, conversation_id, id) where conversation_id is not null;

-- What happened in a call, in the order in which it did.
create table call_events (
  ledger_id integer not null,
  call_id text collate "C" not null,
  position integer not null,
  type text not null,
  at timestamptz not null,
  detail json not null,
  primary key (ledger_id, call_id, position),
  foreign key (ledger_id, call_id) references calls (ledger_id, id)
);

-- What the carrier is still to be told, one lane for each call. No foreign key: a call that is nobody's is hung up
-- without having a row.
create table call_commands (
  ledger_id integer not null,
  call_id text collate "C" not null,
  position integer not null,
  command json not null,
  -- The carrier may have it: it is asked before it is told again.
  unsure boolean not null default false,
  primary key (ledger_id, call_id, position)
) with (autovacuum_vacuum_scale_factor = 0.02);

create table recordings (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  call_id text collate "C" not null,
  purpose text not null check (purpose in ('call', 'voicemail')),
  duration_ms integer not null,
  consent_announced boolean not null,
  -- Where the audio lies in the blob store.
  blob_key text not null,
  created_at timestamptz not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id),
  foreign key (ledger_id, call_id) references calls (ledger_id, id)
);

create index recordings_tenant on recordings (ledger_id, tenant_id, id);
create index recordings_call on recordings (ledger_id, call_id);

create table voicemails (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  call_id text collate "C" not null,
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
create index voicemails_call on voicemails (ledger_id, call_id);

-- What somebody said and is still to be written down. `text` is there already where the carrier transcribes.
create table call_utterances (
  ledger_id integer not null,
  call_id text collate "C" not null,
  ref text collate "C" not null,
  speaker text not null check (speaker in ('agent', 'customer')),
  text text,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  primary key (ledger_id, call_id, ref),
  foreign key (ledger_id, call_id) references calls (ledger_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02);

-- What was said, once for each utterance.
create table transcript_segments (
  ledger_id integer not null,
  call_id text collate "C" not null,
  ref text collate "C" not null,
  speaker text not null check (speaker in ('agent', 'customer')),
  text text not null,
  occurred_at timestamptz not null,
  primary key (ledger_id, call_id, ref),
  foreign key (ledger_id, call_id) references calls (ledger_id, id)
);

create index transcript_segments_order on transcript_segments (ledger_id, call_id, occurred_at, ref);
