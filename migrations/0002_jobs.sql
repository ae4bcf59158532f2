-- Durable work. A job is one thing to do at a time; a lane is a queue of things that must happen in order.
-- run_at is wall time. A claim moves it to the end of the lease and writes the claimer's token, so a claimer
-- that dies gives its work back by doing nothing, and one that wakes too late finds its token gone.

create table jobs (
  ledger_id integer not null,
  id text collate "C" not null,
  queue text not null,
  kind text not null,
  payload json not null,
  run_at timestamptz not null,
  attempts integer not null default 0,
  lease_token text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (ledger_id, id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

create index jobs_due on jobs (queue, run_at);

create table lanes (
  ledger_id integer not null,
  kind text not null,
  -- What shares a bound on concurrency: the endpoint of a delivery lane, the campaign of a dispatch lane.
  group_id text collate "C" not null,
  lane_key text collate "C" not null,
  -- Items not yet done. The lane is deleted by the statement that brings this to zero.
  pending integer not null,
  -- Failures of the item at the head since the last success.
  failures integer not null default 0,
  -- A lane at rest that is held stands at infinity; a claimed one gets there when its claim ends.
  held boolean not null default false,
  run_at timestamptz not null,
  lease_token text,
  primary key (ledger_id, kind, group_id, lane_key)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- Partial, so that it is small while lanes are held, and so that no plan mistakes it for the way to one known lane.
create index lanes_due on lanes (kind, group_id, run_at) where run_at < 'infinity';
