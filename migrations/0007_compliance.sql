-- 10DLC registration (brands and campaigns) and consent (opt-in forms).

-- One row per brand: the company that sends, as registered with the carriers' registry.
create table brands (
  ledger_id integer not null references ledgers (id),
  id text collate "C" not null,
  -- Null for the platform's own brand, which all tenants may use.
  tenant_id text collate "C",
  legal_name text not null,
  dba text,
  -- The nine digits, encrypted. The last four are stored in the clear for the masked form that is shown.
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
  carrier_ref text,
  created_at timestamptz not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id)
);

create index brands_tenant on brands (ledger_id, tenant_id, id);

-- One row per campaign: what a brand sends, as registered with the carriers' registry.
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
  -- The throughput; both null until it is granted. messages_per_minute counts messages in any 60 s.
  messages_per_minute integer,
  -- Segments per day in Pacific time.
  daily_cap integer,
  carrier_ref text,
  created_at timestamptz not null,
  -- When the campaign left the draft. The months that are charged count from here.
  submitted_at timestamptz,
  -- When the tenant was deleted. The status does not change after that.
  ended_at timestamptz,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id),
  foreign key (ledger_id, brand_id) references brands (ledger_id, id),
  check ((messages_per_minute is null) = (daily_cap is null)),
  check (status <> 'draft' or submitted_at is null)
);

create index campaigns_tenant on campaigns (ledger_id, tenant_id, id);

-- One row per hosted opt-in form. A form never changes, because its text is what visitors agreed to; a deleted form
-- keeps its row for the same reason.
create table opt_in_forms (
  ledger_id integer not null references ledgers (id),
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  campaign_id text collate "C",
  name text not null,
  -- The last part of the form's public address.
  slug text collate "C" not null,
  consent_text text not null,
  terms_url text,
  privacy_url text,
  logo_url text,
  color text not null check (color ~ '^#[0-9a-f]{6}$'),
  created_at timestamptz not null,
  deleted_at timestamptz,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id),
  foreign key (ledger_id, campaign_id) references campaigns (ledger_id, id)
);

create index opt_in_forms_tenant on opt_in_forms (ledger_id, tenant_id, id);

-- One row per slug: the form that a public address leads to. A directory that spans ledgers, because a visitor's
-- request contains the address and nothing else. Rows of deleted forms stay, so a printed address never leads to
-- another form.
create table opt_in_slugs (
  slug text collate "C" primary key,
  ledger_id integer not null references ledgers (id),
  form_id text collate "C" not null
);

-- Emptying a ledger.
create index opt_in_slugs_ledger on opt_in_slugs (ledger_id);

-- One row per form and phone number: the first submission unchanged, and the latest one in the last_ columns.
create table opt_in_submissions (
  ledger_id integer not null,
  id text collate "C" not null,
  form_id text collate "C" not null,
  tenant_id text collate "C" not null,
  phone_number text collate "C" not null,
  consent_text text not null,
  ip_address text not null,
  user_agent text,
  created_at timestamptz not null,
  times_submitted integer not null default 1,
  last_ip_address text not null,
  last_user_agent text,
  last_submitted_at timestamptz not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, form_id) references opt_in_forms (ledger_id, id)
);

-- One row per form and number, and the list's filter by number.
create unique index opt_in_submissions_number on opt_in_submissions (ledger_id, form_id, phone_number);
-- Lists of one form, newest first.
create index opt_in_submissions_form on opt_in_submissions (ledger_id, form_id, id);
