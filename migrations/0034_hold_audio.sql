-- The audio that callers on hold hear in place of the built-in pattern: one row for each address that routing configs
-- of the ledger name. It is deleted with the last of them.
create table hold_audio (
  ledger_id integer not null,
  -- The SHA-256 of the address, which may be longer than an entry of an index.
  id text collate "C" not null,
  url text not null,
  status text not null check (status in ('pending', 'ready', 'failed')),
  -- Why it failed, in words for the customer.
  error text,
  -- The audio as mu-law, 8 kHz, one channel.
  blob_key text collate "C",
  created_at timestamptz not null,
  primary key (ledger_id, id),
  check ((status = 'failed') = (error is not null)),
  check ((status = 'ready') = (blob_key is not null))
);

alter table routing_configs
  -- Null: the built-in pattern.
  add column hold_audio_id text collate "C",
  add foreign key (ledger_id, hold_audio_id) references hold_audio (ledger_id, id);

create index routing_configs_hold_audio on routing_configs (ledger_id, hold_audio_id) where hold_audio_id is not null;
