-- The request log: one row for each authenticated request to the API, without bodies and queries. All times are wall
-- time. It outlives a reset of its ledger, and is deleted by age. It refers to no other table, so that a locked ledger
-- does not delay the writer, which writes the requests of all ledgers together.
create table request_log (
  ledger_id integer not null,
  -- The request id of the reply.
  id text collate "C" not null,
  -- When the row was written. Writers take turns, so rows become visible in this order, which is that of the list.
  logged_at timestamptz not null,
  -- When the request arrived.
  created_at timestamptz not null,
  method text collate "C" not null,
  path text not null,
  -- The path with names in place of ids, as in the OpenAPI document; null for a path that does not exist.
  route text collate "C",
  status smallint not null,
  error_code text collate "C",
  duration_ms real not null,
  api_key_id text collate "C" not null,
  tenant_id text collate "C",
  idempotency_key text,
  idempotent_replayed boolean not null,
  primary key (ledger_id, id)
);

create index request_log_logged on request_log (ledger_id, logged_at);

-- Every filter but the tenant is a part of the kind of a request. A ledger has few kinds, however many requests it has.
create index request_log_kind on request_log
  (ledger_id,
   (method || ' ' || coalesce(route, '-') || ' ' || status::text || ' ' || coalesce(error_code, '-')),
   logged_at);

create index request_log_tenant_kind on request_log
  (ledger_id,
   (tenant_id || '/' || (method || ' ' || coalesce(route, '-') || ' ' || status::text || ' ' || coalesce(error_code, '-'))),
   logged_at)
  where tenant_id is not null;
