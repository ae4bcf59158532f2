create table tenants (
  ledger_id integer not null references ledgers (id),
  id text collate "C" not null,
  name text not null,
  external_ref text,
  timezone text not null,
  metadata json not null default '{}',
  created_at timestamptz not null,
  deleted_at timestamptz,
  primary key (ledger_id, id)
);

create unique index tenants_external_ref on tenants (ledger_id, external_ref)
  where external_ref is not null and deleted_at is null;

-- The first answer to each Idempotency-Key. `response` is encrypted: it may hold a secret shown once.
create table idempotency_keys (
  ledger_id integer not null references ledgers (id),
  -- The key's tenant restriction, '' for account-wide keys.
  scope text collate "C" not null,
  key text collate "C" not null,
  fingerprint bytea not null,
  status smallint,
  response bytea,
  -- For answers that can be rebuilt from an unchanging part of a resource.
  resource_id text collate "C",
  created_at timestamptz not null,
  primary key (ledger_id, scope, key)
);

create index idempotency_keys_age on idempotency_keys (created_at);
