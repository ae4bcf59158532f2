-- One row per number that another carrier has asked for: how far the newest request is.
create table number_port_outs (
  ledger_id integer not null,
  number_id text collate "C" not null,
  -- The carrier's id of the request; null if the carrier named none.
  carrier_ref text collate "C",
  status text not null check (status in ('pending', 'ported', 'rejected')),
  -- Where the number moves to; null if that is not known.
  carrier_name text,
  -- When the report of it happened.
  reported_at timestamptz not null,
  primary key (ledger_id, number_id),
  foreign key (ledger_id, number_id) references phone_numbers (ledger_id, id)
);
