-- Numbers that are texted when somebody of the tenant dials 911, and where the person of a web client is.
alter table tenants add column emergency_contacts text[] not null default '{}';
alter table web_clients add column e911_address_id text;
create index web_clients_e911_address on web_clients (ledger_id, e911_address_id)
  where e911_address_id is not null and status = 'active';
