create table event_sequences (
  ledger_id integer not null,
  resource_id text collate "C" not null,
  last integer not null,
  primary key (ledger_id, resource_id)
) with (fillfactor = 80);

create table events (
  ledger_id integer not null,
  id text collate "C" not null,
  type text not null,
  event_version text not null,
  tenant_id text collate "C",
  resource_id text collate "C" not null,
  -- Position among the events of the resource, from 1.
  sequence integer not null,
  data json not null,
  created_at timestamptz not null,
  -- The transaction that wrote it. Reading forward stops before the oldest transaction still open, so an event that
  -- commits late is never passed over.
  written_by xid8 not null default pg_current_xact_id(),
  primary key (ledger_id, id)
);

create index events_forward on events (ledger_id, written_by, id);
create index events_resource on events (ledger_id, resource_id, id);
create index events_tenant on events (ledger_id, tenant_id, id);

create table webhook_endpoints (
  ledger_id integer not null references ledgers (id),
  id text collate "C" not null,
  url text not null,
  enabled_events text[],
  description text,
  status text not null default 'active' check (status in ('active', 'disabled')),
  disabled_reason text check (disabled_reason in ('manual', 'failing', 'gone')),
  event_version text not null,
  -- Counts changes of what senders keep in memory: address, status, version and secrets.
  revision integer not null default 1,
  -- Start of the present run of nothing but failures.
  failing_since timestamptz,
  created_at timestamptz not null,
  deleted_at timestamptz,
  primary key (ledger_id, id)
);

create table webhook_secrets (
  ledger_id integer not null,
  endpoint_id text collate "C" not null,
  id text collate "C" not null,
  secret bytea not null,
  -- Null for the newest one; an older one signs beside it until then.
  expires_at timestamptz,
  primary key (ledger_id, endpoint_id, id),
  foreign key (ledger_id, endpoint_id) references webhook_endpoints (ledger_id, id)
);

-- No foreign key to the endpoint: its check would lock the endpoint's row in every transaction that emits. Half of a
-- page is left free because a row nearly doubles with its first attempt.
create table deliveries (
  ledger_id integer not null,
  endpoint_id text collate "C" not null,
  id text collate "C" not null,
  event_id text collate "C" not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed', 'given_up')),
  attempts json not null default '[]',
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  primary key (ledger_id, endpoint_id, id)
) with (fillfactor = 50);

create index deliveries_event on deliveries (ledger_id, event_id);

-- The deliveries that are pending or failed, in the order in which they go out. Apart from the others, so that the way
-- to the head of a lane is short and that recording an attempt changes no index of `deliveries`.
create table waiting_deliveries (
  ledger_id integer not null,
  endpoint_id text collate "C" not null,
  resource_id text collate "C" not null,
  sequence integer not null,
  delivery_id text collate "C" not null,
  event_id text collate "C" not null,
  -- Attempts of the present round; a retry by hand starts a new one.
  attempt_count integer not null default 0,
  primary key (ledger_id, endpoint_id, resource_id, sequence, delivery_id)
) with (autovacuum_vacuum_scale_factor = 0.02);
