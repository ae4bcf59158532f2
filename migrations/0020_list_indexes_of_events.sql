-- Indexes for every filter of the lists of events, deliveries, opt-outs, campaigns and port-ins, and for lists that
-- hide rows.

-- Both orders of the list of events are that of their writing. A range of times is turned into one of positions.
create index events_tenant_written on events (ledger_id, tenant_id, written_by);
create index events_type_written on events (ledger_id, type, written_by);
create index events_tenant_type_written on events (ledger_id, (tenant_id || '/' || type), written_by);
create index events_resource_written on events (ledger_id, resource_id, written_by);
create index events_age on events (ledger_id, created_at);
drop index events_tenant;
drop index events_resource;

create index deliveries_status on deliveries (ledger_id, (endpoint_id || '/' || status), id);

create index opt_outs_tenant_age on opt_outs (ledger_id, tenant_id, opted_out_at);

create index campaigns_status on campaigns (ledger_id, status, id);
create index campaigns_tenant_status on campaigns (ledger_id, tenant_id, status, id);
drop index campaigns_tenant;
create index port_ins_status on port_ins (ledger_id, status, id);
create index port_ins_tenant_status on port_ins (ledger_id, tenant_id, status, id);
drop index port_ins_tenant;

-- Lists that leave out what has ended.
create index tenants_present on tenants (ledger_id, id) where deleted_at is null;
create index opt_in_forms_present on opt_in_forms (ledger_id, id) where deleted_at is null;
create index opt_in_forms_tenant_present on opt_in_forms (ledger_id, tenant_id, id) where deleted_at is null;
create index phone_numbers_held on phone_numbers (ledger_id, id) where status <> 'released';
create index phone_numbers_tenant_held on phone_numbers (ledger_id, tenant_id, id) where status <> 'released';
create index api_keys_valid on api_keys (ledger_id, id) where revoked_at is null;
create index api_keys_tenant_valid on api_keys (ledger_id, tenant_id, id) where revoked_at is null;

-- Usage of one tenant within an hour.
create index usage_archive_tenant_at on usage_archive (ledger_id, tenant_id, at);

-- Joined keys, so that no other index begins with the tenant.
drop index calls_tenant_external;
create index calls_tenant_external on calls
  (ledger_id, (tenant_id || '/' || (case direction when 'inbound' then "from" else "to" end)), started_at);
