-- The resource that the reply of a write has, so that the page of a text finds the request that sent it. Null for
-- reads, for refusals, and for requests that the previous version writes while both run.
alter table request_log add column resource_id text collate "C";

create index request_log_resource on request_log (ledger_id, resource_id, logged_at) where resource_id is not null;
