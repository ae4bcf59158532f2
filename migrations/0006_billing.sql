-- Usage and money. Usage is counted where it happens and summed later; balances are charged from the sums.

-- One row per use that no sum contains yet. It is written in the transaction of its cause. A sweep moves it to
-- usage_archive, so this table, and with it the cost of an insert, stays small.
create table usage_entries (
  ledger_id integer not null,
  kind text collate "C" not null,
  -- The cause of the use. A cause is counted at most once per kind.
  reference text collate "C" not null,
  -- Null for use by the account itself.
  tenant_id text collate "C",
  -- In the unit that the kind names: segments, messages, minutes, months or registrations.
  quantity integer not null check (quantity > 0),
  at timestamptz not null,
  primary key (ledger_id, kind, reference)
) with (autovacuum_vacuum_scale_factor = 0.02);

-- One row per use that the sums contain. Read for ranges that begin or end within an hour, and to recognize a repeat by
-- its reference. Columns as in usage_entries.
create table usage_archive (
  ledger_id integer not null,
  kind text collate "C" not null,
  reference text collate "C" not null,
  tenant_id text collate "C",
  quantity integer not null,
  at timestamptz not null,
  primary key (ledger_id, kind, reference)
);

-- Sums of partial hours, and the sweep of old uses.
create index usage_archive_at on usage_archive (ledger_id, at);

-- One row per scope, hour (UTC) and kind: the sum of the uses.
create table usage_hours (
  ledger_id integer not null,
  -- A tenant, or '' for the whole ledger, so that its sum is read as fast as that of one tenant.
  scope text collate "C" not null,
  -- Start of the hour.
  hour timestamptz not null,
  kind text collate "C" not null,
  quantity bigint not null,
  -- Live usage that is not charged yet; above 0 only where scope is ''.
  uncharged bigint not null default 0,
  -- Charges made for this hour so far. The reference of a second or later charge contains its number.
  charges integer not null default 0,
  primary key (ledger_id, scope, hour, kind)
) with (fillfactor = 80);

-- Ledgers and hours with usage to charge.
create index usage_hours_uncharged on usage_hours (ledger_id) where uncharged > 0;

-- One row per ledger whose archive was swept: the moment since which the archive is complete. Earlier usage is known by
-- the hour only.
create table usage_horizons (
  ledger_id integer primary key,
  archived_from timestamptz not null
);

-- One row per live ledger: the sum of its entries, written by the statement that writes them. No row means 0.
create table balances (
  ledger_id integer primary key references ledgers (id),
  -- Micro-dollars.
  amount_micros bigint not null default 0
);

-- One row per credit or charge.
create table balance_entries (
  ledger_id integer not null references balances (ledger_id),
  id text collate "C" not null,
  kind text not null,
  -- Micro-dollars: above 0 for a credit, below 0 for a charge.
  amount_micros bigint not null,
  balance_after_micros bigint not null,
  -- The cause. An entry with a reference that exists already is not made again.
  reference text collate "C" not null,
  description text not null,
  created_at timestamptz not null,
  primary key (ledger_id, id)
);

-- Recognizes a repeated entry.
create unique index balance_entries_reference on balance_entries (ledger_id, reference);
