-- Files with all that a tenant has about a person.
create table person_exports (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  -- Whom it concerns. The row is deleted by an erasure of the person.
  external_number text collate "C" not null,
  status text not null check (status in ('pending', 'completed', 'failed')),
  -- The ZIP file; null until it is completed, and after its time.
  blob_key text,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id)
);

create index person_exports_tenant on person_exports (ledger_id, tenant_id, id);
create index person_exports_person on person_exports (ledger_id, (tenant_id || '/' || external_number), id);
-- The sweep.
create index person_exports_age on person_exports (ledger_id, created_at) where blob_key is not null;
