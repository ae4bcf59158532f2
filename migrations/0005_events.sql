-- Events, and their delivery to webhook endpoints.

-- One row per resource that has had an event: the source of its event numbers.
create table event_sequences (
  ledger_id integer not null,
  resource_id text collate "C" not null,
  -- The sequence of the resource's latest event.
  last integer not null,
  primary key (ledger_id, resource_id)
) with (fillfactor = 80);

-- One row per event, written in the transaction of the change that it reports.
create table events (
  ledger_id integer not null,
  id text collate "C" not null,
  -- Null for an event of the account itself.
  tenant_id text collate "C",
  type text not null,
  event_version text not null,
  resource_id text collate "C" not null,
  -- Position among the events of the resource, from 1.
  sequence integer not null,
  data json not null,
  created_at timestamptz not null,
  -- The transaction that wrote the event. Reading forward stops before the oldest transaction that is still open, so an
  -- event that commits late is never skipped.
  written_by xid8 not null default pg_current_xact_id(),
  primary key (ledger_id, id)
);

-- Reading forward, and the sweep of old events: a ledger's events in the order of writing.
create index events_forward on events (ledger_id, written_by, id);
-- Lists of one resource, newest first.
create index events_resource on events (ledger_id, resource_id, id);
create index events_tenant on events (ledger_id, tenant_id, id);

-- One row per webhook endpoint, deleted ones included.
create table webhook_endpoints (
  ledger_id integer not null references ledgers (id),
  id text collate "C" not null,
  url text not null,
  -- Event types to deliver; null for all.
  enabled_events text[],
  description text,
  status text not null default 'active' check (status in ('active', 'disabled')),
  disabled_reason text check (disabled_reason in ('manual', 'failing', 'gone')),
  event_version text not null,
  -- Increases with every change of what senders cache: address, status, version and secrets.
  revision integer not null default 1,
  -- Start of the current series of failures; null after a success.
  failing_since timestamptz,
  created_at timestamptz not null,
  deleted_at timestamptz,
  primary key (ledger_id, id)
);

-- One row per signing secret of an endpoint.
create table webhook_secrets (
  ledger_id integer not null,
  endpoint_id text collate "C" not null,
  id text collate "C" not null,
  -- Encrypted.
  secret bytea not null,
  -- Null for the newest secret. An older secret signs as well until this time.
  expires_at timestamptz,
  primary key (ledger_id, endpoint_id, id),
  foreign key (ledger_id, endpoint_id) references webhook_endpoints (ledger_id, id)
);

-- One row per delivery of an event to an endpoint, with its attempts. Resending an event makes a new delivery.
-- No foreign key to the endpoint: its check would lock the endpoint's row in every transaction that emits an event.
-- fillfactor 50, because a row nearly doubles in size with its first attempt.
create table deliveries (
  ledger_id integer not null,
  endpoint_id text collate "C" not null,
  id text collate "C" not null,
  event_id text collate "C" not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed', 'given_up')),
  -- Array of attempts, oldest first.
  attempts json not null default '[]',
  next_attempt_at timestamptz,
  primary key (ledger_id, endpoint_id, id)
) with (fillfactor = 50);

-- Deliveries of one event: filter of the list, and the sweep of old events.
create index deliveries_event on deliveries (ledger_id, event_id);

-- One row per delivery that is pending or failed: the items of the delivery lanes, in the order in which they are sent.
-- Apart from deliveries, so that the first item of a lane is found quickly and that recording an attempt changes no
-- index of deliveries.
create table waiting_deliveries (
  ledger_id integer not null,
  endpoint_id text collate "C" not null,
  -- The lane_key: events of one resource are delivered in order.
  resource_id text collate "C" not null,
  sequence integer not null,
  delivery_id text collate "C" not null,
  event_id text collate "C" not null,
  -- Attempts of the current round. A retry by request starts a new round.
  attempt_count integer not null default 0,
  primary key (ledger_id, endpoint_id, resource_id, sequence, delivery_id)
) with (autovacuum_vacuum_scale_factor = 0.02);
