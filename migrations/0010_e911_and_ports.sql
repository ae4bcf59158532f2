-- Emergency addresses and numbers that come over from another carrier.

create table e911_addresses (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  street text not null,
  unit text,
  city text not null,
  state text not null,
  postal_code text not null,
  status text not null check (status in ('pending', 'validated', 'rejected')),
  -- The carrier's own name for the address; null until it has validated it.
  carrier_ref text,
  created_at timestamptz not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id)
);

create index e911_addresses_tenant on e911_addresses (ledger_id, tenant_id, id);

alter table phone_numbers add constraint phone_numbers_e911_address
  foreign key (ledger_id, e911_address_id) references e911_addresses (ledger_id, id);
create index phone_numbers_e911_address on phone_numbers (ledger_id, e911_address_id)
  where e911_address_id is not null;

create table port_ins (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  phone_numbers text[] not null,
  status text not null
    check (status in ('draft', 'in_review', 'action_needed', 'foc_confirmed', 'completed', 'cancelled')),
  status_detail text,
  entity_name text not null,
  authorized_person text not null,
  billing_phone_number text not null,
  account_number text not null,
  -- Encrypted, and gone once the port-in has ended.
  pin bytea,
  service_address json not null,
  foc_date timestamptz,
  -- How often it has been submitted: a report about an earlier submission says nothing about this one.
  attempt integer not null default 0,
  submitted_at timestamptz,
  created_at timestamptz not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id)
);

create index port_ins_tenant on port_ins (ledger_id, tenant_id, id);

-- The simulated carrier's books.

create table simulated_e911_addresses (
  ledger_id integer not null references ledgers (id),
  ref text collate "C" not null,
  primary key (ledger_id, ref)
);

create table simulated_e911_numbers (
  ledger_id integer not null references ledgers (id),
  phone_number text collate "C" not null,
  address_ref text collate "C" not null,
  primary key (ledger_id, phone_number)
);

create table simulated_port_ins (
  ledger_id integer not null references ledgers (id),
  ref text collate "C" not null,
  attempt integer not null,
  phone_numbers text[] not null,
  status text not null
    check (status in ('in_review', 'action_needed', 'foc_confirmed', 'completed', 'cancelled')),
  -- When the numbers move over.
  foc_date timestamptz not null,
  primary key (ledger_id, ref)
);
