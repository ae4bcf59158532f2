-- One row per tenant: a customer of the account. A deleted tenant keeps its row, because its history stays readable.
create table tenants (
  ledger_id integer not null references ledgers (id),
  id text collate "C" not null,
  name text not null,
  -- The account's own id of the tenant.
  external_ref text,
  -- IANA name; business hours are evaluated in it.
  timezone text not null,
  metadata json not null default '{}',
  created_at timestamptz not null,
  deleted_at timestamptz,
  primary key (ledger_id, id)
);

-- Keeps external_ref unique among tenants that are not deleted, and finds a tenant by it.
create unique index tenants_external_ref on tenants (ledger_id, external_ref)
  where external_ref is not null and deleted_at is null;
