-- What was asked of carriers.

-- One row per request that a carrier carries out: written before it is sent, settled by the carrier's answer. A row
-- without an outcome is a request that may have been carried out.
create table carrier_requests (
  id text collate "C" primary key,
  connection_id text collate "C" not null references carrier_connections (id),
  -- The ledger whose thing it is about.
  ledger_id integer not null,
  -- What was asked, such as send, and our own id of the thing: together a request happens once.
  operation text not null,
  ref text collate "C" not null,
  -- accepted, rejected or absent (the carrier certainly does not have it); null until that is known.
  outcome text check (outcome in ('accepted', 'rejected', 'absent')),
  -- What the adapter keeps of the answer, such as the carrier's id.
  answer json,
  -- Attempts to send it, all with the same name.
  attempts integer not null default 1,
  -- True if a person settled it.
  by_hand boolean not null default false,
  -- Wall time, of the last attempt and of the outcome.
  sent_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  unique (connection_id, operation, ref)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- What only a person can decide, oldest first.
create index carrier_requests_open on carrier_requests (sent_at) where outcome is null;
-- The sweep.
create index carrier_requests_settled on carrier_requests (settled_at) where settled_at is not null;
