create table conversations (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  phone_number_id text collate "C" not null,
  external_number text collate "C" not null,
  last_activity_at timestamptz not null,
  last_message_preview text not null,
  created_at timestamptz not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id),
  foreign key (ledger_id, phone_number_id) references phone_numbers (ledger_id, id)
) with (fillfactor = 80);

create unique index conversations_thread on conversations (ledger_id, phone_number_id, external_number);
create index conversations_activity on conversations (ledger_id, last_activity_at, id);
create index conversations_tenant_activity on conversations (ledger_id, tenant_id, last_activity_at, id);

create table messages (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  conversation_id text collate "C" not null,
  direction text not null check (direction in ('inbound', 'outbound')),
  -- What made it: the API, a confirmation of a keyword, or a person.
  origin text not null check (origin in ('api', 'confirmation', 'handset')),
  "from" text collate "C" not null,
  "to" text collate "C" not null,
  body text not null,
  media json not null default '[]',
  status text not null check (status in ('queued', 'sent', 'delivered', 'failed', 'received')),
  error_code text,
  segments smallint not null,
  -- The carrier's id of an inbound text: a repeat of it is the same text.
  carrier_ref text collate "C",
  metadata json not null default '{}',
  status_history json not null,
  created_at timestamptz not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, conversation_id) references conversations (ledger_id, id)
) with (fillfactor = 80);

create index messages_conversation on messages (ledger_id, conversation_id, id);
create unique index messages_carrier_ref on messages (ledger_id, carrier_ref) where carrier_ref is not null;
create index messages_tenant on messages (ledger_id, tenant_id, id);

create table opt_outs (
  ledger_id integer not null,
  tenant_id text collate "C" not null,
  external_number text collate "C" not null,
  source text not null check (source in ('stop_keyword', 'stop_phrase', 'api', 'carrier', 'import')),
  opted_out_at timestamptz not null,
  primary key (ledger_id, tenant_id, external_number),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id)
);

create index opt_outs_age on opt_outs (ledger_id, opted_out_at, tenant_id, external_number);

-- Calls to these prefixes (digits, country code first) cost the caller a premium; operators edit the list.
create table high_cost_prefixes (
  prefix text collate "C" primary key check (prefix ~ '^[0-9]{2,15}$')
);

insert into high_cost_prefixes (prefix) values ('1605455');
