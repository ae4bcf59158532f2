-- Calls that seats have lately asked for by a `ref` of their own: one that is asked for again, as the answer was lost with
-- the connection, is the same call. Times are wall times.
create table softphone_places (
  ledger_id integer not null,
  web_client_id text collate "C" not null,
  -- SHA-256: a ref may be of any length.
  ref_hash bytea not null,
  call_id text collate "C" not null,
  leg_id text collate "C" not null,
  placed_at timestamptz not null,
  primary key (ledger_id, web_client_id, ref_hash),
  foreign key (ledger_id, call_id) references calls (ledger_id, id)
);

create index softphone_places_call on softphone_places (ledger_id, call_id);
