-- Replays: the events of a range are sent again to one endpoint.

-- One row per replay, kept as long as events.
create table webhook_replays (
  ledger_id integer not null,
  endpoint_id text collate "C" not null,
  id text collate "C" not null,
  -- The events from range_start (included) to range_end (excluded), of these types; null for all types.
  range_start timestamptz not null,
  range_end timestamptz not null,
  event_types text[],
  -- True leaves out events that the endpoint has accepted or that wait for it.
  only_missed boolean not null,
  status text not null default 'running' check (status in ('running', 'completed', 'canceled')),
  delivery_count integer not null default 0,
  -- The last event that was read, in the order of writing; null before the first.
  last_event_id text collate "C",
  -- All events of the range are of transactions with lower numbers.
  written_before xid8 not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (ledger_id, endpoint_id, id),
  foreign key (ledger_id, endpoint_id) references webhook_endpoints (ledger_id, id)
);

-- The sweep of old replays.
create index webhook_replays_age on webhook_replays (ledger_id, created_at);
