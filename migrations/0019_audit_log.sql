-- The audit log; trace contexts of events; the bound on webhook endpoints.

-- One row per change that a key or an operator made to keys, tenants, numbers, webhook endpoints or the account. It is
-- written in the transaction of the change. It has no secrets. It outlives a reset of its ledger. Times are wall time.
create table audit_log (
  ledger_id integer not null references ledgers (id),
  id text collate "C" not null,
  at timestamptz not null default clock_timestamp(),
  actor_type text not null check (actor_type in ('key', 'operator', 'console')),
  -- The id of a key, or the operator's command.
  actor_id text not null,
  action text not null,
  resource_id text collate "C" not null,
  details json not null,
  primary key (ledger_id, id)
);

-- The sweep of old rows, over all ledgers.
create index audit_log_at on audit_log (at);

-- The endpoints that exist: their list, their number, and the endpoints that an event goes to.
create index webhook_endpoints_existing on webhook_endpoints (ledger_id, id) where deleted_at is null;

-- The trace context (W3C traceparent) of the request that caused the event; null if that request had none.
alter table events add column traceparent text;

-- The trace context of the latest request for the resource. Events that follow later carry it.
alter table event_sequences add column traceparent text;
