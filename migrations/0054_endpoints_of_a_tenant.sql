-- A webhook endpoint may be limited to the events of one tenant.

-- Null for an endpoint that gets the events of all tenants and of the account.
alter table webhook_endpoints add column tenant_id text collate "C";
alter table webhook_endpoints add foreign key (ledger_id, tenant_id) references tenants (ledger_id, id);

-- Delivery: the endpoints of an event's tenant, and those without a limit.
create index webhook_endpoints_of_tenant on webhook_endpoints (ledger_id, (coalesce(tenant_id, ''))) where deleted_at is null;
