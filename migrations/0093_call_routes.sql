-- Why an inbound call went where it did. Null for outbound calls, and for calls from before. The moment of the decision
-- is the start of the call. The id of the routing config outlasts the config.
alter table calls add column routing_config_id text collate "C";
alter table calls add column route_branch text collate "C";
-- Null while the call is undecided.
alter table calls add column route_reason text collate "C";

-- Lists by reason: of a ledger, of a tenant and of a number.
create index calls_route on calls
  (ledger_id, (route_reason || '/' || status || '/' || coalesce(outcome, '')), started_at) where route_reason is not null;
create index calls_tenant_and_route on calls
  (ledger_id, (tenant_id || '/' || route_reason || '/' || status || '/' || coalesce(outcome, '')), started_at)
  where route_reason is not null;
create index calls_number_and_route on calls
  (ledger_id, (phone_number_id || '/' || route_reason || '/' || status || '/' || coalesce(outcome, '')), started_at)
  where route_reason is not null;
