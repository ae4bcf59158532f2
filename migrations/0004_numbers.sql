create table phone_numbers (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  phone_number text collate "C" not null,
  status text not null check (status in ('pending', 'active', 'suspended', 'released')),
  capabilities text[] not null,
  routing_config_id text collate "C",
  campaign_id text collate "C",
  e911_address_id text collate "C",
  -- The carrier's own name for the number or its order; null until an order is accepted.
  carrier_ref text,
  created_at timestamptz not null,
  released_at timestamptz,
  primary key (ledger_id, id),
  constraint phone_numbers_tenant foreign key (ledger_id, tenant_id) references tenants (ledger_id, id)
);

create unique index phone_numbers_owned on phone_numbers (ledger_id, phone_number) where status <> 'released';
create index phone_numbers_tenant on phone_numbers (ledger_id, tenant_id, id);

-- The one table that spans ledgers: which live ledger owns an E.164 number on the real network. Claimed before the
-- order goes out, so that of two accounts only one ever orders a number.
create table live_numbers (
  phone_number text collate "C" primary key,
  ledger_id integer not null references ledgers (id),
  number_id text collate "C" not null
);
