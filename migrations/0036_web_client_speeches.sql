-- What is to be spoken to the web clients of live calls, one row for each speech and leg. Spoken ones stay, so that a
-- repeated command does not speak again. Times are wall time.
create table web_client_speeches (
  ledger_id integer not null,
  leg_id text collate "C" not null,
  speech_ref text collate "C" not null,
  call_id text collate "C" not null,
  text text not null,
  -- True for a speech that no other party hears: then its end is reported here.
  is_alone boolean not null,
  asked_at timestamptz not null,
  -- The gateway node that speaks it; null while none does.
  node_id text collate "C",
  -- When it was spoken, or stopped.
  ended_at timestamptz,
  primary key (ledger_id, leg_id, speech_ref),
  foreign key (ledger_id, call_id) references calls (ledger_id, id)
) with (fillfactor = 80);
