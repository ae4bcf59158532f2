-- Hosted opt-in forms, and the consent given on them.

create table opt_in_forms (
  ledger_id integer not null references ledgers (id),
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  campaign_id text collate "C",
  name text not null,
  slug text collate "C" not null,
  -- A form never changes: what people agreed to is what stands here, also when it has been deleted.
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

-- Which form a public address leads to. A directory that spans ledgers: a visitor brings nothing but the address.
-- Rows of deleted forms stay, so that an address that was printed never leads to somebody else's form.
create table opt_in_slugs (
  slug text collate "C" primary key,
  ledger_id integer not null references ledgers (id),
  form_id text collate "C" not null
);

create index opt_in_slugs_ledger on opt_in_slugs (ledger_id);

-- One row for each form and number: the first submission as it was, and beside it the latest one.
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

create unique index opt_in_submissions_number on opt_in_submissions (ledger_id, form_id, phone_number);
create index opt_in_submissions_form on opt_in_submissions (ledger_id, form_id, id);
