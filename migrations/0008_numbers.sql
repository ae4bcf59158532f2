-- Phone numbers, what they refer to (emergency addresses, routing configs), and numbers ported in.

-- One row per emergency address (E911).
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
  carrier_ref text,
  created_at timestamptz not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id)
);

create index e911_addresses_tenant on e911_addresses (ledger_id, tenant_id, id);

-- One row per routing config: what answers the calls to a number, and when.
create table routing_configs (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  name text not null,
  -- Null: open at all hours.
  business_hours json,
  open_behavior json not null,
  closed_behavior json not null,
  recording json not null,
  created_at timestamptz not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id)
);

create index routing_configs_tenant on routing_configs (ledger_id, tenant_id, id);

-- One row per number that a tenant has, orders or has released.
create table phone_numbers (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  phone_number text collate "C" not null,
  -- pending: ordered, and the carrier has not confirmed it.
  status text not null check (status in ('pending', 'active', 'suspended', 'released')),
  -- Of 'sms', 'mms' and 'voice'; empty while pending.
  capabilities text[] not null,
  -- The three references are null once the number is released.
  routing_config_id text collate "C",
  campaign_id text collate "C",
  e911_address_id text collate "C",
  carrier_ref text,
  created_at timestamptz not null,
  primary key (ledger_id, id),
  -- Named, because src/db/error-codes.ts maps each violation to an API error.
  constraint phone_numbers_tenant foreign key (ledger_id, tenant_id) references tenants (ledger_id, id),
  constraint phone_numbers_routing_config
    foreign key (ledger_id, routing_config_id) references routing_configs (ledger_id, id),
  constraint phone_numbers_campaign foreign key (ledger_id, campaign_id) references campaigns (ledger_id, id),
  constraint phone_numbers_e911_address
    foreign key (ledger_id, e911_address_id) references e911_addresses (ledger_id, id)
);

-- Finds a number by its digits. Unique until the number is released; a violation is the error number_unavailable.
create unique index phone_numbers_owned on phone_numbers (ledger_id, phone_number) where status <> 'released';
create index phone_numbers_tenant on phone_numbers (ledger_id, tenant_id, id);
-- Deleting a routing config: whether a number refers to it.
create index phone_numbers_routing_config on phone_numbers (ledger_id, routing_config_id)
  where routing_config_id is not null;
-- The numbers of a campaign.
create index phone_numbers_campaign on phone_numbers (ledger_id, campaign_id) where campaign_id is not null;
-- Deleting an emergency address: whether a number refers to it.
create index phone_numbers_e911_address on phone_numbers (ledger_id, e911_address_id)
  where e911_address_id is not null;

-- One row per number that a live ledger has or orders: the only table that decides across ledgers. It is written before
-- the order is sent, so only one account ever orders a number.
create table live_numbers (
  phone_number text collate "C" primary key,
  ledger_id integer not null references ledgers (id),
  number_id text collate "C" not null
);

-- One row per port-in: numbers that move here from another carrier.
create table port_ins (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  phone_numbers text[] not null,
  status text not null
    check (status in ('draft', 'in_review', 'action_needed', 'foc_confirmed', 'completed', 'cancelled')),
  -- What the carrier asks for, in words.
  status_detail text,
  -- Account holder, as the losing carrier has it.
  entity_name text not null,
  authorized_person text not null,
  billing_phone_number text not null,
  account_number text not null,
  -- Encrypted; deleted when the port-in ends.
  pin bytea,
  service_address json not null,
  -- Firm order commitment: when the numbers move.
  foc_date timestamptz,
  -- Number of submissions. A report about an earlier submission is ignored.
  attempt integer not null default 0,
  submitted_at timestamptz,
  created_at timestamptz not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id)
);

create index port_ins_tenant on port_ins (ledger_id, tenant_id, id);
-- Port-ins of any ledger that have asked a carrier for a number, because a number moves at most once.
create index port_ins_coming on port_ins using gin (phone_numbers)
  where status in ('in_review', 'action_needed', 'foc_confirmed');

-- One row per destination prefix that is refused, because calls to it cost the caller a premium. Operators edit the
-- list.
create table high_cost_prefixes (
  -- Digits, country code first.
  prefix text collate "C" primary key check (prefix ~ '^[0-9]{2,15}$')
);

insert into high_cost_prefixes (prefix) values ('1605455');

-- One row per destination prefix that live messages and calls may use besides the United States and Canada. Operators
-- edit the list. A prefix in high_cost_prefixes stays refused.
create table allowed_prefixes (
  -- Digits, country code first.
  prefix text collate "C" primary key check (prefix ~ '^[1-9][0-9]{0,14}$')
);
