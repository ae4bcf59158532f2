-- What a routing config was before each replacement, so that the route of an earlier call can be read.
create table routing_config_versions (
  ledger_id integer not null,
  routing_config_id text collate "C" not null,
  -- 1 is the config as it was created.
  number integer not null,
  -- In force from `since` to `until`, in ledger time.
  since timestamptz not null,
  until timestamptz not null,
  name text not null,
  business_hours json,
  open_behavior json not null,
  closed_behavior json not null,
  recording json not null,
  listening_announcement text,
  hold_audio_url text,
  primary key (ledger_id, routing_config_id, number),
  foreign key (ledger_id, routing_config_id) references routing_configs (ledger_id, id) on delete cascade
);
