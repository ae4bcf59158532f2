-- The attempts to hand a text to its carrier: an array of objects with at, outcome, reason and error_detail, oldest
-- first. Null for a text that the carrier accepted at the first attempt, whose statuses say all.
alter table messages add column submit_attempts jsonb;

-- The next exports of a tenant, of which one runs at a time.
create index person_exports_state on person_exports (ledger_id, (tenant_id || '/' || status), id);
