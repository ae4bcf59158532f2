-- A search by number within one tenant. The orders end as those of the whole ledger do.
create index contact_numbers_tenant on contact_numbers (ledger_id, (tenant_id || '/' || phone_number), tenant_id);
create index conversations_tenant_and_person on conversations
  (ledger_id, (tenant_id || '/' || external_number), phone_number_id);
create index phone_numbers_tenant_digits on phone_numbers (ledger_id, (tenant_id || '/' || phone_number collate "C"))
  where status <> 'released';
