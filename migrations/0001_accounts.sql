-- Accounts, their ledgers and their API keys.
--
-- Conventions of all migrations:
-- - Tables of the domain begin their primary key, foreign keys and indexes with ledger_id, so a row cannot refer to a
--   row of another ledger. Tables that do not are directories of the whole installation.
-- - Ids contain the time at which they were made. They are `collate "C"` (compared by bytes), so descending ids are
--   newest first. Phone numbers (E.164), slugs and other codes are `collate "C"` as well.
-- - Times are ledger time, ledger_now(ledger_id), unless a comment says wall time.
-- - Columns that end in carrier_ref hold the id that the carrier (or its registry) has given; null until it has
--   accepted the row.
-- - An index named TABLE_tenant on (ledger_id, tenant_id, id) serves lists of one tenant, newest first. Lists of the
--   whole ledger use the primary key.
-- - fillfactor leaves room on the page for new versions of a row. autovacuum_vacuum_scale_factor is below its default
--   (0.2) where rows are updated often or deleted soon after they are inserted.

-- The installation itself: at most one row.
create table installation (
  single boolean primary key default true check (single),
  -- A known text, encrypted by the first process that used this database. A process whose DIALPLANE_SECRET does not
  -- decrypt it refuses to start.
  sealed bytea not null
);

-- One row per account: a platform that uses this installation.
-- Accounts, ledgers and keys are directories: small, found by key hash, the same on every shard.
create table accounts (
  id text collate "C" primary key,
  name text not null,
  status text not null default 'active' check (status in ('active', 'suspended')),
  -- Wall time.
  created_at timestamptz not null default now()
);

-- One row per account and mode: the data of an account in test mode or in live mode.
create table ledgers (
  id integer generated always as identity primary key,
  account_id text collate "C" not null references accounts (id),
  mode text not null check (mode in ('test', 'live')),
  -- How far the ledger's clock is ahead of the wall clock; only a test ledger's clock can be moved.
  clock_offset interval not null default '0',
  unique (account_id, mode),
  check (mode = 'test' or clock_offset = '0')
);

-- Returns the ledger's present moment, which created_at, timers, hours, retries and windows of the domain use.
create function ledger_now(ledger integer) returns timestamptz
  language sql stable parallel safe
  as 'select clock_timestamp() + clock_offset from ledgers where id = ledger';

-- One row per API key, ended keys included. All times are wall time.
create table api_keys (
  ledger_id integer not null references ledgers (id),
  id text collate "C" not null,
  -- The only tenant that the key may use; null for all tenants of the account.
  tenant_id text collate "C",
  name text not null,
  -- SHA-256 of the whole key. The key is long and random, so a slow hash would add nothing.
  key_hash bytea not null,
  -- The last four characters of the key, shown in lists.
  last4 text not null,
  created_at timestamptz not null default now(),
  -- Written at most once a minute.
  last_used_at timestamptz,
  -- Null for a key that does not expire.
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (ledger_id, id)
);

-- Authentication: the key of a request by its hash.
create unique index api_keys_hash on api_keys (key_hash);
