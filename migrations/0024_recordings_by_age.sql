-- Recordings are listed by when their audio was kept: their ids are older, from when the call began.
create index recordings_age on recordings (ledger_id, created_at, id);
create index recordings_tenant_age on recordings (ledger_id, tenant_id, created_at, id);
drop index recordings_tenant;
