-- Connections to carriers move with the account that has them for itself.
alter table carrier_connections
  -- Of a connection that is disabled while its account moves: the status that it has afterwards.
  add column status_after_move text check (status_after_move in ('active', 'draining', 'disabled'));
