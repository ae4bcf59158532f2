-- Usage is counted where it happens and added up apart from that; money is charged from the sums.

-- Facts that no sum holds yet. Written in the transaction of what caused them and moved on by a sweep, so that the
-- table, and with it the cost of a write, stays small.
create table usage_entries (
  ledger_id integer not null,
  kind text collate "C" not null,
  -- What caused it: the same thing is never counted twice in a kind.
  reference text collate "C" not null,
  -- Null for what the account itself uses.
  tenant_id text collate "C",
  quantity integer not null check (quantity > 0),
  at timestamptz not null,
  primary key (ledger_id, kind, reference)
) with (autovacuum_vacuum_scale_factor = 0.02);

-- Facts that the sums hold: for ranges that begin or end within an hour, and to know a repeat by its reference.
create table usage_archive (
  ledger_id integer not null,
  kind text collate "C" not null,
  reference text collate "C" not null,
  tenant_id text collate "C",
  quantity integer not null,
  at timestamptz not null,
  primary key (ledger_id, kind, reference)
);

create index usage_archive_at on usage_archive (ledger_id, at);

-- Sums by the hour (UTC). `scope` is a tenant, or '' for the whole ledger, which so is read as fast as one tenant.
create table usage_hours (
  ledger_id integer not null,
  scope text collate "C" not null,
  hour timestamptz not null,
  kind text collate "C" not null,
  quantity bigint not null,
  -- Live traffic that has not been charged yet; only where scope is ''.
  uncharged bigint not null default 0,
  -- Entries in the balance that this hour has led to.
  charges integer not null default 0,
  primary key (ledger_id, scope, hour, kind)
) with (fillfactor = 80);

create index usage_hours_uncharged on usage_hours (ledger_id) where uncharged > 0;

-- From when on the archive is complete: what happened before is known by the hour only.
create table usage_horizons (
  ledger_id integer primary key,
  archived_from timestamptz not null
);

-- Micro-dollars. A balance is the sum of its entries: one statement writes both.
create table balances (
  ledger_id integer primary key references ledgers (id),
  amount_micros bigint not null default 0
);

create table balance_entries (
  ledger_id integer not null references balances (ledger_id),
  id text collate "C" not null,
  kind text not null,
  amount_micros bigint not null,
  balance_after_micros bigint not null,
  reference text collate "C" not null,
  description text not null,
  created_at timestamptz not null,
  primary key (ledger_id, id)
);

create unique index balance_entries_reference on balance_entries (ledger_id, reference);
