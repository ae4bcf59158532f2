-- One row per file of an inbound text that the carrier keeps for a while; it is fetched and stored as a blob.
create table message_media (
  ledger_id integer not null,
  message_id text collate "C" not null,
  -- Counted from 0 within the message.
  position smallint not null,
  -- The carrier's own name of the file.
  carrier_ref text not null,
  -- Null until the file is stored.
  blob_key text,
  content_type text,
  created_at timestamptz not null,
  primary key (ledger_id, message_id, position),
  foreign key (ledger_id, message_id) references messages (ledger_id, id)
);
