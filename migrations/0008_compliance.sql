-- 10DLC: who a tenant is (brands) and what it sends (campaigns), as registered with the carriers' registry.

create table brands (
  ledger_id integer not null references ledgers (id),
  id text collate "C" not null,
  -- Null for the platform's own brand, which all tenants may use.
  tenant_id text collate "C",
  legal_name text not null,
  dba text,
  -- The nine digits, encrypted; the last four again in the clear, for the masked form that is shown.
  ein bytea not null,
  ein_last4 text not null check (ein_last4 ~ '^[0-9]{4}$'),
  entity_type text not null
    check (entity_type in ('private_company', 'public_company', 'non_profit', 'sole_proprietor')),
  website text,
  contact_email text not null,
  phone text not null,
  street text not null,
  city text not null,
  state text not null,
  postal_code text not null,
  status text not null check (status in ('pending_vetting', 'vetted', 'rejected')),
  rejection_reason text,
  -- The registry's own name for the brand; null until it has taken it.
  carrier_ref text,
  created_at timestamptz not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id)
);

create index brands_tenant on brands (ledger_id, tenant_id, id);

create table campaigns (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  brand_id text collate "C" not null,
  use_case text not null
    check (use_case in ('customer_care', 'appointment_reminders', 'marketing', 'two_factor', 'mixed')),
  description text not null,
  sample_messages text[] not null,
  opt_in_description text not null,
  status text not null check (status in ('draft', 'pending_review', 'approved', 'rejected', 'suspended')),
  rejection_reason text,
  -- Both null until throughput is granted.
  messages_per_minute integer,
  daily_cap integer,
  carrier_ref text,
  created_at timestamptz not null,
  -- When it left the draft: the months that are charged count from here.
  submitted_at timestamptz,
  -- When its tenant was deleted: from then on nothing moves it.
  ended_at timestamptz,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id),
  foreign key (ledger_id, brand_id) references brands (ledger_id, id),
  check ((messages_per_minute is null) = (daily_cap is null)),
  check (status <> 'draft' or submitted_at is null)
);

create index campaigns_tenant on campaigns (ledger_id, tenant_id, id);

alter table phone_numbers add constraint phone_numbers_campaign
  foreign key (ledger_id, campaign_id) references campaigns (ledger_id, id);
create index phone_numbers_campaign on phone_numbers (ledger_id, campaign_id) where campaign_id is not null;

-- The simulated registry's books, and how test mode is set up.

create table simulated_settings (
  ledger_id integer primary key references ledgers (id),
  -- Whether what needs a review is approved at once or waits to be reviewed by hand.
  reviews text not null check (reviews in ('auto', 'manual'))
);

create table simulated_registrations (
  ledger_id integer not null references ledgers (id),
  -- The customer's reference: the brand's or campaign's id.
  ref text collate "C" not null,
  entity_type text not null,
  status text not null check (status in ('pending', 'approved', 'rejected', 'suspended', 'ended')),
  reason text,
  primary key (ledger_id, ref)
);

create table simulated_assignments (
  ledger_id integer not null references ledgers (id),
  phone_number text collate "C" not null,
  campaign_ref text collate "C" not null,
  primary key (ledger_id, phone_number)
);
