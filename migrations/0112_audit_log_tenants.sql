-- The tenant of a recorded change, for the audit log of one tenant. Null for a change of the account, and for entries
-- that the previous version writes while both run.
alter table audit_log add column tenant_id text collate "C";

-- What earlier entries say themselves, then what their resources say. Resources that a reset has removed are unknown.
update audit_log a set tenant_id = case when a.action like 'tenant.%' then a.resource_id else a.details ->> 'tenant_id' end
where a.action like 'tenant.%' or a.details ->> 'tenant_id' is not null;
update audit_log a set tenant_id = n.tenant_id from phone_numbers n
where a.tenant_id is null and a.action like 'phone\_number.%' and n.ledger_id = a.ledger_id and n.id = a.resource_id;
update audit_log a set tenant_id = e.tenant_id from webhook_endpoints e
where a.tenant_id is null and a.action like 'webhook\_endpoint.%' and e.ledger_id = a.ledger_id and e.id = a.resource_id;
update audit_log a set tenant_id = k.tenant_id from api_keys k
where a.tenant_id is null and a.action like 'api\_key.%' and k.ledger_id = a.ledger_id and k.id = a.resource_id;

create index audit_log_tenant on audit_log (ledger_id, tenant_id, id);
