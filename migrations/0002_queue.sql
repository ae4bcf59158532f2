-- Durable work. A job is one thing to do once. A lane is a serial queue, one per resource or per call.
--
-- run_at is wall time in both tables. A claim moves run_at to the end of the lease and writes the claimer's token. If
-- the claimer dies, the work falls due again when the lease ends; if it continues too late, it finds another token.

-- One row per job that is not finished.
create table jobs (
  ledger_id integer not null,
  -- A new id, or a name derived from the cause, so that enqueuing the same job twice stores it once.
  id text collate "C" not null,
  queue text not null,
  -- Selects the handler.
  kind text not null,
  payload json not null,
  run_at timestamptz not null,
  -- Claims since the job was stored or last rescheduled.
  attempts integer not null default 0,
  -- Null while the job is not claimed.
  lease_token text,
  primary key (ledger_id, id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

-- Claims, queue depth and the next due time: the jobs of a queue by due time.
create index jobs_due on jobs (queue, run_at);

-- One row per lane that has items. The items are rows of other tables, such as waiting_deliveries and call_commands.
create table lanes (
  ledger_id integer not null,
  -- Selects the handler.
  kind text not null,
  -- Lanes of one group share a limit on concurrency: the endpoint of a delivery lane, the campaign of a dispatch lane.
  group_id text collate "C" not null,
  -- The resource or call whose items are worked on in order.
  lane_key text collate "C" not null,
  -- Items not yet done. The statement that brings it to zero deletes the lane. Kinds that do not count items have 1.
  pending integer not null,
  -- Failures of the first item since the last success.
  failures integer not null default 0,
  -- A paused lane has run_at 'infinity'. If it is claimed, it gets it when the claim ends.
  paused boolean not null default false,
  run_at timestamptz not null,
  -- Null while the lane is not claimed.
  lease_token text,
  primary key (ledger_id, kind, group_id, lane_key)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- Claims: the due lanes of a group by due time, with lanes whose last attempt failed apart from the others, because the
-- two have separate limits on concurrency. Partial, so the index is small while lanes are paused, and no plan uses it
-- to find one known lane.
create index lanes_due_by_failure on lanes (kind, group_id, (failures > 0), run_at) where run_at < 'infinity';
