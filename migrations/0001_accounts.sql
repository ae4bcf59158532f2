-- Accounts, their two ledgers (test and live) and the keys that open them.
-- These are directory tables: small, read by key hash, the same on every shard.

create table accounts (
  id text collate "C" primary key,
  name text not null,
  status text not null default 'active' check (status in ('active', 'suspended')),
  created_at timestamptz not null default now()
);

create table ledgers (
  id integer generated always as identity primary key,
  account_id text collate "C" not null references accounts (id),
  mode text not null check (mode in ('test', 'live')),
  -- How far the ledger's clock runs ahead of the wall; moved in test mode only.
  clock_offset interval not null default '0',
  unique (account_id, mode),
  check (mode = 'test' or clock_offset = '0')
);

-- The ledger's present moment: created_at, domain timers, hours, retries and windows all read this.
create function ledger_now(ledger integer) returns timestamptz
  language sql stable parallel safe
  as 'select clock_timestamp() + clock_offset from ledgers where id = ledger';

create table api_keys (
  ledger_id integer not null references ledgers (id),
  id text collate "C" not null,
  name text not null,
  tenant_id text collate "C",
  -- SHA-256 of the whole key: it is long and random, so a slow hash would add nothing.
  key_hash bytea not null,
  last4 text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (ledger_id, id)
);

create unique index api_keys_hash on api_keys (key_hash);

-- A known text, sealed by the first process that came here: a process whose DIALPLANE_SECRET does not open it is told
-- so at its start, and not at the first webhook.
create table installation (
  single boolean primary key default true check (single),
  sealed bytea not null
);
