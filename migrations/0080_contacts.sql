-- People that a tenant knows, by name and number.
create table contacts (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  name text not null,
  company text,
  email text,
  external_ref text collate "C",
  metadata json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id)
);
create index contacts_tenant on contacts (ledger_id, tenant_id, id);
-- Also the filter by reference of the whole ledger.
create unique index contacts_external_ref on contacts (ledger_id, external_ref, tenant_id) where external_ref is not null;

-- One row per number of a contact. A number is one contact's in a tenant.
create table contact_numbers (
  ledger_id integer not null,
  phone_number text collate "C" not null,
  tenant_id text collate "C" not null,
  contact_id text collate "C" not null,
  -- Where the number stands in the contact's list.
  position integer not null,
  primary key (ledger_id, phone_number, tenant_id),
  foreign key (ledger_id, contact_id) references contacts (ledger_id, id) on delete cascade
);
create index contact_numbers_contact on contact_numbers (ledger_id, contact_id, position);

-- One row per word of a contact's name and company, in lower case and without accents: what `q` finds by its start.
create table contact_words (
  ledger_id integer not null,
  contact_id text collate "C" not null,
  word text collate "C" not null,
  tenant_id text collate "C" not null,
  primary key (ledger_id, contact_id, word),
  foreign key (ledger_id, contact_id) references contacts (ledger_id, id) on delete cascade
);
create index contact_words_ledger on contact_words (ledger_id, word, contact_id);
create index contact_words_tenant on contact_words (ledger_id, (tenant_id || '/' || word), contact_id);
