-- Commands of one call are retried each by itself: commands to other legs go out meanwhile.
alter table call_commands
  -- Dispatches that the carrier did not take.
  add column failures integer not null default 0,
  -- Ledger time of the next dispatch after a failure; null before the first.
  add column retry_at timestamptz;
