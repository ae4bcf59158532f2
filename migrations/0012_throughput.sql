-- Pacing: texts wait here until the throughput of their campaign lets them go to the carrier.

create table paced_messages (
  ledger_id integer not null,
  campaign_id text collate "C" not null,
  message_id text collate "C" not null,
  conversation_id text collate "C" not null,
  primary key (ledger_id, campaign_id, message_id)
) with (autovacuum_vacuum_scale_factor = 0.02);

-- How many texts went out up to a moment, in short slots: what a sliding minute is counted from. Old slots are deleted
-- by whoever adds one.
create table campaign_hand_overs (
  ledger_id integer not null,
  campaign_id text collate "C" not null,
  -- The end of the slot, in ledger time.
  at timestamptz not null,
  messages integer not null,
  primary key (ledger_id, campaign_id, at)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- Segments that went out on a day in Pacific time.
create table campaign_days (
  ledger_id integer not null,
  campaign_id text collate "C" not null,
  day date not null,
  segments integer not null,
  primary key (ledger_id, campaign_id, day)
) with (fillfactor = 70);
